"""The project's own Markdown engine, for tests that need its HTML."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from unittest import mock

from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.build.configuration import configuration
from perfnotes.build.convert import JudgedHtml, convert_and_judge
from perfnotes.build.markdown import Html, MarkdownEngine
from perfnotes.build.messages import Staged
from perfnotes.checks import examine, grade
from perfnotes.checks._rule import Files
from perfnotes.graph.site import Site
from perfnotes.site.locate import locate
from perfnotes.site.page import Page
from perfnotes.site.page_frame import frame
from perfnotes.site.render.edits import STAGED, Edits
from perfnotes.site.stage import Stage
from perfnotes.text.findings import Finding
from perfnotes.text.inline import scan
from tests.example_notes import read_site, stage_without_index, write_notes


@cache
def engine_of() -> MarkdownEngine:
    """Return the Markdown engine with the project's settings."""
    config = configuration()
    return MarkdownEngine(config["markdown_extensions"], config["mdx_configs"])


@lru_cache(maxsize=2000)
def _judged(engine: MarkdownEngine, text: str, twin: bytes, mend: bool) -> JudgedHtml:
    """Render and judge a page once. Most pages of the example are the same in every test."""
    return convert_and_judge(engine, text, twin, mend=mend)


def prepare(
    site: Site, staged: Stage, engine: MarkdownEngine
) -> tuple[dict[str, Html], list[Finding]]:
    """Return the HTML of each staged page by its path, and a finding for each danger in it."""
    prepared: dict[str, Html] = {}
    findings: list[Finding] = []
    for path, page in staged.pages.items():
        source = Staged.read(staged.files[path])
        done = _judged(engine, source.text, staged.markdown[path], not site.library.own)
        findings += [locate(site, page, danger) for danger in done.dangers]
        if done.plain:
            staged.files[path] = source.with_text(done.plain)
        prepared[path] = done.html
    return prepared, findings


def _frame(site: Site, page: Page) -> dict[str, Any]:
    """What stands around a page. The hundred pages of check codes have nothing of the notes."""
    return {} if page.kind == "check" else frame(site, page)


def findings_as_built(folder: Path, files: Files) -> list[Finding]:
    """Return the findings of the example notes with files laid over them, as a build does."""
    site = read_site(write_notes(folder, files))
    with mock.patch("perfnotes.site.stage.frame", _frame):
        staged = stage_without_index(site)
    _, dangers = prepare(site, staged, engine_of())
    return examine(site, staged.findings) + grade(dangers, site.library)


def staged(source: str) -> str:
    """The text as the engine gets it, without links resolved."""
    document = scan(source)
    edits = Edits()
    for edit in (*document.blocks.edits, *document.edits):
        edits.add(edit.start, edit.end, edit.new, None)
    return edits.apply(source, 0, STAGED)


def html(source: str) -> LexborNode:
    """The body that the engine makes of the text of a note, without links resolved."""
    body = LexborHTMLParser(engine_of().convert(staged(source)).content or "<p></p>").body
    assert body is not None
    return body
