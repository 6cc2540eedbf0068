"""PN213: a symptom at a place that ``symptoms.yml`` does not have."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.graph.symptoms import all_symptoms
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest

_PLACES = """\
places:
- id: program
  title: {en: A program is slow, zh: 程序很慢}
  questions:
  - ask: {en: Is the time spent in the program or in the kernel?, zh: 时间花在程序里还是内核里？}
    by: {en: "`time ./program`", zh: "`time ./program`"}
    answers:
    - {id: user, says: {en: In the program, zh: 在程序里}}
    - {id: kernel, says: {en: In the kernel, zh: 在内核里}}
"""
_SYMPTOM = """\
---
symptoms:
- id: columns-slow
  see: My loop over the columns of a matrix is much slower than the one over its rows.
  confirm: Swap the two loops; if that alone makes it faster, this is the cause.
  section: what-to-do
  where: {where}
---

A C array lies in memory row by row.

## What to do

Swap the loops.
"""

RULE = Rule(
    code="PN213",
    severity=Severity.ERROR,
    title="A symptom at an unknown place",
    why=(
        "`where` of a symptom names a place of `notes/symptoms.yml` by which readers look for it, "
        "or an answer to one of the questions there as `place/answer`. A symptom at an unknown "
        "place would be missing on the page *What do you see?*."
    ),
    wrong={"symptoms.yml": _PLACES, "caches/rows.md": _SYMPTOM.format(where="program/usr")},
    right={"symptoms.yml": _PLACES, "caches/rows.md": _SYMPTOM.format(where="program/user")},
)


def find(site: Site) -> Iterator[Finding]:
    """Symptoms whose ``where`` is neither a place nor an answer of ``symptoms.yml``."""
    known = site.library.symptom_index.addresses
    for each in all_symptoms(site):
        if each.symptom.where not in known:
            guess = nearest(each.symptom.where, known)
            hint = f"did you mean {guess}?" if guess else "see the places of symptoms.yml"
            message = f"no place or answer is called {each.symptom.where!r}"
            yield each.note.body.source.finding(each.offset("where"), RULE.code, message, hint)
