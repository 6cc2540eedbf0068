"""A Record: what somebody's file or a public service says of one work, in plain Unicode.

Readers of each format make Records; ``entry`` writes one as BibTeX in our style. What a reader has
no place for is named in ``left_out`` and never lost in silence.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass

from perfnotes.model.reference import Person
from perfnotes.source.bib import identifiers
from perfnotes.source.bib.latex import tidy

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_DASHES = re.compile(r"\s*(?:-+|[‐‑‒–—−])\s*")
_DOI_HOSTS = re.compile(r"https?://(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_VERSION = re.compile(r"v\d+$")
_PAGES = re.compile(r"[A-Za-z]*\d[\w.:]*(?:--[A-Za-z]*\d[\w.:]*)?\+?")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record begins, as findings name it; without a line, the whole file or answer."""

    path: str
    line: int = 0
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a record, or a whole file, cannot be used."""

    place: Place
    message: str

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}"
        return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


@dataclass(frozen=True, slots=True)
class Record:
    """``type`` is BibTeX's; ``fields`` holds what else a BibTeX entry has a place for, by name.

    ``protected`` are words of the title whose capitals the source says must stay.
    """

    place: Place
    type: str
    title: str
    authors: tuple[Person, ...] = ()
    editors: tuple[Person, ...] = ()
    others: bool = False
    year: str = ""
    month: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    doi: str = ""
    arxiv: str = ""
    url: str = ""
    protected: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()

    def field(self, name: str) -> str:
        return next((value for key, value in self.fields if key == name), "")


def words(text: object) -> str:
    """A text of a foreign record in one line: entities read, HTML tags and odd marks left out."""
    return tidy(_TAG.sub("", html.unescape(text))) if isinstance(text, str) else ""


def month(text: object) -> str:
    """A month as BibTeX's string: ``may`` for "May", "05", 5 and "may"."""
    given = str(text).strip().lower().rstrip(".") if isinstance(text, (str, int)) else ""
    if given.isdecimal() and given.isascii() and len(given) <= 2:
        number = int(given)
        return _MONTHS[number - 1] if 1 <= number <= 12 else ""
    return given[:3] if given[:3] in _MONTHS and given.isalpha() else ""


def year(text: object) -> str:
    """The four digits of a year in a date, or nothing."""
    found = _YEAR.search(str(text)) if isinstance(text, (str, int)) else None
    return found[1] if found and found[1].isascii() else ""


def pages(text: str) -> str:
    """A range of pages with BibTeX's ``--``; other texts as they are."""
    parts = [_DASHES.sub("--", part.strip()) for part in text.split(",")]
    return ", ".join(parts) if all(_PAGES.fullmatch(p) for p in parts) else text


@dataclass(frozen=True, slots=True)
class Ids:
    """The bare identifiers of a work, and what was given as one and is none."""

    doi: str = ""
    arxiv: str = ""
    url: str = ""
    left_out: tuple[str, ...] = ()


def identify(doi: str, arxiv: str, url: str) -> Ids:
    """Bare identifiers; an address that only repeats one of them is dropped."""
    left: list[str] = []
    bare_doi = identifiers.doi(doi).value if doi else ""
    if doi and not bare_doi:
        left.append(f"doi ({doi[:60]!r} is none)")
    bare_arxiv = arxiv_id(arxiv) if arxiv else ""
    if arxiv and not bare_arxiv:
        left.append(f"eprint ({arxiv[:60]!r} is no arXiv id)")
    bare_url = identifiers.web_url(url).value if url else ""
    if url and not bare_url:
        left.append(f"url ({url[:60]!r} is no web address)")
    if _DOI_HOSTS.match(bare_url):
        bare_doi = bare_doi or identifiers.doi(bare_url).value
        bare_url = ""
    elif (mentioned := identifiers.arxiv_mention(bare_url)) and "arxiv.org/" in bare_url:
        bare_arxiv = bare_arxiv or arxiv_id(mentioned)
        bare_url = ""
    if preprint := _ARXIV_DOI.fullmatch(bare_doi):
        bare_doi, bare_arxiv = "", bare_arxiv or arxiv_id(preprint[1])
    return Ids(bare_doi, bare_arxiv, bare_url, tuple(left))


def arxiv_id(text: str) -> str:
    """A bare arXiv id without its version, or nothing."""
    return _VERSION.sub("", identifiers.arxiv(text.strip()).value)


def ordered(fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The fields that say something."""
    return tuple((name, value) for name, value in fields.items() if value)
