"""A staged page's HTML, made by the engine's own Markdown and judged before it is published.

A page of ours that is unsafe is an error. A page of a foreign folder is published all the same,
made harmless: without what may not be there, or, if that cannot be, as its source.
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
    """A page's HTML as it may be published, and what was dangerous in it.

    ``plain`` is the Markdown for an engine that has no such judge, where the page's own must not
    be; ``seconds`` are the judge's share of the CPU time.
    """

    html: Html
    dangers: list[Danger]
    plain: str = ""
    seconds: float = 0.0


def judged(engine: MarkdownEngine, text: str, twin: bytes, *, own: bool) -> JudgedHtml:
    """The HTML of a page's staged Markdown; ``own`` notes are not mended."""
    begun = time.process_time()
    try:
        html = engine.convert(text)
        begun = time.process_time()
        dangers = judge(html.content)
    except Exception as error:  # the engine has many, for notes nested without end and others
        html = engine.convert(_as_source(twin))
        dangers = [Danger(f"what stops the engine ({type(error).__name__})", "")]
    seconds = time.process_time() - begun
    if not dangers or own:
        return JudgedHtml(html, dangers, seconds=seconds)
    plain = _as_source(twin)
    cleaned = harmless(html.content)
    html = Html(cleaned, html.toc) if cleaned else engine.convert(plain)
    return JudgedHtml(html, dangers, plain, seconds)


def _as_source(twin: bytes) -> str:
    """The page as the Markdown that it was made from."""
    return fenced(twin.decode(), "text")
