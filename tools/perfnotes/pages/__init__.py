"""The kinds of pages, one module each.

A module here that has a function ``pages(site, lang)`` is a page kind: it yields the Pages of that
language. A function ``files(site)`` yields files that are no pages (feeds, redirects),
``listings(site, pages)`` those that speak of pages, and ``closings(site, files, dropped)`` those
that speak of all others: their bytes, or digests where these are gone. ``page_of(site, text)``
yields the page whose body a text is, so that it can be shown before all others are made. A kind
whose pages show more of a note's text than its links, headings, terms, length and share of traced
numbers says so: ``LOOKS_INTO_TEXTS = True``. Adding a kind is adding a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType


@cache
def kinds() -> tuple[ModuleType, ...]:
    """The modules of this folder, by name."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return tuple(import_module(f"{__name__}.{name}") for name in names)


def with_function(name: str) -> Iterator[ModuleType]:
    return (kind for kind in kinds() if hasattr(kind, name))
