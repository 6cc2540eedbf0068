"""PN921: an entry of ``chosen`` or ``waived`` that no quantity of the text needs."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.graph.unused_entries import unused_entries
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN921",
    severity=Severity.NOTE,
    title="A chosen or waived number that no quantity needs",
    why=(
        "The front matter lists a number under `chosen:` or `waived:`, but no quantity of the text "
        "is written so: the number is not there, or it is no quantity and needs no evidence. "
        "Remove the entry, so that it cannot excuse a number that is added later."
    ),
    wrong={"caches/rows.md": "---\nchosen: [4 KiB]\n---\nEach row is 64 KiB"
                             " [@drepper2007memory, sec. 3].\n"},
    right={"caches/rows.md": "---\nchosen: [4 KiB]\n---\nWe take rows of 4 KiB.\n"},
)  # fmt: skip


def find(site: Site) -> Iterator[Finding]:
    """Entries of ``chosen`` and ``waived`` that no quantity of the text needs."""
    for coverage, entry in unused_entries(site.coverages.values()):
        at = coverage.metas[0].place(entry.key)
        message = f"{entry.key} lists {entry.text!r}, but no quantity of the text is written so"
        hint = "remove it, or write the quantity exactly as in the text"
        if entry.read:
            hint = f"the quantity is read as {entry.read!r}: write that"
        yield coverage.links.text.body.source.finding(at, RULE.code, message, hint)
