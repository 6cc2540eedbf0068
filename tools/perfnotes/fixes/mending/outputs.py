"""Repairs of shown output: the recorded output of the lab's run."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.outputs import content_range, outputs
from perfnotes.graph.site import Site
from perfnotes.model.repair import Repair

MENDS = {"PN922": "writes what the run printed"}


def find(site: Site) -> Iterator[Repair]:
    """Closed fences that name a run, leave no lines out and differ from what the run printed."""
    for links in site.graph.links.values():
        text, path = links.text.body.source.text, links.text.body.source.path
        for output in outputs(links, site.graph.evidence):
            if output.mended:
                start, end = content_range(text, output.fence)
                yield Repair(path, start, end, text[start:end], output.mended)
