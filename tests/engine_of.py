"""The project's own Markdown engine, for tests that need its HTML."""

from __future__ import annotations

from functools import cache

from perfnotes.commands._project import configuration
from perfnotes.engine.markdown import MarkdownEngine


@cache
def engine_of() -> MarkdownEngine:
    config = configuration()
    return MarkdownEngine(config["markdown_extensions"], config["mdx_configs"])
