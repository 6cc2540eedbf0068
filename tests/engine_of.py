"""The project's own Markdown engine, for tests that need its HTML."""

from __future__ import annotations

from functools import cache

from perfnotes.build.configuration import configuration
from perfnotes.build.convert import judged
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


def prepare(
    site: Site, staged: Stage, engine: MarkdownEngine
) -> tuple[dict[str, Html], list[Finding]]:
    """Returns the HTML of each staged page by its path, and a finding for each danger in it."""
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
