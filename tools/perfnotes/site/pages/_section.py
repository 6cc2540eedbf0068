"""A Section: a part of the site with a page of its own at the top, such as ``references/``."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from perfnotes.graph.site import Site

# The groups of the navigation below the topics: what readers look up, and how to take part.
LOOK_UP, CONTRIBUTE = "look_up", "contribute"


class Section(Struct, frozen=True):
    """A section of the site.

    ``title`` holds the English and the Chinese title. ``exists`` says whether a site has the
    section. Sections are listed by ``place`` in their ``group`` of the navigation and by ``llms``
    in ``llms.txt``, from low to high; None leaves a section out. ``lead`` is the key of the words
    that say what the section's page holds. If there is a ``lead``, the search finds the page, by
    these words, the title and other ``names``.
    """

    name: str  # the first part of its address
    title: tuple[str, str]
    exists: Callable[[Site], bool] = lambda _: True
    group: str = LOOK_UP
    place: int | None = None
    llms: int | None = None
    lead: str = ""
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # English and Chinese ones

    def url(self, site: Site, lang: str) -> str:
        """Return the address of the section's own page."""
        return site.addresses.section(self.name, lang)

    def title_in(self, lang: str) -> str:
        """Return the title in ``lang``."""
        return self.title[lang == "zh"]

    def alternates(self, site: Site) -> dict[str, str]:
        """Return the address of the section's page in each language of the site."""
        return site.alternates(lambda lang: self.url(site, lang))
