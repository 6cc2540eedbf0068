"""Makes a stranger's text safe to print: no terminal obeys it, and nothing in it is unseen.

Characters that Python does not call printable become escapes: ``\\x1b``, ``\\u202e``,
``\\U000e0041``. The letter says how many digits an escape has, as in Python, so what follows it is
not read as a part of it.
"""

from __future__ import annotations


def one_line(text: str) -> str:
    """Return the text as one line that any terminal or log may show, with escapes where needed."""
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def printable(text: str) -> str:
    """As ``one_line``, but line feeds and tabs stay."""
    return "".join(c if c.isprintable() or c in "\n\t" else _escape(c) for c in text)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
