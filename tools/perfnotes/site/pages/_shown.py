"""What a text shows of other notes and of tables, as Names of the page that holds the text."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.explorables import constants_in
from perfnotes.graph.links import Links
from perfnotes.graph.outputs import labs_shown as labs_of_outputs
from perfnotes.graph.plots import labs_shown as labs_of_plots
from perfnotes.graph.site import Site
from perfnotes.site.page_plan import Name

_EVIDENCE: Name = ("evidence",)


def shown_by(site: Site, links: Links) -> Iterator[Name]:
    """Yield the Names that a page has because it holds the rendered text of ``links``."""
    text = links.text
    targets = [*links.targets]
    yield ("targets", *((target.kind, target.id, target.anchor) for target in targets))
    for target in targets:
        yield target.kind, target.id
        if target.anchor:
            yield "headings", target.id
    yield from (("reference", key) for key in links.cited)
    for use in site.term_finders[text.lang].first_uses(text.body):
        yield "term", use.term
    for binding in links.bindings:
        found = binding.found
        if found.lab:
            yield "lab", found.lab.id
        elif found.fact:
            yield from _of_fact(site, found.fact.id)
        else:
            yield _EVIDENCE
    evidence = site.graph.evidence
    shown = labs_of_plots(links, evidence) | labs_of_outputs(links, evidence)
    yield from (("lab", id) for id in shown)
    yield ("calculators", text.id)
    for address in constants_in(links, evidence):
        yield from _of_address(site, address)


def _of_address(site: Site, address: str) -> Iterator[Name]:
    """Yield the lab or the fact that the address of a number names."""
    kind, id = site.graph.evidence.kind_and_id(address) or ("", "")
    if kind == "fact":
        yield from _of_fact(site, id)
    else:
        yield (kind, id) if kind else _EVIDENCE


def _of_fact(site: Site, id: str) -> Iterator[Name]:
    """Yield the fact, those that its formula uses, and the references that they cite."""
    facts = site.library.facts.by_id
    left, seen = [id], set()
    while left:
        id = left.pop()
        if id not in seen and id in facts:
            seen.add(id)
            yield from (("reference", key) for key in facts[id].keys)
            left += facts[id].inputs.values()
        yield "fact", id
