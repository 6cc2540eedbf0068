"""Keys in our style: family name, year, first telling word of the title (``goto2008anatomy``)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

from perfnotes.contribute.cite.record import Record

# Words that tell nothing of what a title is about: they would make every second key the same.
_UNTELLING = frozenset(
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
# Letters that do not fall apart into a base letter and an accent.
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def make(record: Record, taken: Collection[str]) -> str:
    """A key that no reference has; ``taken`` holds those that there are, in lower case."""
    name = _name(record)
    for word in _telling(record.title):
        # The first telling word; where that key is taken, the next one.
        key = f"{name}{record.year}{word}" if record.year else f"{name}_{word}"
        if key not in taken:
            return key
    base = f"{name}{record.year}{next(_telling(record.title), '')}"
    number = 2
    while f"{base}_{number}" in taken or not base:
        base, number = base or "reference", number + 1
    return base if base not in taken else f"{base}_{number}"


def folded(text: str) -> str:
    """Latin letters without accents and digits, in lower case; nothing else."""
    text = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return "".join(c for c in text if c.isascii() and c.isalnum())


def _name(record: Record) -> str:
    people = record.authors or record.editors
    if people and people[0].given:
        return folded(people[0].family) or "anonymous"
    body = people[0].family if people else record.field("organization")
    body = body or record.field("institution") or record.field("howpublished")
    return next(filter(None, map(folded, body.split())), "anonymous")


def _telling(title: str) -> Iterator[str]:
    """The title's words, the telling ones first; a name before a colon tells most."""
    name, colon, _ = title.partition(":")
    if colon and len(name.split()) == 1 and (word := folded(name)):
        yield word
    plain = _IO.sub(r"\1\2", _NUMBERED.sub("", title))
    found = [folded(w) for w in _WORD.findall(plain)]
    found = [w for w in found if w and not w.isdecimal()]
    yield from (w for w in found if w not in _UNTELLING and len(w) > 1)
    yield from (w for w in found if w in _UNTELLING)
