"""A Translation: a note's Chinese twin, and the hash of the English text that it follows."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

from perfnotes.model.note import Meta, Note
from perfnotes.text.body import Body

_BOUND_NUMBER = re.compile(r"\[[^\[\]\n]*\]\((?:lab|fact):[^)\s]*\)")
_BOUND_OUTPUT = re.compile(r"^(`{3,}|~{3,})[^\n]*\blab=[^\n]*\n.*?^\1", re.MULTILINE | re.DOTALL)
_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


@dataclass(frozen=True)
class Translation:
    """``note`` is the English original; ``meta.translates`` records its text's hash."""

    note: Note
    file: str
    meta: Meta
    body: Body
    lang: str = "zh"

    @property
    def id(self) -> str:
        return self.note.id

    @property
    def url(self) -> str:
        return f"{self.lang}/{self.note.id}/"

    @cached_property
    def is_behind(self) -> bool:
        """Whether the English text has changed since this twin was written."""
        return self.meta.translates != original_hash(self.note)


def original_hash(note: Note) -> str:
    """The hash that a translation of ``note`` records."""
    return text_hash(note.meta.title, note.meta.description, note.body.text)


def text_hash(title: str, description: str, text: str) -> str:
    """16 hex digits of SHA-256 over what a translator has to follow.

    White space does not count, nor what was recorded: digits of bound numbers, shown output.
    """
    text = _BOUND_OUTPUT.sub("", text)
    text = _BOUND_NUMBER.sub(lambda m: _DIGITS.sub("0", m[0]), text)
    words = " ".join("\n".join([title, description, text]).split())
    digits = hashlib.sha256(words.encode()).hexdigest()[:16]
    return f"f{digits[1:]}" if digits.isdigit() else digits  # YAML would read a number
