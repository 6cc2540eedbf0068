"""Characters that nobody sees, or that change the order in which a line is shown.

A reader or reviewer sees another text than the one that a program reads or that a reader copies: a
number, an address or a command can hide in it. Joiners and variation selectors are not among them,
because scripts and emoji need them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from html import unescape

# Each line of the pattern has one kind of characters.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters: a terminal obeys them
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"  # direction, lines
    "\u115f\u1160\u180e\u200b\u2061-\u2064\u3164\ufeff\uffa0"  # without width, or blank
    "\ufff9-\ufffb\ufffe\uffff\U0001d173-\U0001d17a\U000e0000-\U000e00ff]"  # marks, tags
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,31});")


def hidden_name(character: str) -> str:
    """Return how a finding names a character: ``U+202E (RIGHT-TO-LEFT OVERRIDE)``."""
    name = unicodedata.name(character, "")
    if not name:
        name = "a control character" if unicodedata.category(character) == "Cc" else "no character"
    return f"U+{ord(character):04X} ({name})"


def hidden_references(text: str, start: int = 0) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each character reference to such a character, as ``&#x202e;``, with the character.

    References in code are among them, although a page shows these as they are written.
    """
    for match in _REFERENCE.finditer(text, start):
        character = unescape(match[0])
        if HIDDEN.fullmatch(character):
            yield match, character
