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

A page may also have names that never differ by themselves, such as ``("order", "a", "b", "c")``
for a list of notes. If the page's own names after an edit are not the same as before, it is made
again.
"""

ANYTHING: Name = ("anything",)
"""A name that counts as changed after every edit. Pages that show numbers of all texts have it."""

BEYOND_TEXTS: Name = ("beyond texts",)
"""A name that counts as changed after every edit of more than sentences and numbers in texts: of
front matter, tables, labs, or where the links of texts lead. A page kind without plans and
``SHOWS`` has this name."""

OF_TEXTS = ("text", "quotes", "size")
"""The kinds of names whose change does not change ``BEYOND_TEXTS``: the sentences of a note, the
sentences that lead to a note or reference, and the length of a note with its share of numbers that
have evidence."""

FRONT_MATTER_IN = "front matter in"
"""The kind of names for front matter of a note that pages in one language show, such as ``("front
matter in", "zh", "caches/blocking")``. Only what differs is named so. A page that shows the note's
front matter has the name ``("note", id)``."""


class PagePlan(Struct, frozen=True):
    """A page at ``url`` that ``make`` makes.

    ``of_texts`` are the page's names of the kinds ``OF_TEXTS``. ``shows`` returns all its others.
    """

    url: str
    of_texts: frozenset[Name]
    shows: Callable[[], frozenset[Name]]
    make: Callable[[], Page]
