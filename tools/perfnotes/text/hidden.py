"""Characters that nobody sees, or that change the order in which a line is shown.

A reader or reviewer sees another text than the one that a program reads or that a reader copies: a
number, an address or a command can hide in it. Joiners and variation selectors are not among them,
because scripts and emoji need them.
"""

from __future__ import annotations

import re
import unicodedata

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters: a terminal obeys them
    "\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f"  # direction, lines
    "\u115f\u1160\u180e\u200b\u2061-\u2064\u3164\ufeff\uffa0"  # without width, or blank
    "\ufff9-\ufffb\ufffe\uffff\U0001d173-\U0001d17a\U000e0000-\U000e00ff]"  # marks, tags
)


def hidden_name(character: str) -> str:
    """Return how a finding names a character: ``U+202E (RIGHT-TO-LEFT OVERRIDE)``."""
    name = unicodedata.name(character, "")
    if not name:
        name = "a control character" if unicodedata.category(character) == "Cc" else "no character"
    return f"U+{ord(character):04X} ({name})"
