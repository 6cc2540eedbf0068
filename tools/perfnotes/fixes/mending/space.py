"""Repairs of white space: removes white space without meaning, inserts it before citations."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks.glued_citation import glued
from perfnotes.graph.site import Site
from perfnotes.model.repair import Repair
from perfnotes.text.spare_space import spare_space

MENDS = {
    "PN408": "puts a space before a citation",
    "PN508": "removes white space without meaning, and ends the last line",
}


def find(site: Site) -> Iterator[Repair]:
    """Repairs of notes, translations and pages of ``docs/``; none in a foreign folder."""
    if not site.library.own:
        return
    for links in site.graph.links.values():
        body = links.text.body
        text, path = body.source.text, body.source.path
        for place in spare_space(body.document):
            yield Repair(path, place.start, place.end, text[place.start : place.end], place.new)
        for at in glued(body.document, site.library.references):
            yield Repair(path, at, at, "", " ")
