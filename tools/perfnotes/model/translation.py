"""A Translation: the Chinese twin of a note, with the hash of the English text it was made from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from perfnotes.model.note import Meta, Note
from perfnotes.model.symptom import Symptom
from perfnotes.text.body import Body

_BOUND_NUMBER = re.compile(r"\[[^\[\]\n]*\]\((?:lab|fact):[^)\s]*\)")
_FENCE = re.compile(r"^(?:`{3,}|~{3,})", re.MULTILINE)
_LAB_OPTION = re.compile(r"\blab=")
_DIGITS = re.compile(r"[0-9]+(?:[.,][0-9]+)*")


@dataclass(frozen=True)
class Translation:
    """``note`` is the English original; ``meta.translates`` is the hash of its text."""

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
        """Whether the English text has changed since this translation was written."""
        return self.meta.translates != original_hash(self.note)


def original_hash(note: Note) -> str:
    """Return the hash that a translation of ``note`` records."""
    meta, body = note.meta, note.body
    return body.computed(
        "hash for translations",
        (meta.title, meta.description, meta.symptoms),
        lambda: text_hash(meta.title, meta.description, body.text, meta.symptoms),
    )


def text_hash(title: str, description: str, text: str, symptoms: Sequence[Symptom] = ()) -> str:
    """Return 16 hex digits of the SHA-256 of everything that a translation depends on.

    Three things do not change the hash: white space, digits of numbers that are bound to a lab or
    fact, and the output of labs. The hash covers the parts of a symptom that are translated, and
    its id, which pairs the symptoms of the two languages.
    """
    text = _without_output(text)
    text = _BOUND_NUMBER.sub(lambda m: _DIGITS.sub("0", m[0]), text)
    translated = [part for each in symptoms for part in (each.id, each.see, each.confirm)]
    words = " ".join("\n".join([title, description, *translated, text]).split())
    digits = hashlib.sha256(words.encode()).hexdigest()[:16]
    return f"f{digits[1:]}" if digits.isdigit() else digits  # YAML would read digits as a number


def _without_output(text: str) -> str:
    """Return the text without the blocks that show a lab's output.

    A block ends at the next line with at least as many marks as its opening line. If no later line
    has that many, the block ends at the next one with as many marks as any later line has.
    """
    fences = [found.span() for found in _FENCE.finditer(text)]
    longest = {"`": 0, "~": 0}
    later = []  # for each fence, the most marks of its kind that a later fence has
    for start, end in reversed(fences):
        later.append(longest[text[start]])
        longest[text[start]] = max(longest[text[start]], end - start)
    later.reverse()
    parts, at = [], 0
    for i, (start, end) in enumerate(fences):
        line_end = text.find("\n", end)
        if start < at or not later[i] or not _LAB_OPTION.search(text, end, max(line_end, end)):
            continue
        marks = text[start : start + min(end - start, later[i])]
        closing = next(j for j in range(i + 1, len(fences)) if text.startswith(marks, fences[j][0]))
        parts.append(text[at:start])
        at = fences[closing][0] + len(marks)
    return "".join([*parts, text[at:]])
