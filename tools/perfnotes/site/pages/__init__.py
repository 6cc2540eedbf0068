"""The kinds of pages, one module each; adding a kind is adding a file.

A module here that has a function ``pages(site, lang)`` is a page kind: it yields the Pages of that
language. It may also have

- ``SECTION``, where the kind has a page of its own at the top of the site: its name, its title,
  when it exists, its place in the navigation and in ``llms.txt``;
- ``addresses(site, lang)``, the addresses of its pages, told without making a page; a kind that has
  only the page of its section needs none;
- ``files(site)``, files that are no pages (feeds, redirects); ``listings(site, pages)``, files that
  list pages; ``closings(site, files, dropped)``, files that speak of all other files: of their
  bytes, or of the digests of those that are gone;
- ``page_of(site, text)``, the page whose body a text is, so that ``serve`` shows it before all
  other pages are made;
- ``pages_showing(site, changed)``, of ``pages`` those that may come out different after an edit
  of texts, where ``changed`` says what of them is different. A kind without it shows nothing of a
  note's text but which notes and references it leads to, its headings and its terms: where one of
  these is different, all pages are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from perfnotes.site.pages._section import Section


@cache
def kinds() -> tuple[ModuleType, ...]:
    """The modules of this folder, by name."""
    names = sorted(m.name for m in iter_modules(__path__) if not m.name.startswith("_"))
    return tuple(import_module(f"{__name__}.{name}") for name in names)


def with_function(name: str) -> Iterator[ModuleType]:
    """The kinds that have an attribute of this name."""
    return (kind for kind in kinds() if hasattr(kind, name))


@cache
def sections() -> dict[str, Section]:
    """Every section of the site by its name."""
    found = (kind.SECTION for kind in with_function("SECTION"))
    return {section.name: section for section in found}
