"""Brace expansion, which works on the text of a word before any other expansion."""

from __future__ import annotations

import re
from itertools import pairwise

from perfnotes.explorables._shell_text import units
from perfnotes.explorables._typed_line import RefusalError

MOST_WORDS = 40
_SEQUENCE = re.compile(
    r"(?:(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})|([a-zA-Z])\.\.([a-zA-Z]))(?:\.\.(-?[0-9]{1,6}))?"
)


def braces(text: str) -> list[str]:
    """Return the words that the braces of one word make, in their order."""
    plain = [False] * len(text)
    for kind, start, _ in units(text):
        plain[start] = kind == "plain"
    return _expand(text, plain)


def _expand(text: str, plain: list[bool]) -> list[str]:
    """``plain`` says for each character whether it is neither quoted nor in a ``$`` form."""
    for start, sign in enumerate(text):
        if sign != "{" or not plain[start] or (start == 0 and text[1:2] == "}"):
            continue
        end, commas = _closing(text, plain, start)
        if end < 0:
            continue
        inner = slice(start + 1, end)
        if commas:
            bounds = [start, *commas, end]
            made = [
                word
                for a, b in pairwise(bounds)
                for word in _expand(text[a + 1 : b], plain[a + 1 : b])
            ]
        elif "," in _plain_text(text[inner], plain[inner]):
            made = [f"{{{word}}}" for word in _expand(text[inner], plain[inner])]
        else:
            made = _sequence(text[inner]) if all(plain[inner]) else []
            made = made or [text[start : end + 1]]
        rest = _expand(text[end + 1 :], plain[end + 1 :])
        if len(made) * len(rest) > MOST_WORDS:
            raise RefusalError("too-many")
        return [text[:start] + word + after for word in made for after in rest]
    return [text]


def _plain_text(text: str, plain: list[bool]) -> str:
    return "".join(sign for sign, free in zip(text, plain, strict=True) if free)


def _closing(text: str, plain: list[bool], start: int) -> tuple[int, list[int]]:
    """Return where the brace at ``start`` closes, or -1, and the offsets of its commas.

    A closing brace before the first comma or ``..`` counts as text, so ``{x},y}`` has the parts
    ``x}`` and ``y``.
    """
    depth, dots = 0, False
    commas: list[int] = []
    for i in range(start + 1, len(text)):
        if not plain[i]:
            continue
        if text[i] == "{":
            depth += 1
        elif text[i] == "}":
            if not depth and (commas or dots):
                return i, commas
            depth = max(depth - 1, 0)
        elif text[i] == "," and not depth:
            commas.append(i)
        elif text[i : i + 2] == ".." and text[i + 2 : i + 3] != "}" and not depth:
            dots = True
    return -1, []


def _sequence(text: str) -> list[str]:
    """Return the words of ``1..3`` or ``a..e``; none if the text is no sequence."""
    found = _SEQUENCE.fullmatch(text)
    if not found:
        if re.search(r"[0-9]{7}", text):
            raise RefusalError("too-many")
        return []
    low, high, first, last, by = found.groups()
    if first and first.isupper() != last.isupper():
        raise RefusalError("mixed-letters", f"{{{text}}}")
    a, b = (ord(first), ord(last)) if first else (int(low), int(high))
    step = abs(int(by or 1)) or 1
    if abs(a - b) // step >= MOST_WORDS:
        raise RefusalError("too-many")
    values = range(a, b + 1, step) if a <= b else range(a, b - 1, -step)
    if first:
        return [chr(value) for value in values]
    padded = any(re.match(r"-?0[0-9]", each) for each in (low, high))
    width = max(len(low), len(high)) if padded else 0
    return [f"{value:0{width}d}" if width else str(value) for value in values]
