"""Words broken into lines by an estimate of their width, for pictures that no engine sets."""

from __future__ import annotations

import re
import unicodedata

_NARROW = set("iljtfrI.,:;'|!()[] ")
_WIDE = set("mwMW%@—")
# Chinese may break after any character, but not before closing marks.
_PIECES = re.compile(
    r"[^\s\u2e80-\u9fff\uff00-\uffef]+\s*|[\u2e80-\u9fff\uff00-\uffef][，。：；、！？）」』]*\s*"
)


def width(text: str) -> float:
    """About how wide a text is, in ems of a sans-serif face."""
    return sum(_em(c) for c in text)


def _em(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if char in _NARROW:
        return 0.3
    if char in _WIDE:
        return 0.85
    return 0.66 if char.isupper() else 0.54


def wrap(text: str, ems: float, most: int) -> list[str]:
    """At most ``most`` lines of at most ``ems``; what does not fit ends in an ellipsis.

    A word that is wider than a line stands alone in one, cut.
    """
    lines: list[str] = []
    line = ""
    for piece in _PIECES.findall(text):
        if line and width((line + piece).rstrip()) > ems:
            lines.append(line.rstrip())
            line = ""
        line += piece
    lines.append(line.rstrip())
    cut = len(lines) > most
    lines = lines[:most]
    lines = [_cut(each, ems) if width(each) > ems else each for each in lines]
    if cut:
        lines[-1] = _cut(lines[-1] + "…", ems)
    return lines


def _cut(text: str, ems: float) -> str:
    text = text.removesuffix("…")
    while text and width(text + "…") > ems:
        text = text[:-1]
    return text.rstrip() + "…"
