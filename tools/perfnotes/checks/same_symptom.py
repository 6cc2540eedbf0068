"""PN216: two notes with the same symptom and nothing that tells the causes apart."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator

from perfnotes.checks._examples import PLACES
from perfnotes.checks._pairs import duplicates
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import all_translations
from perfnotes.model.note import Note
from perfnotes.model.symptom import Symptom
from perfnotes.model.translation import Translation
from perfnotes.text.findings import Finding, Severity

_SYMPTOM = """\
symptoms:
- id: loop-slow
  see: My loop over a large matrix is slower than the same loop in another program.
  confirm: {confirm}
  section: {section}
  where: program
"""
_ROWS = (
    "---\n"
    + _SYMPTOM.format(
        confirm="Swap the two loops; if that alone makes it faster, this is the cause.",
        section="what-to-do",
    )
    + "---\n\nA C array lies in memory row by row.\n\n## What to do\n\nSwap the loops.\n"
)
_COLUMNS = (
    "---\n"
    + _SYMPTOM.replace("{section}", "what-to-do")
    + "---\n\nA Fortran array lies there column by column.\n\n## What to do\n\nAlign it.\n"
)

RULE = Rule(
    code="PN216",
    severity=Severity.WARNING,
    title="Two notes with the same symptom that nothing tells apart",
    why=(
        "Several causes may look the same, so two notes may have the same symptom. Then `confirm` "
        "of each must say how to tell its cause from the other: another command, another place to "
        "look, or another answer. If these are the same as well, a reader cannot choose."
    ),
    wrong={
        "symptoms.yml": PLACES,
        "caches/rows.md": _ROWS,
        "caches/columns.md": _COLUMNS.format(
            confirm="Swap the two loops; if that alone makes it faster, this is the cause."
        ),
    },
    right={
        "symptoms.yml": PLACES,
        "caches/rows.md": _ROWS,
        "caches/columns.md": _COLUMNS.format(
            confirm="Align the matrix to a line; if that alone makes it faster, this is the cause."
        ),
    },
)
_WORD = re.compile(r"\w+")


def find(site: Site) -> Iterator[Finding]:
    """Symptoms with the same words and the same ``confirm`` as another one in that language."""
    yield from _repeated(site, site.library.notes.values())
    yield from _repeated(site, all_translations(site))


def _repeated(site: Site, texts: Iterable[Note | Translation]) -> Iterator[Finding]:
    # Hardly any symptoms have the same words, so few `confirm` are split into words.
    by_words: dict[Hashable, list[tuple[Note | Translation, int, Symptom]]] = defaultdict(list)
    for text in texts:
        for i, symptom in enumerate(text.meta.symptoms):
            by_words[_words(symptom.see)].append((text, i, symptom))
    found = [each for group in by_words.values() if len(group) > 1 for each in group]
    for (text, i, symptom), (other, _, same) in duplicates(found, lambda each: _said(each[2])):
        where = f"{site.library.shown(other.file)} ({same.id})"
        message = f"the symptom {symptom.id!r} has the words and `confirm` of {where}"
        hint = "say in `confirm` what tells this cause from the other"
        at = text.meta.place("symptoms", i, "see")
        yield text.body.source.finding(at, RULE.code, message, hint)


def _said(symptom: Symptom) -> Hashable:
    return _words(symptom.see), _words(symptom.confirm)


def _words(text: str) -> Hashable:
    return tuple(_WORD.findall(text.casefold()))
