"""Repairs of bound numbers: the recorded digits, as many as the text shows."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.site import Site
from perfnotes.model.repair import Repair

MENDS = {"PN911": "writes the right digits, as many as the text shows"}


def find(site: Site) -> Iterator[Repair]:
    """Bound numbers whose digits are wrong, whose unit is right, and that hold no markup."""
    for links in site.graph.links.values():
        text, path = links.text.body.source.text, links.text.body.source.path
        for binding in links.bindings:
            if binding.mended:
                at = text.find(binding.shown, binding.link.label_start, binding.link.label_end)
                stop = at + len(binding.shown)
                yield Repair(path, at, stop, binding.shown, binding.mended)
