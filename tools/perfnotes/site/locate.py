"""Finds the line of a note that caused a danger in the HTML of its page."""

from __future__ import annotations

from perfnotes.graph.site import Site
from perfnotes.site.danger import Danger
from perfnotes.site.page import Page
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source

CODE = "PN601"
HINT = "notes may hold Markdown and a few plain elements; put code into a code span or fence"


def locate(site: Site, page: Page, danger: Danger) -> Finding:
    """Return the finding for a danger, at the first place of its needle in the page's source.

    The finding is at the start if the source does not hold the needle, or is not known.
    """
    source = site.sources.get(page.source)
    if source is None:
        message = f"{danger.message} is not allowed"
        return Finding(page.source or page.url, 1, 1, CODE, message, danger.hint or HINT)
    return in_source(source, danger)


def in_source(source: Source, danger: Danger) -> Finding:
    """Return the finding for a danger in a text with a known source."""
    text = source.text.lower()
    at = text.find(danger.needle.lower()) if danger.needle else -1
    message = f"{danger.message} is not allowed"
    return source.finding(max(at, 0), CODE, message, danger.hint or HINT)
