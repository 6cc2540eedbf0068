"""From a staged page to the finished one: Markdown, judgement, template, file.

The bytes of a page depend on its staged file, its address, the configuration, the templates and the
versions of the tools, and on nothing else. The template gets the page and the configuration, and no
list of other pages. One exception: a foreign page that cannot be made harmless shows its Markdown
copy.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

from jinja2 import Environment
from mkdocs.structure.toc import get_toc
from msgspec import Struct
from msgspec.structs import replace

from perfnotes.build.convert import JudgedHtml, convert_and_judge
from perfnotes.build.markdown import Html, MarkdownEngine
from perfnotes.build.messages import ArticlePlace, Published, Staged, ToPublish
from perfnotes.build.page_settings import PageSettings
from perfnotes.build.templates import relative_to_page
from perfnotes.graph.address import markdown_file
from perfnotes.storage.digests import content_digest
from perfnotes.storage.system_errors import write_file

# The template takes these spaces out of the elements that hold nothing else.
_SPACES = (" ", "    ")


class TemplatePage(Struct, frozen=True):
    """A page as the templates see it: the attributes of MkDocs' own class that they use."""

    url: str  # quoted
    canonical_url: str | None
    meta: dict[str, Any]
    content: str
    toc: Any


class Publisher:
    """Makes the pages of the site in ``folder``; ``env`` is the theme's Jinja environment."""

    def __init__(self, settings: PageSettings, env: Environment, folder: Path) -> None:
        self._settings = settings
        self._template = env.get_template("main.html")
        self._engine = MarkdownEngine(settings.markdown_extensions, settings.mdx_configs)
        self._folder = folder

    def publish(self, page: ToPublish) -> Published:
        """Write a page and its Markdown copy, unless the page is unsafe and must not be mended."""
        data, done = self.render(page)
        if not data:
            return done
        begun = time.process_time()
        folder = self._folder / page.url
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / "index.html", data)
        write_file(self._folder / markdown_file(page.url), page.markdown)
        seconds = (*done.seconds, time.process_time() - begun)
        return replace(done, seconds=seconds, content=content_digest(data))

    def render(self, page: ToPublish) -> tuple[bytes, Published]:
        """Return a page's bytes, or none if it is unsafe and must not be mended."""
        begun = time.process_time()
        source = Staged.read(page.source)
        if page.article:
            done = JudgedHtml(Html(page.article.html, page.article.toc), [])
        else:
            done = convert_and_judge(self._engine, source.text, page.markdown, mend=page.mend)
        if done.dangers and not page.mend:
            return b"", Published(done.dangers, b"", ())  # there will be no site
        converted = time.process_time()
        url = quote(page.url)
        meta = json.loads(source.front)
        html = self._in_template(
            TemplatePage(url, self._canonical(url), meta, done.html.content, get_toc(done.html.toc))
        )
        data = html.encode(errors="xmlcharrefreplace")
        staged = source.with_text(done.plain) if done.plain else b""
        seconds = (converted - begun - done.seconds, done.seconds, time.process_time() - converted)
        article = None if done.dangers else _place(done.html, data)
        return data, Published(done.dangers, staged, seconds, article=article)

    def _in_template(self, page: TemplatePage) -> str:
        base = relative_to_page(".", page.url)
        html: str = self._template.render(config=self._settings, page=page, base_url=base)
        return html

    def _canonical(self, url: str) -> str | None:
        base = self._settings.site_url
        return urljoin(f"{base.rstrip('/')}/", url) if base else None


def _place(article: Html, page: bytes) -> ArticlePlace | None:
    """Return where an article is in the bytes of its page, or None if the template changed it.

    That the template takes the elements around spaces of code out is no change: it would do so with
    what is read back from the page as well.
    """
    content = without_space_elements(article.content)
    pieces = _pieces(content.encode(errors="xmlcharrefreplace"), page)
    return ArticlePlace(pieces, article.toc) if pieces else None


def without_space_elements(html: str) -> str:
    """Return the HTML as ``partials/content.html`` shows it, with plain spaces in code."""
    for spaces in _SPACES:
        html = html.replace(f'<span class="w">{spaces}</span>', spaces)
    return html


def _pieces(article: bytes, page: bytes) -> list[tuple[int, int]] | None:
    """Return the start and end of the article's lines in its page, or None if one is not there.

    Lines that follow each other in the page too are one piece.
    """
    first, *others = article.split(b"\n")
    start = page.find(first)
    if start < 0:
        return None
    pieces, end = [], start + len(first)
    for line in others:
        if not page.startswith(b"\n" + line, end):
            pieces.append((start, end))
            start = page.find(line, end)
            if start < 0:
                return None
            end = start - 1
        end += 1 + len(line)
    return [*pieces, (start, end)]
