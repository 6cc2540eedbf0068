"""The project's own Markdown engine, for tests that need its HTML."""

from __future__ import annotations

from functools import cache, lru_cache

from perfnotes.build.configuration import configuration
from perfnotes.build.convert import JudgedHtml, judged
from perfnotes.build.markdown import Html, MarkdownEngine
from perfnotes.build.messages import Staged
from perfnotes.graph.site import Site
from perfnotes.site.locate import locate
from perfnotes.site.stage import Stage
from perfnotes.text.findings import Finding


@cache
def engine_of() -> MarkdownEngine:
    """Returns the Markdown engine with the project's settings."""
    config = configuration()
    return MarkdownEngine(config["markdown_extensions"], config["mdx_configs"])


@lru_cache(maxsize=2000)
def _judged(engine: MarkdownEngine, text: str, twin: bytes, own: bool) -> JudgedHtml:
    """Renders and judges a page once. Most pages of the example are the same in every test."""
    return judged(engine, text, twin, own=own)


def prepare(
    site: Site, staged: Stage, engine: MarkdownEngine
) -> tuple[dict[str, Html], list[Finding]]:
    """Returns the HTML of each staged page by its path, and a finding for each danger in it."""
    prepared: dict[str, Html] = {}
    findings: list[Finding] = []
    for path, page in staged.pages.items():
        source = Staged.read(staged.files[path])
        done = _judged(engine, source.text, staged.twins[path], site.library.own)
        findings += [locate(site, page, danger) for danger in done.dangers]
        if done.plain:
            staged.files[path] = source.with_text(done.plain)
        prepared[path] = done.html
    return prepared, findings
