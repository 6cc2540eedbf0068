"""PN212: a symptom that leads to a heading that its note does not have."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import PLACES
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import all_symptoms, all_translations
from perfnotes.model.note import Note
from perfnotes.model.translation import Translation
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

_SYMPTOM = """\
---
symptoms:
- id: columns-slow
  see: My loop over the columns of a matrix is much slower than the one over its rows.
  confirm: Swap the two loops; if that alone makes it faster, this is the cause.
  section: {section}
  where: program
---

A C array lies in memory row by row.

## What to do

Swap the loops.
"""

RULE = Rule(
    code="PN212",
    severity=Severity.ERROR,
    title="A symptom that leads to a heading that is not there",
    why=(
        "`section` of a symptom is the id of the heading below which the note says what to do: "
        "the English heading in lower case, without punctuation, with hyphens for spaces. Readers "
        "who recognise what they see are taken there, in both languages. If the heading was "
        "changed or removed, they would arrive at the top of the note. `opens` is the id of the "
        "heading where a result of the search opens, in the English text and in its translation."
    ),
    wrong={"symptoms.yml": PLACES, "caches/rows.md": _SYMPTOM.format(section="remedy")},
    right={"symptoms.yml": PLACES, "caches/rows.md": _SYMPTOM.format(section="what-to-do")},
)


def find(site: Site) -> Iterator[Finding]:
    """Symptoms whose ``section`` or ``opens`` is no heading of their text."""
    for each in all_symptoms(site):
        yield from _missing(each.note, each.index, "section", each.symptom.section)
        if each.symptom.opens:
            yield from _missing(each.note, each.index, "opens", each.symptom.opens)
    for twin in all_translations(site):
        for index, symptom in enumerate(twin.meta.symptoms):
            if symptom.opens:
                yield from _missing(twin, index, "opens", symptom.opens)


def _missing(text: Note | Translation, index: int, key: str, heading: str) -> Iterator[Finding]:
    """Yield a finding if a text lacks the heading that a key of its symptom names."""
    ids = [section.id for section in text.body.sections]
    if heading not in ids:
        guess = nearest(heading, ids)
        there = f"its headings: {', '.join(ids)}" if ids else "add the heading to the note"
        hint = f"did you mean {guess}?" if guess else there
        name = text.id if isinstance(text, Note) else text.file
        at = text.meta.place("symptoms", index, key)
        yield text.body.source.finding(at, RULE.code, f"{name} has no heading {heading!r}", hint)
