"""PN921: an entry of ``chosen`` or ``waived`` whose number is not in the text."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN921",
    severity=Severity.NOTE,
    title="A chosen or waived number that is not in the text",
    why=(
        "The front matter lists a number under `chosen:` or `waived:`, but the text does not hold "
        "this number, or writes it in another way. Remove the entry, so that it cannot excuse a "
        "number that is added later."
    ),
    wrong={"caches/rows.md": "---\nchosen: [4 KiB]\n---\nEach row is 64 KiB"
                             " [@drepper2007memory, sec. 3].\n"},
    right={"caches/rows.md": "---\nchosen: [4 KiB]\n---\nWe take rows of 4 KiB.\n"},
)  # fmt: skip


def find(site: Site) -> Iterator[Finding]:
    """Entries of ``chosen`` and ``waived`` whose number is not in the text."""
    for coverage in site.coverages.values():
        meta = coverage.metas[0]
        for key, text in coverage.unused:
            at = meta.place(key)
            message = f"{key} lists {text!r}, which is not in the text"
            hint = "remove it, or write it exactly as in the text"
            yield coverage.links.text.body.source.finding(at, RULE.code, message, hint)
