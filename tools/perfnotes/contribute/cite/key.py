"""Makes keys in our style: family name, year and a word of the title (``goto2008anatomy``)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from itertools import chain, count

from perfnotes.contribute.cite.record import Record

# Words that do not say what a title is about. Many titles have them, so keys would be equal.
_STOP_WORDS = frozenset(
    "a an the and or but nor of on in at to for from with without by via into over under "
    "between among as is are was be do does how what why when where which who can we you your "
    "our its it using use used towards toward about not no all any more than vs versus some "
    "evaluating evaluation understanding optimizing optimising optimal improving analyzing "
    "analysing analysis quantifying producing design implementation implementing study case "
    "approach method methods efficient fast faster effective practical scalable new novel "
    "improved simple introduction guide overview survey hitting dissecting demystifying "
    "benchmarking exploiting making parsing architecture framework general automatic "
    "automatically proceedings performance high low computer every intel amd nvidia".split()
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_IO = re.compile(r"(?<![^\W_])([A-Z])/([A-Z])(?![^\W_])")
_NUMBERED = re.compile(r"(?<=[A-Za-z])-(?=\d)")
# Letters that NFKD does not decompose into a base letter and an accent.
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def make(record: Record, taken: Collection[str]) -> str:
    """Return a key that is not in ``taken``, which holds the existing keys in lower case.

    If every key with a word of the title is taken, the key ends in a number. Returns "" if the name
    that it begins with has no Latin letters.
    """
    name = _name(record)
    if not name:
        return ""
    for word in _candidates(record.title):
        key = f"{name}{record.year}{word}" if record.year else f"{name}_{word}"
        if key not in taken:
            return key
    base = f"{name}{record.year}{next(_candidates(record.title), '')}"
    numbered = (f"{base}_{number}" for number in count(2))
    return next(key for key in chain((base,), numbered) if key not in taken)


def folded(text: str) -> str:
    """Return the Latin letters, without accents, and the digits of a text, in lower case."""
    text = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return "".join(c for c in text if c.isascii() and c.isalnum())


def _name(record: Record) -> str:
    """Return the family name of the first person, or the first word of an organisation's name.

    Returns "anonymous" if the record has neither, and "" if they have no Latin letters.
    """
    people = record.authors or record.editors
    if people and people[0].given:
        return folded(people[0].family)
    body = people[0].family if people else record.field("organization")
    body = body or record.field("institution") or record.field("howpublished")
    return next(filter(None, map(folded, body.split())), "") if body else "anonymous"


def _candidates(title: str) -> Iterator[str]:
    """Yield words of the title for the key, best first.

    A single word before a colon is best, because it names the subject. Stop words come last.
    """
    name, colon, _ = title.partition(":")
    if colon and len(name.split()) == 1 and (word := folded(name)):
        yield word
    plain = _IO.sub(r"\1\2", _NUMBERED.sub("", title))
    found = [folded(w) for w in _WORD.findall(plain)]
    found = [w for w in found if w and not w.isdecimal()]
    yield from (w for w in found if w not in _STOP_WORDS and len(w) > 1)
    yield from (w for w in found if w in _STOP_WORDS)
