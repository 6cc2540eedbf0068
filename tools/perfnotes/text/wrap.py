"""Breaks lines by the width of words, for pictures: browsers do not break text in a picture."""

from __future__ import annotations

import re

# Widths in ems of the characters of DejaVu Sans. Systems without any typeface that the theme names
# often have this one alone, and it is wider than those. Other characters count as one em.
_WIDTHS = {
    0.30: "'ijlIJ",
    0.34: " ’,.:;|/\\·",
    0.42: "frt-[]()!²",
    0.54: 'sz?"“”*`_–',
    0.64: "abcdeghknopquvxyEFLPSTY0123456789${}µ",
    0.70: "ABCKRVXZ",
    0.79: "DGHNOQU&",
    0.87: "wM+<=>~×≤≥→#^",
}
_EMS = {char: ems for ems, chars in _WIDTHS.items() for char in chars}
# A Chinese text may break after any character, but not before a closing mark.
_PIECES = re.compile(r"[^\s\u2e80-\u9fff\uff00-\uffef]+\s*|\S[，。：；、！？）」』]*\s*")


def width(text: str) -> float:
    """Return the width of a text in ems, in the widest of the common sans-serif typefaces."""
    return sum(_EMS.get(char, 1.0) for char in text)


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
        lines[-1] = _cut(lines[-1], ems)
    return lines


def _cut(text: str, ems: float) -> str:
    """Return the longest beginning of a text that fits with an ellipsis, and the ellipsis."""
    text = text.removesuffix("…")
    reached, end = 0.0, 0
    for end, char in enumerate(text):  # noqa: B007 - used after the loop
        reached += width(char)
        if reached + width("…") > ems:
            break
    else:
        end = len(text)
    return text[:end].rstrip() + "…"
