"""The kinds of pages, one module each. To add a kind, add a file.

A module of this folder with a function ``pages(site, lang)`` is a page kind: the function yields
the Pages of that language. The module may also have

- ``SECTION``, if the kind has a page at the top of the site: the section's name, its title, when it
  exists, and its place in the navigation and in ``llms.txt``;
- ``addresses(site, lang)``, which yields the addresses of its pages without making them; a kind
  whose only page is that of its section needs no such function;
- ``files(site)``, which yields files that are not pages, such as feeds and redirects;
- ``listings(site, pages)``, which yields files that list pages;
- ``closings(site, files, dropped)``, which yields files that depend on the bytes of all other
  files, or on the digests of files that are no longer in memory;
- ``listed(site, lang)``, which yields lines of the section's page by which the search finds it;
- ``page_of(site, text)``, which makes the page of one text, so that ``serve`` can show it before
  all other pages are made.

After an edit only the pages that may be different are made again. A kind with ``pages`` makes all
of its pages or none: ``SHOWS`` is the set of the kinds of Names that its pages show, such as
``frozenset({"tag", "note"})``. Without it they are made after all edits but those of sentences.
``FILES_SHOW`` says the same of the files that ``files`` yields.

A kind that can make some of its pages has ``plans(site, lang)`` instead of ``pages``. It yields a
PagePlan for each page, which says what the page shows before the page is made. If such a kind has
``SHOWS`` too, its plans are compared only after edits of one of these kinds, so ``SHOWS`` must name
everything from which the plans are computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import ModuleType

from perfnotes.modules import modules_of
from perfnotes.site.pages._section import Section


@cache
def kinds() -> tuple[ModuleType, ...]:
    """Return the page kinds: the modules of this folder, sorted by name."""
    return tuple(modules_of(__name__).values())


def page_kinds() -> Iterator[ModuleType]:
    """Yield the kinds that have pages, not only other files."""
    return (kind for kind in kinds() if hasattr(kind, "pages") or hasattr(kind, "plans"))


def with_function(name: str) -> Iterator[ModuleType]:
    """Yield the kinds that have a function or another attribute of this name."""
    return (kind for kind in kinds() if hasattr(kind, name))


@cache
def sections() -> dict[str, Section]:
    """Return every section by its name, also those that a site does not have."""
    found = (kind.SECTION for kind in with_function("SECTION"))
    return {section.name: section for section in found}
