"""From a danger in a page's HTML back to the line of the note that caused it."""

from __future__ import annotations

from perfnotes.graph.site import Site
from perfnotes.site.danger import Danger
from perfnotes.site.page import Page
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source

CODE = "PN601"
HINT = "notes may hold Markdown and a few plain elements; put code into a code span or fence"


def locate(site: Site, page: Page, danger: Danger) -> Finding:
    """The finding, at the first place in the source that the danger's needle is found at."""
    source = site.sources.get(page.source)
    if source is None:
        message = f"{danger.message} is not allowed"
        return Finding(page.source or page.url, 1, 1, CODE, message, HINT)
    return in_source(source, danger)


def in_source(source: Source, danger: Danger) -> Finding:
    """The same for a text whose source is known."""
    text = source.text.lower()
    at = text.find(danger.needle.lower()) if danger.needle else -1
    return source.finding(max(at, 0), CODE, f"{danger.message} is not allowed", HINT)
