"""Addresses: the address of every page below the site's root, in each language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from urllib.parse import quote

from perfnotes.model.library import Library
from perfnotes.model.note import Note
from perfnotes.source.read.walk import safe_id


@dataclass(frozen=True)
class Addresses:
    """The addresses of a library's pages.

    An address is relative to the site's root and not percent-encoded. Addresses of pages end in
    ``/`` (or in an anchor below such a page). What an id names must be in the library.
    """

    library: Library

    @cached_property
    def _tops(self) -> set[str]:
        """The first parts of the addresses of topics and notes, in lower case."""
        ids = (*self.library.notes, *self.library.topics)
        return {id.partition("/")[0].casefold() for id in ids}

    def home(self, lang: str) -> str:
        return _in(lang, "")

    def section(self, name: str, lang: str) -> str:
        """A section's page. If a topic has the section's name, ``-index`` is appended to it."""
        while name in self._tops:
            name += "-index"
        return _in(lang, f"{name}/")

    def opensearch(self, lang: str) -> str:
        """The OpenSearch description, by which browsers add the site's search."""
        return _in(lang, "opensearch.xml")

    def feed(self, lang: str) -> str:
        """The Atom feed."""
        return _in(lang, "feed.xml")

    def topic(self, id: str, lang: str) -> str:
        return _in(lang, f"{id}/" if id else "")

    def tag(self, id: str, lang: str) -> str:
        return self.section("tags", lang) + safe_id(id).replace("/", "-") + "/"

    def reference(self, key: str, lang: str) -> str:
        return self.section("references", lang) + safe_id(key) + "/"

    def term(self, id: str, lang: str) -> str:
        """The page of a term: the note that explains it, or else the term's own page."""
        note = self.library.notes.get(self.library.terms[id].note)
        return self.note(note, lang) if note else self.own_term(id, lang)

    def own_term(self, id: str, lang: str) -> str:
        return self.section("glossary", lang) + f"{id}/"

    def tool(self, id: str, lang: str) -> str:
        return self.section("tools", lang) + f"{id}/"

    def note(self, note: Note, lang: str) -> str:
        """The note in ``lang``, or in English if it is not translated."""
        twin = self.library.translations.get(note.id) if lang != "en" else None
        return twin.url if twin else note.url

    def lab(self, id: str, lang: str) -> str:
        """The page of the lab of the note ``id``."""
        return _in(lang, f"{id}/lab/")

    def lab_file(self, id: str, machine: str) -> str:
        """The JSON file of a machine's result, the same for both languages."""
        return f"{id}/lab/{machine}.json"

    def facts(self, file: str, lang: str) -> str:
        """The page of a file of facts, such as that of all GPUs."""
        return f"{self.section('facts', lang)}{safe_id(file)}/"

    def fact(self, id: str, lang: str) -> str:
        """The place of a fact on the page of its file."""
        page = self.facts(self.library.facts.by_id[id].file, lang)
        return f"{page}#{fact_anchor(id)}"

    def entity(self, id: str, lang: str) -> str:
        """The place of an entity, such as a GPU, on the page of the file with its facts."""
        files = self.library.facts.files.values()
        return f"{self.facts(next(f.id for f in files if id in f.entities), lang)}#{id}"

    def machine(self, id: str, lang: str) -> str:
        return f"{self.section('machines', lang)}#{id}"

    def has(self, note: Note, lang: str) -> bool:
        """Whether the note can be read in ``lang``; true for a language that the site lacks."""
        if lang == "en" or lang not in self.library.languages:
            return True
        return note.id in self.library.translations

    def page(self, id: str, lang: str) -> str:
        """A page of ``docs/`` in ``lang``, or else in English, or else in Chinese."""
        pages = self.library.pages
        return next(pages[id, each].url for each in (lang, "en", "zh") if (id, each) in pages)


def fact_anchor(id: str) -> str:
    """Return the anchor of a fact on the page of its file."""
    return id.replace("/", "--")


def _in(lang: str, url: str) -> str:
    return url if lang == "en" else f"{lang}/{url}"


def relative(origin: str, target: str) -> str:
    """Return the relative link from the page at ``origin`` to the page or file at ``target``.

    The link is percent-encoded.
    """
    if not origin.endswith("/") or target.startswith(origin):
        return _path(origin, target) or "./"
    # Pages of one folder share the path to targets outside of them, so the cache is hit more often.
    return "../" + _path(origin[: origin.rfind("/", 0, -1) + 1], target)


@lru_cache(maxsize=50_000)
def _path(origin: str, target: str) -> str:
    here = origin.split("/")[:-1]
    there = target.split("/")
    same = 0
    for one, other in zip(here, there[:-1], strict=False):
        if one != other:
            break
        same += 1
    path = "../" * (len(here) - same) + "/".join(there[same:])
    return quote(path, safe="/~+,@=.-_")


def markdown_file(url: str) -> str:
    """The staged Markdown file of the page at ``url``."""
    return f"{url}index.md"


def to_place(origin: str, place: str, *, markdown: bool = False) -> str:
    """Return the relative link from ``origin`` to ``place``, an address that may have an anchor.

    With ``markdown``, the link leads to the staged Markdown file instead of the page.
    """
    page, _, anchor = place.partition("#")
    if anchor and page == origin:
        return f"#{quote(anchor, safe='~.-_')}"
    href = relative(origin, markdown_file(page) if markdown else page)
    return f"{href}#{quote(anchor, safe='~.-_')}" if anchor else href
