"""Notebooks of Jupyter: their Markdown, their code, and what the code printed."""

from __future__ import annotations

import re

from perfnotes.contribute.imports import converted
from perfnotes.contribute.imports.converted import Node
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.imported_page import ImportedPage

ENDINGS = ("ipynb",)

_LIKELY = re.compile(r"\s*\{(?=.*\"nbformat\"\s*:)(?=.*\"cells\"\s*:)", re.DOTALL)

_DIGEST = re.compile(r"[0-9a-f]{40}\.\w+")  # the name that pandoc gives to a picture of an output


def likely(text: str) -> bool:
    return _LIKELY.match(text) is not None


def read(path: str, text: str) -> tuple[Fields, ImportedPage]:
    inside: list[str] = []

    def edit(node: Node) -> list[Node] | None:
        if node["t"] == "Div" and "output" in node["c"][0][1]:
            # A cell's output is text, even if it looks like the code of some language.
            return [_as_text(block) for block in node["c"][1]]
        if node["t"] == "Image":
            name = str(node["c"][2][0])
            if _DIGEST.fullmatch(name) or f'"{name}"' in text:
                inside.append(name)
        return None

    fields, page = converted.read(path, text, "ipynb", edit)
    fields.values.pop("jupyter", None)  # the versions of Jupyter and of the kernel
    for name in inside:
        page = page.with_guess(f"a picture is stored inside the notebook: {name}",
                           "save it beside the notebook, and link it in a cell")  # fmt: skip
    return fields, page


def _as_text(block: Node) -> Node:
    if block["t"] != "CodeBlock" or block["c"][0][1]:
        return block
    return {"t": "CodeBlock", "c": [["", ["text"], []], block["c"][1].rstrip()]}
