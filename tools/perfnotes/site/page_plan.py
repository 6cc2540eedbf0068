"""A PagePlan: a page before it is made, with everything that it shows of the notes and tables.

A build after an edit makes a page again only if something is different that the page shows. So a
kind of pages says of each page what this is, as a set of Names, without making the page.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from perfnotes.site.page import Page

Name = tuple[object, ...]
"""What a page shows: the kind of a thing and its id, such as ``("term", "cache-line")``.

A page may name what no edit changes by itself, such as ``("order", "a", "b", "c")`` for a list of
notes in their order. If the page has another name of this kind after an edit, it is made again.
"""

ANYTHING: Name = ("anything",)
"""For a page that shows numbers of all texts."""

BEYOND_TEXTS: Name = ("beyond texts",)
"""Everything but the sentences and numbers of texts. Front matter, tables, labs, and where the
links of texts lead are part of it. A kind of pages that says nothing else shows this."""

OF_TEXTS = ("text", "quotes", "size")
"""The kinds of names that ``BEYOND_TEXTS`` leaves out: the sentences of a note, those that lead to
a note or reference, and the length of a note with its share of numbers with evidence."""

FRONT_MATTER_IN = "front matter in"
"""The kind of names that say in which language pages show what differs of a note's front matter,
such as ``("front matter in", "zh", "caches/blocking")``. Pages themselves name ``("note", id)``."""


class PagePlan(Struct, frozen=True):
    """A page at ``url`` that ``make`` makes.

    ``of_texts`` are the names of what it shows that are ``OF_TEXTS``, ``shows`` returns all others.
    """

    url: str
    of_texts: frozenset[Name]
    shows: Callable[[], frozenset[Name]]
    make: Callable[[], Page]
