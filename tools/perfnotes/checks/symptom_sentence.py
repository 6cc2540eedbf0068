"""PN214: a symptom that is not one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._examples import NOTE_WITH_SYMPTOM, PLACES
from perfnotes.checks._rule import Rule
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import note_and_translations
from perfnotes.model.note import Meta
from perfnotes.model.symptom import without_code
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import Source

_INNER_END = re.compile(r"[.!?][\"')\]]*\s+(?=[\"'(]?[A-Z])|[。！？](?=.)")
_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e|vs|etc|approx|resp)$")
_END = re.compile(r"[.!?。！？][\"'”’)）]*$")

RULE = Rule(
    code="PN214",
    severity=Severity.WARNING,
    title="A symptom that is not one sentence",
    why=(
        "A symptom is one sentence that a person says: it is read in a list of many, and a search "
        "shows it whole. It ends in a full stop or a question mark. What else there is to say "
        "belongs under `confirm` or in the note, and another thing that one sees is a symptom of "
        "its own."
    ),
    wrong={
        "symptoms.yml": PLACES,
        "caches/rows.md": NOTE_WITH_SYMPTOM.format(
            see="My loop is slow. It goes over the columns."
        ),
    },
    right={
        "symptoms.yml": PLACES,
        "caches/rows.md": NOTE_WITH_SYMPTOM.format(
            see="My loop over the columns of a matrix is slow."
        ),
    },
)

LOOKS_AT: frozenset[str] = frozenset()


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Symptoms that are more than one sentence, and those that do not end like a sentence."""
    for text in note_and_translations(site, links):
        yield from _judge(text.meta, text.body.source)


def _judge(meta: Meta, source: Source) -> Iterator[Finding]:
    for i, symptom in enumerate(meta.symptoms):
        bare = without_code(symptom.see)
        ends = (m for m in _INNER_END.finditer(bare) if not _is_abbreviation(bare, m.start()))
        at = meta.place("symptoms", i, "see")
        if next(ends, None):
            message = f"the symptom {symptom.id!r} is more than one sentence"
            hint = "keep what a person would say first, and move the rest"
            yield source.finding(at, RULE.code, message, hint)
        elif not _END.search(symptom.see):
            message = f"the symptom {symptom.id!r} does not end like a sentence"
            yield source.finding(at, RULE.code, message, "write a sentence with a full stop")


def _is_abbreviation(text: str, at: int) -> bool:
    return _ABBREVIATION.search(text[:at]) is not None
