"""What several checks of bound numbers share: going through them all."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.evidence import Binding
from perfnotes.graph.graph import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding


def bindings(site: Site) -> Iterator[tuple[Links, Binding]]:
    """Every bound number of every text."""
    for links in site.graph.links.values():
        for binding in links.bindings:
            yield links, binding


def place(binding: Binding) -> int:
    """Where a binding's address stands, or its text where the address stands elsewhere."""
    link = binding.link
    return link.dest_start if link.kind == "inline" else link.label_start


def problems(site: Site, code: str) -> Iterator[Finding]:
    """The bindings whose problem has this code."""
    said = set()
    for links, binding in bindings(site):
        if binding.problem and binding.problem[0] == code:
            key = (links.text.path, binding.problem[1])
            if code == "PN913" and key in said:
                continue  # a lab without a result is said once on each page
            said.add(key)
            about_number = code in ("PN911", "PN912")
            at = binding.link.label_start if about_number else place(binding)
            yield links.text.body.source.finding(at, *binding.problem)
