"""A Record: what a file or a public service says of one work, in plain Unicode.

The reader of each format makes Records, and ``entry`` writes one as BibTeX in our style. Fields
that a reader has no place for are named in ``left_out``, so that they can be printed.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from msgspec import Struct

from perfnotes.model.reference import Person
from perfnotes.source.bib import identifiers
from perfnotes.source.bib.latex import tidy
from perfnotes.text import printable

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_DASHES = re.compile(r"\s*(?:-+|[‐‑‒–—−])\s*")
_DOI_HOSTS = re.compile(r"https?://(?:dx\.|www\.)?doi\.org/", re.IGNORECASE)
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_VERSION = re.compile(r"v\d+$")
_PAGES = re.compile(r"[A-Za-z]*\d[\w.:]*(?:--[A-Za-z]*\d[\w.:]*)?\+?")


class RecordPlace(Struct, frozen=True):
    """Where a record begins, shown as a finding shows its place.

    Line 0 means the whole file or answer.
    """

    path: str
    line: int = 0
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}" if self.line else self.path


class Trouble(Struct, frozen=True):
    """Why a record, or a whole file, cannot be used. ``str()`` is safe to print on a terminal."""

    place: RecordPlace
    message: str

    def __str__(self) -> str:
        return printable.one_line(f"{self.place}: {self.message}")


class Record(Struct, frozen=True):
    """One work. ``type`` is a BibTeX type; ``fields`` are further BibTeX fields, name and value.

    ``others`` says that there are more people than the list has ("and others"). ``protected`` are
    the words of the title whose capitals must stay, as the source marks them.
    """

    place: RecordPlace
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
        """Return the value of one of ``fields``, or "" if the record does not have it."""
        return next((value for key, value in self.fields if key == name), "")


def one_line(text: object) -> str:
    """Return a record's text in one line, with entities decoded and HTML tags removed."""
    return tidy(_TAG.sub("", html.unescape(text))) if isinstance(text, str) else ""


def month(text: object) -> str:
    """Return a month as BibTeX's string: ``may`` for "May", "05", 5 and "may"; else ""."""
    given = str(text).strip().lower().rstrip(".") if isinstance(text, (str, int)) else ""
    if given.isdecimal() and given.isascii() and len(given) <= 2:
        number = int(given)
        return _MONTHS[number - 1] if 1 <= number <= 12 else ""
    return given[:3] if given[:3] in _MONTHS and given.isalpha() else ""


def year(text: object) -> str:
    """Return the first four-digit number in a date, or ""."""
    found = _YEAR.search(str(text)) if isinstance(text, (str, int)) else None
    return found[1] if found and found[1].isascii() else ""


def pages(text: str) -> str:
    """Return ranges of pages with BibTeX's ``--``, and any other text unchanged."""
    parts = [_DASHES.sub("--", part.strip()) for part in text.split(",")]
    return ", ".join(parts) if all(_PAGES.fullmatch(p) for p in parts) else text


class Ids(Struct, frozen=True):
    """The bare identifiers of a work; ``left_out`` has the values that are no valid identifiers."""

    doi: str = ""
    arxiv: str = ""
    url: str = ""
    left_out: tuple[str, ...] = ()


def identify(doi: str, arxiv: str, url: str) -> Ids:
    """Return the bare identifiers. An address that only repeats the DOI or arXiv id is dropped."""
    rejected: list[str] = []
    bare_doi = identifiers.doi(doi).value if doi else ""
    if doi and not bare_doi:
        rejected.append(f"doi ({doi[:60]!r} is no DOI)")
    bare_arxiv = arxiv_id(arxiv) if arxiv else ""
    if arxiv and not bare_arxiv:
        rejected.append(f"eprint ({arxiv[:60]!r} is no arXiv id)")
    bare_url = identifiers.web_url(url).value if url else ""
    if url and not bare_url:
        rejected.append(f"url ({url[:60]!r} is no web address)")
    if _DOI_HOSTS.match(bare_url):
        bare_doi = bare_doi or identifiers.doi(bare_url).value
        bare_url = ""
    elif (mentioned := identifiers.arxiv_mention(bare_url)) and "arxiv.org/" in bare_url:
        bare_arxiv = bare_arxiv or arxiv_id(mentioned)
        bare_url = ""
    if preprint := _ARXIV_DOI.fullmatch(bare_doi):
        bare_doi, bare_arxiv = "", bare_arxiv or arxiv_id(preprint[1])
    return Ids(bare_doi, bare_arxiv, bare_url, tuple(rejected))


def arxiv_id(text: str) -> str:
    """Return the bare arXiv id without its version, or "" if the text is no arXiv id."""
    return _VERSION.sub("", identifiers.arxiv(text.strip()).value)


def ordered(fields: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the fields that are not empty as pairs, in their order."""
    return tuple((name, value) for name, value in fields.items() if value)
