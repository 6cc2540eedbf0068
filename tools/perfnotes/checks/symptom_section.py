"""PN212: a symptom that leads to a heading that its note does not have."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import PLACES
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import all_symptoms
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
        "changed or removed, they would arrive at the top of the note."
    ),
    wrong={"symptoms.yml": PLACES, "caches/rows.md": _SYMPTOM.format(section="remedy")},
    right={"symptoms.yml": PLACES, "caches/rows.md": _SYMPTOM.format(section="what-to-do")},
)


def find(site: Site) -> Iterator[Finding]:
    """Symptoms whose ``section`` is no heading of their note."""
    for each in all_symptoms(site):
        ids = [section.id for section in each.note.body.sections]
        if each.symptom.section not in ids:
            guess = nearest(each.symptom.section, ids)
            there = f"its headings: {', '.join(ids)}" if ids else "add the heading to the note"
            hint = f"did you mean {guess}?" if guess else there
            message = f"{each.note.id} has no heading {each.symptom.section!r}"
            source = each.note.body.source
            yield source.finding(each.offset("section"), RULE.code, message, hint)
