"""PN912: a bound text that is not a number, or whose unit does not fit the value."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._bindings import problems
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN912",
    severity=Severity.ERROR,
    title="A bound number whose unit does not fit",
    why=(
        "The link's text must be a number with its unit and nothing else, so that it can be "
        "compared with the value: `9.4×`, `262,145`, `898 GB/s`. Units of the same dimension are "
        "converted (0.898 TB/s is 898 GB/s). A ratio needs its × or %. `KB` is refused, because it "
        "may mean 1000 or 1024 bytes."
    ),
    wrong={"caches/rows.md": "A line has [64](fact:chip/cache-line).\n"
           "Its cache passes [25 GFLOP/s](fact:chip/bandwidth).\n"},
    right={"caches/rows.md": "A line has [64 B](fact:chip/cache-line).\n"
           "Its cache passes [25.6 GB/s](fact:chip/bandwidth).\n"},
)  # fmt: skip


def find(site: Site) -> Iterator[Finding]:
    """Bindings whose text cannot be compared with the value."""
    return problems(site, RULE.code)
