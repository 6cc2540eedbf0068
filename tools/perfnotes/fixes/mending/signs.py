"""Repairs of signs of a Chinese keyboard: marks of lists, and the sign ``＝``."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks.full_width_sign import mendable
from perfnotes.graph.site import Site
from perfnotes.model.repair import Repair

MENDS = {"PN515": "writes `1. ` for `1、` at the start of a line, and `=` for `＝`"}


def find(site: Site) -> Iterator[Repair]:
    """Repairs of notes, translations and pages of ``docs/``; none in a foreign folder."""
    if not site.library.own:
        return
    for links in site.graph.links.values():
        body = links.text.body
        text, path = body.source.text, body.source.path
        for each in mendable(body.document):
            yield Repair(path, each.start, each.end, text[each.start : each.end], each.new)
