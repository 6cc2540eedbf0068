"""Every staged page's HTML, made by the engine's own Markdown and judged before it is published.

A page of ours that is unsafe is an error. A page of a foreign folder is published all the same,
made harmless: without what may not be there, or, if that cannot be, as its source.
"""

from __future__ import annotations

import re

from perfnotes.engine.harmless import harmless
from perfnotes.engine.markdown import Html, MarkdownEngine
from perfnotes.engine.safety import Danger, judge
from perfnotes.findings import Finding
from perfnotes.locate import locate
from perfnotes.page import Page
from perfnotes.render.markup import fenced
from perfnotes.site import Site
from perfnotes.stage import Stage

_FRONT_MATTER = re.compile(r"---\n.*?\n---\n+", re.DOTALL)


def prepare(
    site: Site, staged: Stage, engine: MarkdownEngine
) -> tuple[dict[str, Html], list[Finding]]:
    """HTML by staged path, and a finding for each danger."""
    prepared: dict[str, Html] = {}
    findings: list[Finding] = []
    for path, page in staged.pages.items():
        source = staged.files[path].decode()
        head = _FRONT_MATTER.match(source)
        front, text = (head[0], source[head.end() :]) if head else ("", source)
        try:
            html = engine.convert(text)
            dangers = judge(html.content)
        except Exception as error:  # the engine has many, for notes nested without end and others
            html = engine.convert(_as_source(page))
            dangers = [Danger(f"what stops the engine ({type(error).__name__})", "")]
        if dangers:
            findings += [locate(site, page, danger) for danger in dangers]
            if not site.library.own:
                # Another engine that builds the staged tree has no such judge: its page is plain.
                plain = _as_source(page)
                staged.files[path] = (front + plain).encode()
                cleaned = harmless(html.content)
                html = Html(cleaned, html.toc) if cleaned else engine.convert(plain)
        prepared[path] = html
    return prepared, findings


def _as_source(page: Page) -> str:
    """The page as the Markdown that it was made from."""
    return fenced(page.twin, "text")
