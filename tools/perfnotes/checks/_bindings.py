"""Helpers that several checks of bound numbers share."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.binding import Binding
from perfnotes.graph.links import Links
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding


def bindings(site: Site) -> Iterator[tuple[Links, Binding]]:
    """Every bound number of every text, with the links of that text."""
    for links in site.graph.links.values():
        for binding in links.bindings:
            yield links, binding


def address_offset(binding: Binding) -> int:
    """The offset of a binding's address, or of the label if the binding is a reference link."""
    link = binding.link
    return link.dest_start if link.kind == "inline" else link.label_start


def problems(site: Site, code: str) -> Iterator[Finding]:
    """A finding for each binding whose problem has this code.

    PN913 has one finding for each text and message, because a lab without a result concerns all of
    its numbers.
    """
    reported = set()
    for links, binding in bindings(site):
        if binding.problem and binding.problem[0] == code:
            key = (links.text.path, binding.problem[1])
            if code == "PN913" and key in reported:
                continue
            reported.add(key)
            about_number = code in ("PN911", "PN912")  # about the link's text, not its address
            at = binding.link.label_start if about_number else address_offset(binding)
            yield links.text.body.source.finding(at, *binding.problem)
