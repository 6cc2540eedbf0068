"""Links: inner ones and citations that broke or were mended, and addresses of other sites."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.site import Site
from perfnotes.review.entry import ReportEntry, ReportPart, line, listed
from perfnotes.review.pair import Pair
from perfnotes.review.parts._findings import changes

PLACE = 20


def compare(pair: Pair) -> ReportPart:
    come, gone = changes(pair, links=True)
    found = [
        ReportEntry("broken", line("{}: {}", f"{f.path}:{f.line}", f.message), path=f.path)
        for f in come
    ]
    found += [ReportEntry("mended", line("{}: {}", f.path, f.message), path=f.path) for f in gone]
    return ReportPart("links", "Links", (*found, *_web_addresses(pair)))


def _web_addresses(pair: Pair) -> Iterator[ReportEntry]:
    """Yield web addresses that are linked on one side only."""
    before, after = _addresses(pair.old), _addresses(pair.new)
    for address in sorted(after.keys() - before.keys()):
        yield ReportEntry("new web address", line("{} in {}", address, listed(after[address])))
    for address in sorted(before.keys() - after.keys()):
        yield ReportEntry("web address gone", line("{} in {}", address, listed(before[address])))


def _addresses(site: Site) -> dict[str, set[str]]:
    """Return, for each web address, the files with a link to it, also the bibliography."""
    found: dict[str, set[str]] = {}
    for text in site.graph.links.values():
        targets = [target for _, target in text.links] + list(text.definitions.values())
        for target in targets:
            if target.kind == "url":
                found.setdefault(target.id, set()).add(text.text.path)
    for reference in site.library.references.values():
        if reference.url:
            found.setdefault(reference.url, set()).add("notes/references.bib")
    return found
