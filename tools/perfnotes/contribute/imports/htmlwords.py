"""What ``htmlwriter`` and ``htmlblocks`` share: blocks, elements without text, and emphasis."""

from __future__ import annotations

SILENT = frozenset("script style template head title meta link base col colgroup param".split())

Block = tuple[int, str]  # the source line and the Markdown


def around(mark: str, words: str) -> str:
    """Words in emphasis, whose marks touch them; unchanged if emphasis would not work there."""
    lead, inner, tail = trimmed(words)
    if not inner or mark in inner or (mark == "*" and "*" in inner) or "<br>" in inner[:4]:
        return words
    if inner[-1] == "\\":
        return words
    return f"{lead}{mark}{inner}{mark}{tail}"


def trimmed(words: str) -> tuple[str, str, str]:
    """Return the blanks before the words, the words, and the blanks after them."""
    inner = words.strip()
    at = words.find(inner) if inner else len(words)
    return words[:at], inner, words[at + len(inner) :]
