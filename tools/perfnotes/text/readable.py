"""Turns Markdown into the characters that a reader sees, each with its place in the source.

Entities are decoded. Signs that are not shown (emphasis, escapes, zero-width characters) are
dropped. Characters that look like digits or multiplication signs are replaced by those.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from html import unescape

_HIDDEN = re.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
    r"|[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]+"
    r"|\\(?=[^\w\s])"
    r"|(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)|\*\*"
    r"|[*_]{1,3}(?=[\d×%])|(?<=[\d×%])[*_]{1,3}"
)
_WRAPPED = re.compile(r"\n(?=[^\s|>#*+`~:-])(?!\d{1,9}[.)]\s)")
# Characters that look like digits, a percent sign, a point or a multiplication sign.
_ALIKE = str.maketrans("０１２３４５６７８９％．✕✖⨯⨉╳х", "0123456789%.×××××x")


class Readable:
    """``text`` is what a reader sees; ``place`` turns an offset in it into one in the source."""

    def __init__(self, source: str) -> None:
        pieces: list[str] = []
        self._starts, self._shifts = [0], [0]
        at = length = 0
        for match in _HIDDEN.finditer(source):
            shown = unescape(match[0]) if match[0].startswith("&") else ""
            if shown == match[0]:
                continue  # HTML has no entity of this name
            pieces += source[at : match.start()], shown
            length += match.start() - at + len(shown)
            at = match.end()
            self._starts.append(length)
            self._shifts.append(at - length)
        pieces.append(source[at:])
        self.text = _WRAPPED.sub(" ", "".join(pieces)).translate(_ALIKE)

    def place(self, offset: int) -> int:
        """Return where the character at ``offset`` of ``text`` stands in the source."""
        return offset + self._shifts[bisect_right(self._starts, offset) - 1]
