"""PN409: a reference that nobody can find."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN409",
    severity=Severity.WARNING,
    title="A reference that nobody can find",
    why=(
        "A reader must be able to get the work that a sentence rests on. A title alone fits many "
        "works. Give an address, DOI, arXiv id or ISBN, or two of these: who wrote it, the year, "
        "and where it appeared."
    ),
    wrong={
        "references.bib": (
            "@misc{drepper2007memory,\n"
            "  title = {What Every Programmer Should Know About Memory}\n"
            "}\n"
        )
    },
    right={
        "references.bib": (
            "@misc{drepper2007memory,\n"
            "  title = {What Every Programmer Should Know About Memory},\n"
            "  url   = {https://www.akkadia.org/drepper/cpumemory.pdf}\n"
            "}\n"
        )
    },
)


def find(site: Site) -> Iterator[Finding]:
    """References with a title whose entry does not say enough to find the work."""
    source = site.library.sources.get("references")
    for reference in site.library.references.values() if source else ():
        if source and reference.title and not reference.can_be_found:
            message = f"nothing says where to find {reference.key!r}"
            hint = "add url, doi, eprint or isbn, or two of author, year and howpublished"
            yield source.finding(reference.offset, RULE.code, message, hint)
