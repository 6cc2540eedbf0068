"""Finds attributes at the end of a heading as Python-Markdown's attr_list does, in linear time.

The extension's pattern is tried at each blank, so a long run of blanks takes quadratic time. Here
it is tried only where a run of blanks begins.
"""

from __future__ import annotations

import re


class QuickAttributes:
    """Replaces ``HEADER_RE`` of the extension's tree processor, which calls only ``search``."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = re.compile(f"(?<![ ]){pattern.pattern}")

    def search(self, text: str) -> re.Match[str] | None:
        return self._pattern.search(text) if text.rstrip(" \n").endswith("}") else None
