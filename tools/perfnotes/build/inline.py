"""Tries each of Python-Markdown's inline patterns only on text in which it can match.

Python-Markdown tries every pattern on every piece of text. Nearly every pattern needs a character
that most pieces do not have, and a search for that character takes a tenth of the time of a try.

Python-Markdown also copies the whole text for each tag, character reference and escaped character
that it sets aside. For the MathML of 1,000 formulas in a paragraph that takes a minute. Here all
matches of a pattern are set aside in one pass.
"""

from __future__ import annotations

import re

from markdown import Markdown, inlinepatterns, treeprocessors
from markdown.util import AtomicString

# What a text must contain for a pattern to match, by the pattern itself. A pattern that another
# version of Python-Markdown writes differently is not listed, and is tried on every text.
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
# A formula in whose text no pattern would change anything, so it can be set aside in one piece.
_ATTRIBUTES = r'(?: [a-z]+="[^"<>&\x02\x03]*")*'
_FORMULA = re.compile(
    rf"<math{_ATTRIBUTES}>"
    rf"(?:</?m(?!ath\b)[a-z]+{_ATTRIBUTES}>|&#[0-9]+;|[^<>&\\`*_\[\]~\x02\x03\n])*"
    r"</math>"
)
# Processors that replace each match by a text that does not depend on what is around the match.
_SET_ASIDE = (inlinepatterns.HtmlInlineProcessor, inlinepatterns.EscapeInlineProcessor)


class InlineProcessor(treeprocessors.InlineProcessor):  # type: ignore[misc]
    """Has the name of its parent, because Python mangles private names by the class's name.

    So ``__handleInline`` here replaces that of the parent.
    """

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
            if needed not in data:
                continue
            if type(pattern) in _SET_ASIDE:
                data = self._set_aside(pattern, data)
                continue
            matched = True
            while matched:
                data, matched, start = self.__applyPattern(pattern, data, number, start)
        return data

    def _set_aside(self, pattern: inlinepatterns.InlineProcessor, data: str) -> str:
        """Return the text with a placeholder for each match that the pattern takes."""
        expression = pattern.getCompiledRegExp()
        # Python-Markdown makes no ``<p>`` around an element of block level that is set aside in one
        # piece and is all of a paragraph. A formula is such an element. In a paragraph that begins
        # with one, each tag is set aside by itself, so that the ``<p>`` stays.
        in_pieces = pattern.pattern != inlinepatterns.HTML_RE or data.strip().startswith("<math")
        pieces: list[str] = []
        done = at = 0
        while match := expression.search(data, at):
            formula = None if in_pieces else _FORMULA.match(data, match.start())
            if formula:
                node, at = self.md.htmlStash.store(formula[0]), formula.end()
            else:
                in_pieces |= match[0].startswith("<math")  # do not try ``_FORMULA`` again
                node, _, at = pattern.handleMatch(match, data)
            if node is not None:  # else the match stays as it is
                pieces += (data[done : match.start()], self.__stashNode(node, pattern.type()))
                done = at
        return "".join((*pieces, data[done:]))
