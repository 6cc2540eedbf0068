"""The Markdown engine: Python-Markdown with the extensions that ``mkdocs.yml`` names.

MkDocs makes a new converter for each page. One converter that is reset between pages gives the same
HTML in a quarter of the time. The quicker parts that are put in here give the same HTML too; a test
compares it with MkDocs' own.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import markdown
from markdown.extensions import Extension
from msgspec import Struct

from perfnotes.build.attributes import QuickAttributes
from perfnotes.build.block_queue import use_queues
from perfnotes.build.fences import QuickFences
from perfnotes.build.highlight import QuickHighlight
from perfnotes.build.inline import InlineProcessor
from perfnotes.build.lists import QuickItems
from perfnotes.build.raw_blocks import QuickRawBlocks


class Html(Struct, frozen=True):
    """An article's HTML and its headings as Python-Markdown's toc extension nests them."""

    content: str
    toc: list[Any]


class _Converter(markdown.Markdown):  # type: ignore[misc]
    """Python-Markdown that loads the extensions of its own package, and of modules, by their names.

    Python-Markdown first reads the metadata of every installed package, because a package may give
    an extension a name. That takes several times as long as making the converter.
    """

    def build_extension(self, ext_name: str, configs: Mapping[str, Any]) -> Extension:
        module = ext_name if "." in ext_name else f"markdown.extensions.{ext_name}"
        if ":" in ext_name or find_spec(module) is None:
            return super().build_extension(ext_name, configs)
        extension: Extension = import_module(module).makeExtension(**configs)
        return extension


class MarkdownEngine:
    """Converts Markdown; ``extensions`` and ``settings`` are as MkDocs' configuration has them."""

    def __init__(self, extensions: list[str], settings: dict[str, Any]) -> None:
        self._converter = _Converter(extensions=extensions, extension_configs=settings)
        self._converter.treeprocessors.register(InlineProcessor(self._converter), "inline", 20)
        self._converter.preprocessors.register(QuickRawBlocks(self._converter), "html_block", 20)
        if "attr_list" in extensions:
            attributes = self._converter.treeprocessors["attr_list"]
            attributes.HEADER_RE = QuickAttributes(attributes.HEADER_RE)
        if "pymdownx.fancylists" in extensions:
            for kind in ("olist", "ulist"):
                processor = self._converter.parser.blockprocessors[kind]
                processor.get_items = QuickItems(processor)
        if "pymdownx.superfences" in extensions:
            fences = self._converter.preprocessors["fenced_code_block"]
            fences.get_hl_settings()
            fences.highlighter = QuickHighlight
            for name in ("fenced_code_block", "fenced_raw_block"):
                if name in self._converter.preprocessors:
                    QuickFences(self._converter.preprocessors[name])
        self._converter.block_level_elements = frozenset(self._converter.block_level_elements)
        use_queues(self._converter.parser)

    def convert(self, text: str) -> Html:
        """Return the HTML of staged Markdown without its front matter. It can raise any error."""
        self._converter.reset()
        content = self._converter.convert(text)
        return Html(content, getattr(self._converter, "toc_tokens", []))
