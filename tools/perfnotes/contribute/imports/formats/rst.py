"""reStructuredText, as Sphinx and docutils read it."""

from __future__ import annotations

import re

from perfnotes.contribute.imports import converted
from perfnotes.contribute.imports.converted import Node
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.imported_page import ImportedPage

ENDINGS = ("rst", "rest")

_LIKELY = re.compile(r"^\.\. [a-z][\w-]*::|^:[A-Za-z][\w ]*: \S|:[a-z]+:`[^`\n]+`", re.MULTILINE)
_HEAD = 2_000  # characters that hold a title and its fields
_TITLED = re.compile(r"(?P<words>[^<>]*)<(?P<target>[^<>]+)>")


def likely(text: str) -> bool:
    return re.search(r"^\.\. [a-z][\w-]*::", text[:50_000], re.MULTILINE) is not None and (
        len(_LIKELY.findall(text[:50_000])) > 1
    )


def read(path: str, text: str) -> tuple[Fields, ImportedPage]:
    found: dict[str, str] = {}

    def edit(node: Node) -> list[Node] | None:
        if node["t"] == "DefinitionList" and not found and (pairs := _docinfo(node, text)):
            found.update(pairs)
            return []
        return _edit(node)

    fields, page = converted.read(path, text, "rst", edit)
    return Fields({**found, **fields.values}), page


def _docinfo(node: Node, text: str) -> dict[str, str]:
    """The fields at the start of a text, such as ``:Author:``; empty if the list is another one."""
    pairs: dict[str, str] = {}
    for term, definitions in node["c"]:
        name = converted.text_of_nodes(term).strip()
        if not re.search(rf"^:{re.escape(name)}:[ \t]", text[:_HEAD], re.MULTILINE):
            return {}
        pairs[name.lower()] = " ".join(converted.text_of_nodes(definitions).split())
    return pairs


def _edit(node: Node) -> list[Node] | None:
    """The replacement of one of Sphinx's roles, which are code to pandoc; None for other nodes."""
    if node["t"] != "Code":
        return None
    (_, classes, pairs), words = node["c"]
    if "interpreted-text" not in classes:
        return None
    role, titled = dict(pairs).get("role", ""), _TITLED.fullmatch(words)
    if role == "kbd":
        return [{"t": "RawInline", "c": ["html", f"<{tag}>"]} if tag else
                {"t": "Str", "c": words} for tag in ("kbd", "", "/kbd")]  # fmt: skip
    if role == "doc":
        target = titled["target"] if titled else words
        shown = titled["words"].rstrip() if titled else words.rpartition("/")[2]
        return [converted.wiki_link([{"t": "Str", "c": shown}], target)]
    if role in ("ref", "term") and titled:
        words = titled["words"].rstrip()
        return [{"t": "Str", "c": f"{words} ("}, converted.code(titled["target"]),
                {"t": "Str", "c": ")"}]  # fmt: skip
    return None
