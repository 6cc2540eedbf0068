"""PN915: a thing to try that cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.explorables import placed_explorables
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_FENCE = """\
Sets and strides.

```text explore={}
set_of = [i * stride // 64 % 64 for i in range(lines)]
count = [set_of.count(k) for k in range(64)]
misses = sum(c if c <= 8 else 100 * c for c in count)
```
"""

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
    wrong={"caches/rows.md": _FENCE.format("cache-set")},
    right={"caches/rows.md": _FENCE.format("cache-sets")},
)

LOOKS_AT = frozenset({"lab", "fact"})


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Fences that name an unknown explorable, or one that this text cannot show."""
    for each in placed_explorables(links, site.graph.evidence):
        if each.problem:
            at = each.fence.info_start
            yield links.text.body.source.finding(at, RULE.code, *each.problem)
