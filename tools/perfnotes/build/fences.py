"""Finds fences as pymdownx's superfences does, in less time for lines without a fence.

The extension reads the indentation of each line character by character, twice for each text, and
copies all lines for each fence that it has found.
"""

from __future__ import annotations

import re
from typing import Any

_INDENTATION = re.compile(r"[> \t]*")


class QuickFences:
    """Replaces three methods of ``preprocessor``, one of the extension's two preprocessors.

    The methods here have the names of those that they replace.
    """

    def __init__(self, preprocessor: Any) -> None:
        self._fences = preprocessor
        self._search = preprocessor.search_nested
        # A preprocessor may change a fence when it puts it back, so its own method puts each back.
        self._put_back = preprocessor.reassemble
        preprocessor.parse_whitespace = self.parse_whitespace
        preprocessor.reassemble = self.reassemble
        preprocessor.search_nested = self.search_nested

    def search_nested(self, lines: list[str]) -> list[str]:
        """Return the lines with a placeholder for each fence."""
        marked = [i for i, line in enumerate(lines) if "```" in line or "~~~" in line]
        if not marked:
            return lines
        first, last = marked[0], marked[-1] + 1
        found: list[str] = self._search(lines[first:last])
        return [*lines[:first], *found, *lines[last:]]

    def reassemble(self, lines: list[str]) -> list[str]:
        """Return the lines, with the placeholder from the stack in the place of each fence."""
        found, self._fences.stack = self._fences.stack, []
        parts: list[str] = []
        at = 0
        for fence, start, end in found:
            parts += lines[at:start]
            self._fences.stack.append((fence, 0, 0))
            parts += self._put_back([])
            at = end
        return [*parts, *lines[at:]]

    def parse_whitespace(self, line: str) -> str:
        """Return the white space and quote marks (``>``) at the start of a line."""
        found = _INDENTATION.match(line)
        fences = self._fences
        fences.ws_len = found.end() if found else 0
        indentation: str = fences.normalize_ws(line[: fences.ws_len])
        fences.ws_virtual_len = len(indentation)
        return indentation
