"""DokuWiki's markup."""

from __future__ import annotations

import re

from perfnotes.contribute.imports import converted
from perfnotes.contribute.imports.converted import Node
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.lined import Page

ENDINGS = ("txt", "dokuwiki")

_LIKELY = re.compile(r"^[ \t]*={4,6} [^=\n]+ ={4,6}[ \t]*$", re.MULTILINE)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


def likely(text: str) -> bool:
    return _LIKELY.search(text[:50_000]) is not None


def read(path: str, text: str) -> tuple[Fields, Page]:
    return converted.read(path, text, "dokuwiki", _edit)


def _edit(node: Node) -> list[Node] | None:
    """Links to pages of the wiki, and pictures in its folders."""
    if node["t"] == "Link" and not _ADDRESS.match(node["c"][2][0]):
        return [converted.wiki_link(node["c"][1], node["c"][2][0].strip("/"))]
    if node["t"] == "Image" and not _ADDRESS.match(node["c"][2][0]):
        attributes, words, (source, title) = node["c"]
        return [{"t": "Image", "c": [attributes, words, [source.strip("/"), title]]}]
    return None
