"""Builds in one process: the pages' HTML is made once, judged, and handed to MkDocs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.commands.serve import serve as mkdocs_serve
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from perfnotes.engine.markdown import Html
from perfnotes.engine.session import Session, current


@dataclass(frozen=True)
class Built:
    """What a build made: the folder and the number of its pages."""

    site: Path
    pages: int


def build(config: Any, notes: Path | None, *, strict: bool = False, quiet: bool = False) -> Built:
    """Build the site; raises mkdocs' Abort with the findings printed where they forbid one."""
    session = Session(notes, quiet=quiet, strict=strict, prepare=True)
    target = Path(config["site_dir"])
    with _session_of_hook(session), _prepared_pages(session):
        try:
            mkdocs_build(config)
        finally:
            session.abandon()
    return Built(target, session.built)


def serve(config_file: Path, port: int, *, open_in_browser: bool = False) -> None:
    """Build, serve on this machine and build again after each edit, until Ctrl-C."""
    session = Session(prepare=True)
    with _session_of_hook(session), _prepared_pages(session):
        try:
            mkdocs_serve(
                str(config_file), open_in_browser=open_in_browser, dev_addr=f"127.0.0.1:{port}"
            )
        finally:
            session.abandon()


@contextmanager
def _session_of_hook(session: Session) -> Iterator[None]:
    """Let the hook that ``mkdocs.yml`` names serve this session."""
    before = current.session
    current.session = session
    try:
        yield
    finally:
        current.session = before


@contextmanager
def _prepared_pages(session: Session) -> Iterator[None]:
    """Let MkDocs take the HTML that was judged instead of making it again."""
    original = Page.render

    def render(page: Page, config: Any, files: Any) -> None:
        html: Html | None = session.prepared.pop(page.file.src_uri, None)
        if html is None:
            original(page, config, files)
            return
        page.content = html.content
        page.toc = get_toc(html.toc)
        page.present_anchor_ids = set()

    Page.render = render  # type: ignore[method-assign,assignment]
    try:
        yield
    finally:
        Page.render = original  # type: ignore[method-assign]
