"""Converts a staged page to HTML and judges the HTML before it is published.

An unsafe page of the project's own notes is an error. A page of a foreign folder is mended and
published: what is not allowed is removed, or if that does not help, the page shows its source.
"""

from __future__ import annotations

import time

from msgspec import Struct

from perfnotes.build.harmless import harmless
from perfnotes.build.markdown import Html, MarkdownEngine
from perfnotes.site.danger import Danger
from perfnotes.site.render.markup import fenced
from perfnotes.site.safety import judge


class JudgedHtml(Struct, frozen=True):
    """A page's HTML, and what was dangerous in it before it was made harmless."""

    html: Html
    dangers: list[Danger]
    # If the page was mended: harmless Markdown that replaces its own in the staged file. Its own
    # would be as dangerous to whoever converts the staged file with another engine.
    plain: str = ""
    seconds: float = 0.0  # CPU time of judging


def convert_and_judge(
    engine: MarkdownEngine, text: str, markdown: bytes, *, mend: bool
) -> JudgedHtml:
    """Convert and judge a page's staged Markdown. With ``mend`` its HTML is made harmless."""
    begun = time.process_time()
    try:
        html = engine.convert(text)
        begun = time.process_time()
        dangers = judge(html.content)
    # Notes nested without end, and others, make the engine raise many kinds.
    except Exception as error:
        html = engine.convert(_as_source(markdown))
        dangers = [Danger(f"what stops the engine ({type(error).__name__})", "")]
    seconds = time.process_time() - begun
    if not dangers or not mend:
        return JudgedHtml(html, dangers, seconds=seconds)
    plain = _as_source(markdown)
    cleaned = harmless(html.content)
    html = Html(cleaned, html.toc) if cleaned else engine.convert(plain)
    return JudgedHtml(html, dangers, plain, seconds)


def _as_source(markdown: bytes) -> str:
    """Return Markdown that shows the source of the page."""
    return fenced(markdown.decode(), "text")
