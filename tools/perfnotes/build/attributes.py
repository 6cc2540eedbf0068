"""Looks for attributes at the end of a heading as Python-Markdown's attr_list does, but once.

Its pattern begins again at each blank, so a heading with a long run of blanks takes quadratic time.
"""

from __future__ import annotations

import re


class QuickAttributes:
    """Stands for ``HEADER_RE`` of the extension's tree processor."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = re.compile(f"(?<![ ]){pattern.pattern}")

    def search(self, text: str) -> re.Match[str] | None:
        return self._pattern.search(text) if text.rstrip(" \n").endswith("}") else None
