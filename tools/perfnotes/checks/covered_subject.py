"""PN211: a wanted subject that already has a note."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.gaps import note_of
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_SUBJECT = """\
subjects:
- id: {id}
  title: {{en: Prefetching, zh: 预取}}
  question: {{en: Which walks does the hardware foresee?, zh: 硬件能预见哪些访问顺序？}}
"""

RULE = Rule(
    code="PN211",
    severity=Severity.NOTE,
    title="A wanted subject that already has a note",
    why=(
        "`wanted.yml` lists the subjects that nobody has written about yet, for the page that "
        "asks for help. Once a note has the subject's id as its id or as an alias, the page "
        "leaves the subject out. Then the entry can be removed."
    ),
    wrong={"wanted.yml": _SUBJECT.format(id="caches/rows")},
    right={"wanted.yml": _SUBJECT.format(id="caches/prefetching")},
)


def find(site: Site) -> Iterator[Finding]:
    """Entries of ``wanted.yml`` whose id is the id or an alias of a note, and those notes."""
    source = site.library.sources.get("wanted")
    for subject in site.library.wanted.subjects:
        note = note_of(site, subject)
        if note and source:
            message = f"the wanted subject {subject.id!r} has its note: {note.file}"
            yield source.finding(subject.offset, RULE.code, message, "remove the entry")
            message = f"{source.path} still lists the subject {subject.id!r} of this note as wanted"
            hint = "remove the entry there"
            yield note.body.source.finding(note.meta.place("aliases"), RULE.code, message, hint)
