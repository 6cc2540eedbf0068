"""Line breaking by an estimate of the width of words, for pictures: browsers do not break them."""

from __future__ import annotations

import re
import unicodedata

_NARROW = set("iljtfrI.,:;'|!()[] ")
_WIDE = set("mwMW%@—")
# A Chinese text may break after any character, but not before a closing mark.
_PIECES = re.compile(
    r"[^\s\u2e80-\u9fff\uff00-\uffef]+\s*|[\u2e80-\u9fff\uff00-\uffef][，。：；、！？）」』]*\s*"
)


def width(text: str) -> float:
    """Return the estimated width of a text in a sans-serif typeface, in ems."""
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
    """Break a text into at most ``most`` lines of at most ``ems`` width.

    If more lines are needed, the last one ends in an ellipsis. A word that is wider than a line is
    cut and ends in an ellipsis too.
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
