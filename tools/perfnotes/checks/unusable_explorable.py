"""PN915: a thing to try that cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.explorables import placed_explorables
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_FENCE = "```text explore={}\nsets = 64 / gcd(stride, 64)\nshare = lines / sets\nmisses = {}\n```\n"
_RIGHT = "lines if share <= ways else lines * laps"

RULE = Rule(
    code="PN915",
    severity=Severity.ERROR,
    title="A thing to try that cannot be shown",
    why=(
        "A fence such as `text explore=cache-sets` stands for a thing to try: a picture with "
        "controls. It must name one of those that the program has, hold exactly its formulas, "
        "start at the margin, and stand in a text once. The results and facts that the thing is "
        "computed from must be there."
    ),
    wrong={"caches/rows.md": "Sets and strides.\n\n" + _FENCE.format("cache-set", _RIGHT)},
    right={"caches/rows.md": "Sets and strides.\n\n" + _FENCE.format("cache-sets", _RIGHT)},
)


def find(site: Site) -> Iterator[Finding]:
    """Fences that name an unknown explorable, or one that this text cannot show."""
    for links in site.graph.links.values():
        for each in placed_explorables(links, site.graph.evidence):
            if each.problem:
                at = each.fence.info_start
                yield links.text.body.source.finding(at, RULE.code, *each.problem)
