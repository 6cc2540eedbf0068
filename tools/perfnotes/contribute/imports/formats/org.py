"""Org, as Emacs writes it."""

from __future__ import annotations

import re

from perfnotes.contribute.imports import converted
from perfnotes.contribute.imports.converted import Node
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.imported_page import ImportedPage

ENDINGS = ("org",)

_LIKELY = re.compile(
    r"^#\+(?:title|begin_\w+|options|startup|author)\b", re.IGNORECASE | re.MULTILINE
)
_KEYWORD = re.compile(r"#\+(?P<name>\w+):\s*(?P<value>.*)")
_SCRIPTS = {"Subscript": "_", "Superscript": "^"}
_NAMES = {"filetags": "tags", "keywords": "tags"}


def likely(text: str) -> bool:
    return _LIKELY.search(text[:50_000]) is not None


def read(path: str, text: str) -> tuple[Fields, ImportedPage]:
    keywords: dict[str, object] = {}
    tags: list[str] = []  # the tags of headings

    def edit(node: Node) -> list[Node] | None:
        if node["t"] == "RawBlock" and node["c"][0] == "org":
            found = _KEYWORD.fullmatch(node["c"][1].strip())
            if found:
                name, value = found["name"].lower(), found["value"].strip()
                keywords[_NAMES.get(name, name)] = _tags(value) if name in _NAMES else value
                return []
        if node["t"] == "Span" and "tag" in node["c"][0][1]:
            tags.append(converted.text_of_nodes(node["c"][1]))
            return []
        if node["t"] in _SCRIPTS:
            # Pandoc takes a name such as cache_line for a word with a subscript.
            words = f"{_SCRIPTS[node['t']]}{converted.text_of_nodes(node['c'])}"
            return [{"t": "Str", "c": words}] if words in text else None
        return None

    fields, page = converted.read(path, text, "org", edit)
    for name, value in keywords.items():
        fields.values.setdefault(name, value)
    if tags:
        fields.values.setdefault("tags of headings", ", ".join(dict.fromkeys(tags)))
    return fields, page


def _tags(value: str) -> list[str]:
    return [tag for tag in re.split(r"[\s:,]+", value) if tag]
