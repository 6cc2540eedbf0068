"""PN805: a published note that still has sentences of the skeleton."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib.resources import files

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.translation import Translation
from perfnotes.text.body import Body
from perfnotes.text.chinese import has_cjk
from perfnotes.text.findings import Finding, Severity

_DESCRIPTION = "One sentence that says what the reader will know, at most 200 characters."
_CONFIRM = "One command, or what to look at, and what it says if this is the cause."
_ANSWER = (
    "The answer, in two or three sentences. A number is bound to a lab or fact, or cited with its "
    "place."
)

RULE = Rule(
    code="PN805",
    severity=Severity.WARNING,
    title="Sentences of the skeleton are still there",
    why=(
        "`perfnotes new note` writes sentences that say what belongs in their place. They must be "
        "replaced before the note is published. The same holds for a translation whose "
        "description or headings are still in English."
    ),
    wrong={"caches/rows.md": f"{_ANSWER}\n"},
    right={"caches/rows.md": "A C array lies in memory row by row.\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """What a published note still has of ``templates/note.md``, and a translation of English.

    In a note these are sentences, the description and the ``confirm`` of a symptom. In a
    translation these are the description, symptoms and headings.
    """
    template = files("perfnotes").joinpath("contribute/templates/note.md").read_text("utf-8")
    skeleton = [line for line in template.partition("\n---\n")[2].splitlines() if _is_prose(line)]
    hint = "write your own in its place; `draft: true` hides the note from readers"
    optional = hint.replace(";", ", or leave it out;")
    for note in site.library.notes.values():
        source = note.body.source
        if note.meta.description == _DESCRIPTION:
            message = "the description is still that of the skeleton"
            yield source.finding(note.meta.place("description"), RULE.code, message, hint)
        find_lines = partial(_lines_of, skeleton, note.body)
        for at in note.body.computed("skeleton", skeleton, find_lines):
            message = "this sentence is from the skeleton: it says what belongs here"
            yield source.finding(at, RULE.code, message, optional)
        for i, symptom in enumerate(note.meta.symptoms):
            if symptom.confirm == _CONFIRM:
                message = f"the symptom {symptom.id!r} still has the `confirm` of the skeleton"
                at = note.meta.place("symptoms", i, "confirm")
                yield source.finding(at, RULE.code, message, hint)
    for twin in site.library.translations.values():
        yield from _untranslated(twin)


def _lines_of(skeleton: list[str], body: Body) -> list[int]:
    """Return the offsets of lines of the skeleton in a text."""
    text = f"\n{body.source.text}\n"
    places = (text.find(f"\n{line}\n") for line in skeleton)
    return [place for place in places if place >= 0]


def _untranslated(twin: Translation) -> Iterator[Finding]:
    """The English description, and English headings of several words, in a Chinese text."""
    source, hint = twin.body.source, "translate it; `draft: true` hides the page from readers"
    if twin.meta.description == twin.note.meta.description and not has_cjk(twin.meta.description):
        message = "the description is that of the English text"
        yield source.finding(twin.meta.place("description"), RULE.code, message, hint)
    for i, symptom in enumerate(twin.meta.symptoms):
        if not has_cjk(symptom.see):
            message = f"the symptom {symptom.id!r} is in English"
            yield source.finding(twin.meta.place("symptoms", i, "see"), RULE.code, message, hint)
    english = {s.title for s in twin.note.body.sections}
    for section in twin.body.sections:
        if section.title in english and section.title.count(" ") > 1 and not has_cjk(section.title):
            message = "the heading is that of the English text"
            yield source.finding(section.start, RULE.code, message, hint)


def _is_prose(line: str) -> bool:
    return line.count(" ") > 5 and not line.startswith(("#", "$"))
