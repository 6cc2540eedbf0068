"""The engine's own Markdown, with the extensions that ``mkdocs.yml`` names.

MkDocs makes a new converter for each page; one converter, reset between pages, gives the same HTML
for a quarter of the time. A test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import markdown
from mkdocs.structure.files import File, Files

# MkDocs rewrites links between pages with it; it is private, and the engine is pinned.
from mkdocs.structure.pages import _RelativePathTreeprocessor as RelativeLinks


@dataclass(frozen=True, slots=True)
class Html:
    """An article's HTML and its headings as Python-Markdown's toc extension nests them."""

    content: str
    toc: list[Any]


class MarkdownEngine:
    """``extensions`` and ``settings`` as MkDocs reads them from its configuration."""

    """Converts staged Markdown; with ``files``, links to Markdown files lead to their pages."""

    def __init__(
        self, extensions: list[str], settings: dict[str, Any], links: RelativeLinks | None = None
    ) -> None:
        self._converter = markdown.Markdown(extensions=extensions, extension_configs=settings)
        self._links = links
        if links:
            links._register(self._converter)

    def convert(self, text: str, path: str = "") -> Html:
        """HTML of the text of the staged file ``path``, without its front matter."""
        if self._links:
            self._links.file = self._links.files.get_file_from_path(path) or self._links.file
        self._converter.reset()
        content = self._converter.convert(text)
        return Html(content, getattr(self._converter, "toc_tokens", []))


def engine_of(config: Any, paths: Iterable[str]) -> MarkdownEngine:
    """The engine as MkDocs would set it up for a staged tree that holds ``paths``."""
    folders = config["docs_dir"], config["site_dir"], config["use_directory_urls"]
    files = Files(File(path, *folders) for path in paths)
    links = RelativeLinks(next(iter(files)), files, config) if len(files) else None
    return MarkdownEngine(config["markdown_extensions"], config["mdx_configs"], links)
