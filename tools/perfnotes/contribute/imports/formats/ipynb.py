"""Notebooks of Jupyter: their Markdown, their code, and what the code printed."""

from __future__ import annotations

import re

from perfnotes.contribute.imports import converted
from perfnotes.contribute.imports.converted import Node
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.lined import Page

ENDINGS = ("ipynb",)

_LIKELY = re.compile(r"\s*\{(?=.*\"nbformat\"\s*:)(?=.*\"cells\"\s*:)", re.DOTALL)


def likely(text: str) -> bool:
    return _LIKELY.match(text) is not None


def read(path: str, text: str) -> tuple[Fields, Page]:
    fields, page = converted.read(path, text, "ipynb", _edit)
    fields.values.pop("jupyter", None)  # versions of its programs, which no reader sees
    return fields, page


def _edit(node: Node) -> list[Node] | None:
    """What a cell printed is text, whatever its words look like."""
    if node["t"] == "Div" and "output" in node["c"][0][1]:
        return [_as_text(block) for block in node["c"][1]]
    return None


def _as_text(block: Node) -> Node:
    if block["t"] != "CodeBlock" or block["c"][0][1]:
        return block
    return {"t": "CodeBlock", "c": [["", ["text"], []], block["c"][1].rstrip()]}
