"""PN407: a reference that nobody cites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.gaps import uncited
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_ENTRY = """\
@book{hennessy2017quantitative,
  author    = {Hennessy, John L. and Patterson, David A.},
  title     = {Computer Architecture: A Quantitative Approach},
  publisher = {Morgan Kaufmann},
  year      = {2017}
}
"""

RULE = Rule(
    code="PN407",
    severity=Severity.NOTE,
    title="A reference that nobody cites",
    why=(
        "The reference has its entry, but no note, page or table cites it. That is not an error: "
        "somebody may have added it for a note that is still to be written. It is a hint at what "
        "to read and write about next."
    ),
    wrong={"references.bib": _ENTRY},
    right={
        "references.bib": _ENTRY,
        "caches/rows.md": "Rows lie one after another [@hennessy2017quantitative].\n",
    },
)

_CROSSREF = re.compile(r"\bcrossref\s*=\s*[{\"]\s*([^\s{}\"]+)", re.IGNORECASE)


def find(site: Site) -> Iterator[Finding]:
    """References that no text, fact, tool or command to run first cites, and no crossref names.

    Citations in annotations do not count.
    """
    source = site.library.sources.get("references")
    if source is None:
        return
    parents = {key.lower() for key in _CROSSREF.findall(source.text)}
    for reference in site.derived(uncited):
        if reference.key.lower() not in parents:
            message = f"nobody cites {reference.key!r} yet"
            hint = "cite it where it supports a claim"
            yield source.finding(reference.offset, RULE.code, message, hint)
