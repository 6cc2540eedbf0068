"""The targets of all links, to compare them before and after a renaming."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from perfnotes.checks import examine
from perfnotes.graph.graph import Graph
from perfnotes.graph.links import Links
from perfnotes.graph.plots import placed_plots
from perfnotes.graph.site import Settings, Site
from perfnotes.text.findings import Severity

# An unknown name has one of two codes, depending on whether a known name is similar to it. A
# renaming may change that, so both codes count as the same.
_SAME_FAULT = {"PN406": "PN405", "PN305": "PN301"}

NewId = Callable[[str, str], str]
"""Returns the id after the renaming; its arguments are the kind of a thing and its present id."""


class LinkTargets(Struct, frozen=True):
    """The targets of a project's links, by file, and its findings.

    ``findings`` counts errors and warnings by file and code, ``remarks`` the findings of severity
    note.
    """

    links: dict[str, list[tuple[str, ...]]]
    findings: Counter[tuple[str, str]]
    remarks: Counter[tuple[str, str]]


def targets(graph: Graph, new_id: NewId) -> LinkTargets:
    """All targets and findings of a linked project, with ``new_id`` applied to every id."""
    links = {new_id("file", p): _of_text(each, graph, new_id) for p, each in graph.links.items()}
    found: Counter[tuple[str, str]] = Counter()
    remarks: Counter[tuple[str, str]] = Counter()
    for each in examine(Site(graph, Settings(name=""))):
        of = remarks if each.severity is Severity.NOTE else found
        of[new_id("file", each.path), _SAME_FAULT.get(each.code, each.code)] += 1
    return LinkTargets(links, found, remarks)


def _of_text(links: Links, graph: Graph, new_id: NewId) -> list[tuple[str, ...]]:
    every = [(w.start, t) for w, t in links.wikis] + [(x.start, t) for x, t in links.links]
    every += list(links.definitions.items())
    found: list[tuple[str, ...]] = []
    for _, target in sorted(every, key=lambda pair: pair[0]):
        if target.kind not in ("evidence", "plot"):
            id = new_id(target.kind, target.id) if target.kind != "url" else target.id
            found.append((target.kind, id, target.anchor))
    for binding in links.bindings:
        of = binding.found
        lab = new_id("note", of.lab.id) if of.lab else ""
        value = of.value.id if of.value else of.fact.id if of.fact else binding.address
        found.append(("evidence", lab, value, of.machine, of.stat, str(of.number)))
    for plot in placed_plots(links, graph.evidence):
        of_lab = new_id("note", plot.lab.id) if plot.lab else ""
        found.append(("plot", of_lab, plot.plot.id if plot.plot else ""))
    for citation in links.text.body.document.citations:
        found += [("cite", new_id("key", item.key)) for item in citation.items]
    return found
