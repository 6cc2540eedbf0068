"""Python-Markdown's inline patterns, each tried only on text that can hold it.

It tries every pattern on every piece of text. Nearly all of them need a character that most pieces
do not have, and to look for it costs a tenth of a try.
"""

from __future__ import annotations

import re

from markdown import Markdown, inlinepatterns, treeprocessors
from markdown.util import AtomicString

# What a text must hold for a pattern to match, by the pattern's own text: one that a newer version
# wrote otherwise is tried everywhere.
_NEEDED = {
    inlinepatterns.BACKTICK_RE: "`",
    inlinepatterns.ESCAPE_RE: "\\",
    inlinepatterns.REFERENCE_RE: "[",
    inlinepatterns.LINK_RE: "[",
    inlinepatterns.IMAGE_LINK_RE: "![",
    inlinepatterns.IMAGE_REFERENCE_RE: "![",
    inlinepatterns.AUTOLINK_RE: "<",
    inlinepatterns.AUTOMAIL_RE: "<",
    inlinepatterns.HTML_RE: "<",
    inlinepatterns.LINE_BREAK_RE: "  \n",
    inlinepatterns.ENTITY_RE: "&",
    r"\[\^([^\]]*)\]": "[^",  # footnotes
    r"\~": "~",
}
_ANY_NEEDED = re.compile(r"[`\\\[<&*_~]|  \n")
_EMPHASIS = r"\*|_"


class InlineProcessor(treeprocessors.InlineProcessor):  # type: ignore[misc]
    """Of the same name as its parent, whose private methods it therefore shares."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self._patterns = [(each, _NEEDED.get(each.pattern, "")) for each in md.inlinePatterns]
        self._all_known = all(
            needed or each.pattern == _EMPHASIS for each, needed in self._patterns
        )

    def __handleInline(self, data: str, patternIndex: int = 0) -> str:  # noqa: N802, N803
        if isinstance(data, AtomicString) or (self._all_known and not _ANY_NEEDED.search(data)):
            return data
        start = 0
        for number in range(patternIndex, len(self._patterns)):
            pattern, needed = self._patterns[number]
            matched = needed in data
            while matched:
                data, matched, start = self.__applyPattern(pattern, data, number, start)
        return data
