"""PN308: a number bound to a lab or fact that is not known."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.findings import Finding, Severity
from perfnotes.site import Site

RULE = Rule(
    code="PN308",
    severity=Severity.ERROR,
    title="A number bound to a lab or fact that is not known",
    why=(
        "`[9.4×](lab:slowdown)` says that a lab measured the number, `[…](fact:…)` that it comes "
        "from a source. If no such lab or fact exists, the promise is empty. Until it does, "
        "write the number with a citation, or leave it out."
    ),
    wrong={"caches/rows.md": "Along the columns it takes [9.4×](lab:slowdown) as long.\n"},
    right={"caches/rows.md": "Along the columns it takes longer [@drepper2007memory].\n"},
)


def find(site: Site) -> Iterator[Finding]:
    """Every ``lab:`` and ``fact:`` link: neither labs nor facts are read yet."""
    for links in site.graph.links.values():
        document = links.text.body.document
        bound = [(link.dest_start, target) for link, target in links.links]
        bound += [(d.dest_start, links.definitions[d.start]) for d in document.blocks.definitions]
        for offset, target in bound:
            if target.kind == "evidence":
                message = f"no lab or fact is called {target.id!r}"
                hint = "correct the name, or cite a source instead"
                yield links.text.body.source.finding(offset, RULE.code, message, hint)
