"""PN411: two references to one work."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from perfnotes.checks._pairs import duplicates
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.reference import Reference
from perfnotes.text.findings import Finding, Severity

_ENTRY = """\
@misc{drepper2007memory,
  author = {Drepper, Ulrich},
  title  = {What Every Programmer Should Know About Memory},
  year   = {2007},
  url    = {https://www.akkadia.org/drepper/cpumemory.pdf}
}
"""

RULE = Rule(
    code="PN411",
    severity=Severity.WARNING,
    title="Two references to one work",
    why=(
        "The page of a reference lists every note that cites it. If a work has two entries, each "
        "page lists half of them. Two entries are of one work if they have the same DOI or arXiv "
        "id, or the same address, title and year. Cite one of them everywhere, and remove the "
        "other; if they are two editions, say so in their titles."
    ),
    wrong={"references.bib": _ENTRY + "\n" + _ENTRY.replace("memory,", "programmer,", 1)},
    right={"references.bib": _ENTRY},
)


def find(site: Site) -> Iterator[Finding]:
    """One finding at each entry whose work another entry has too."""
    source = site.library.sources.get("references")
    if source is None:
        return
    references = site.library.references.values()
    others: dict[str, Reference] = {}
    for same in _SAME:
        for reference, other in duplicates(filter(same, references), same):
            others.setdefault(reference.key, other)
    cited = {key: len(site.graph.cited_by.get(key, ())) for key in others}
    for key, other in others.items():
        offset = site.library.references[key].offset
        is_kept = (cited[key], -offset) > (cited[other.key], -other.offset)
        message = f"{key!r} and {other.key!r} are one work"
        hint = f"cite {(key if is_kept else other.key)!r} alone and remove the other"
        yield source.finding(offset, RULE.code, message, hint)


def _place(reference: Reference) -> tuple[str, str, str] | None:
    address = reference.url.rstrip("/")
    return (address, reference.title.casefold(), reference.year) if address else None


# What no two works have in common. It is empty for a reference of which it is not known.
_SAME: tuple[Callable[[Reference], Hashable], ...] = (
    lambda reference: reference.doi.casefold(),
    lambda reference: reference.arxiv,
    _place,
)
