"""From a staged page to the finished one: Markdown, judgement, template, file.

The bytes of a page come from its staged file, its address, the configuration, the templates and the
versions of the tools, and from nothing else: the template is given the page and the configuration,
and no list of other pages. (A foreign page that nothing can make harmless shows its twin as well.)
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

from mkdocs.structure.toc import get_toc
from mkdocs.utils import get_relative_url

from perfnotes.engine.markdown import MarkdownEngine
from perfnotes.engine.prepare import Staged, judged
from perfnotes.engine.safety import Danger
from perfnotes.page import Page
from perfnotes.stage import Stage

STEPS = ("Markdown", "judge", "templates", "write pages")


@dataclass(frozen=True, slots=True)
class Shown:
    """A page as the templates see it: what they read of MkDocs' own class, and no more."""

    url: str  # quoted
    canonical_url: str | None
    meta: dict[str, Any]
    content: str
    toc: Any


@dataclass(frozen=True, slots=True)
class Published:
    """What came out beside the files: dangers, a staged file that had to change, CPU seconds."""

    dangers: list[Danger]
    staged: bytes
    seconds: tuple[float, ...]  # for each of STEPS


class Publisher:
    """Makes a site's pages in ``folder``; ``env`` is Jinja's environment of the theme."""

    def __init__(self, config: Any, env: Any, staged: Stage, folder: Path, *, own: bool) -> None:
        self._config = config
        self._template = env.get_template("main.html")
        self._engine = MarkdownEngine(config["markdown_extensions"], config["mdx_configs"])
        self._staged = staged
        self._paths = list(staged.pages)
        self._folder = folder
        self._own = own

    def publish(self, number: int) -> Published:
        """Make the page with this number and its twin."""
        begun = time.process_time()
        path = self._paths[number]
        page = self._staged.pages[path]
        source = Staged.read(self._staged.files[path])
        done = judged(self._engine, source.text, self._staged.twins[path], own=self._own)
        if done.dangers and self._own:
            return Published(done.dangers, b"", ())  # there will be no site
        converted = time.process_time()
        html = self._framed(page, Shown(
            quote(page.url),
            self._canonical(page),
            json.loads(source.front),
            done.html.content,
            get_toc(done.html.toc),
        ))  # fmt: skip
        framed = time.process_time()
        folder = self._folder / page.url
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "index.html").write_bytes(html.encode(errors="xmlcharrefreplace"))
        (self._folder / path).write_bytes(self._staged.twins[path])
        written = time.process_time()
        seconds = (
            converted - begun - done.seconds, done.seconds, framed - converted, written - framed,
        )  # fmt: skip
        return Published(done.dangers, source.with_text(done.plain) if done.plain else b"", seconds)

    def _framed(self, page: Page, shown: Shown) -> str:
        html: str = self._template.render(
            config=self._config, page=shown, base_url=get_relative_url(".", quote(page.url))
        )
        return html

    def _canonical(self, page: Page) -> str | None:
        base = self._config["site_url"]
        return urljoin(f"{base.rstrip('/')}/", quote(page.url)) if base else None
