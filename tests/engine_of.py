"""The project's own Markdown engine, for tests that need its HTML."""

from __future__ import annotations

from functools import cache

from perfnotes.engine.configuration import configuration
from perfnotes.engine.markdown import Html, MarkdownEngine
from perfnotes.engine.prepare import judged
from perfnotes.engine.task import Staged
from perfnotes.findings import Finding
from perfnotes.locate import locate
from perfnotes.site import Site
from perfnotes.stage import Stage


@cache
def engine_of() -> MarkdownEngine:
    config = configuration()
    return MarkdownEngine(config["markdown_extensions"], config["mdx_configs"])


def prepare(
    site: Site, staged: Stage, engine: MarkdownEngine
) -> tuple[dict[str, Html], list[Finding]]:
    """HTML by staged path, and a finding for each danger."""
    prepared: dict[str, Html] = {}
    findings: list[Finding] = []
    for path, page in staged.pages.items():
        source = Staged.read(staged.files[path])
        done = judged(engine, source.text, staged.twins[path], own=site.library.own)
        findings += [locate(site, page, danger) for danger in done.dangers]
        if done.plain:
            staged.files[path] = source.with_text(done.plain)
        prepared[path] = done.html
    return prepared, findings
