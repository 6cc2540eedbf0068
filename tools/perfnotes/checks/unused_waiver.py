"""PN921: a waiver of a quantity that the text does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN921",
    severity=Severity.NOTE,
    title="A chosen or waived number that the text does not hold",
    why=(
        "The front matter lists a number under `chosen:` or `waived:`, and no such number stands "
        "in the text any more, or it is written in another way. Remove it, so that it cannot "
        "cover a number that comes later."
    ),
    wrong={"caches/rows.md": "---\nchosen: [4 KiB]\n---\nEach row is 64 KiB"
                             " [@drepper2007memory, sec. 3].\n"},
    right={"caches/rows.md": "---\nchosen: [4 KiB]\n---\nWe take rows of 4 KiB.\n"},
)  # fmt: skip


def find(site: Site) -> Iterator[Finding]:
    """Entries of ``chosen`` and ``waived`` without their number."""
    for coverage in site.coverages.values():
        meta = coverage.metas[0]
        for key, text in coverage.unused:
            at = meta.place(key)
            message = f"{key} lists {text!r}, which does not stand in the text"
            hint = "remove it, or write it as it stands there"
            yield coverage.links.text.body.source.finding(at, RULE.code, message, hint)
