"""The visible text of a notebook, for the proof that no word was lost."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def shown(text: str) -> Iterator[tuple[int, str, bool]]:
    """Each visible string of a notebook with its line, and whether it is Markdown.

    Yields nothing if the text is no notebook.
    """
    try:
        cells = json.loads(text)["cells"]
        prose = {s for c in cells if c["cell_type"] == "markdown" for s in _strings(c["source"])}
        rest = {s for c in cells for s in _cell(c)} - prose
    except (ValueError, TypeError, KeyError, RecursionError):
        return
    for line, row in enumerate(text.split("\n"), 1):
        for found in _STRING.finditer(row):
            value = json.loads(found[0], strict=False)
            if value in prose or value in rest:
                yield line, _COLOURS.sub("", value), value in prose


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    yield from _strings(cell["source"])
    for output in cell.get("outputs", ()):
        yield from _strings(output.get("text", ()))
        yield from _strings(output.get("traceback", ()))
        data = output.get("data", {})
        if not any(kind.startswith("image/") for kind in data):
            yield from _strings(data.get("text/plain", ()))


def _strings(value: object) -> list[str]:
    values = value if isinstance(value, (list, tuple)) else [value]
    return [each for each in values if isinstance(each, str)]
