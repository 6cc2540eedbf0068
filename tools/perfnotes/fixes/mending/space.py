"""White space: what says nothing goes, and what a citation needs comes."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks.glued_citation import glued
from perfnotes.graph.site import Site
from perfnotes.model.repair import Repair
from perfnotes.text.blank import spare

MENDS = {
    "PN408": "puts a space before a citation",
    "PN508": "takes out white space that says nothing, and ends the last line",
}


def find(site: Site) -> Iterator[Repair]:
    """Repairs of notes, translations and pages of the site; in a foreign folder none."""
    if not site.library.own:
        return
    for links in site.graph.links.values():
        body = links.text.body
        text, path = body.source.text, body.source.path
        for place in spare(body.document):
            yield Repair(path, place.start, place.end, text[place.start : place.end], place.new)
        for at in glued(body.document, site.library.references):
            yield Repair(path, at, at, "", " ")
