"""Heading ids, as code hosts make them, so that a link to a heading works there and here."""

from __future__ import annotations

import re
import unicodedata

_DROP = re.compile(r"[^\w\- ]+")
_NOT_BARE = re.compile(r"[\W_]+")
# Beginnings of ids that the theme's scripts look up. They would find a heading with such an id.
_RESERVED = re.compile(r"^(?:__|pn-|fn:|fnref)")


def slugify(text: str) -> str:
    """Return the id of a heading: lower case, no punctuation, hyphens for spaces.

    Letters of any script stay.
    """
    text = unicodedata.normalize("NFC", text).strip().lower()
    slug = _DROP.sub("", text).replace(" ", "-")
    if not slug or _RESERVED.match(slug):
        slug = f"section{'-' if slug else ''}{slug.lstrip('_')}"
    return slug


def bare_id(id: str) -> str:
    """Return only the letters and digits of an id. On these most code hosts agree."""
    return _NOT_BARE.sub("", unicodedata.normalize("NFC", id).casefold())


class Slugs:
    """Makes slugs unique within a page: a second ``x`` becomes ``x-1``."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}  # each slug in use, and the last number added to it

    def claim(self, wanted: str) -> str:
        name, n = wanted, self._taken.get(wanted, 0)
        while name in self._taken:
            n += 1
            name = f"{wanted}-{n}"
        self._taken[name] = 0
        self._taken[wanted] = n
        return name
