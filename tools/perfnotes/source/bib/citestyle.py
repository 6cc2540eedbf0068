"""Writes a Reference: in a sentence, as a label, as a line of a bibliography, as links.

All results are plain Unicode. Callers escape them before they put them into a page.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from perfnotes.source.bib.identifiers import arxiv_link, doi_link, web_url
from perfnotes.text.joining import joins

if TYPE_CHECKING:
    from perfnotes.model.reference import Person, Reference

_MOST_NAMES = 20  # names in a full reference
_TITLE_WORDS = 4
_TITLE_LETTERS = 40
_THESES = {"phdthesis": "PhD thesis", "mastersthesis": "Master's thesis", "thesis": "Thesis"}
_PARTS = frozenset({"inproceedings", "conference", "incollection", "inbook"})
_ORGANISATION_ENDING = re.compile(
    r",?\s+(?:Corporation|Corp\.?|Inc\.?|Incorporated|LLC|Ltd\.?|GmbH"
    r"|Project|Contributors|Developers|Authors|Documentation)$",
    re.IGNORECASE,
)
_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def short_authors(reference: Reference, lang: str = "en") -> str:
    """Return the authors as a sentence names them: "Goto & van de Geijn", "Smith et al."

    Without authors, returns the editors; without them the organisation, the first words of the
    title, or the key. If the entry has the field ``shortauthor``, by which BibLaTeX shortens names
    of organisations, returns that.
    """
    if short := reference.field("shortauthor"):
        return short
    people = reference.authors or reference.editors
    if not people:
        organisation = reference.field("organization") or reference.field("institution")
        return _short_organisation(organisation) or _first_words(reference.title) or reference.key
    chinese = lang.startswith("zh")
    if len(people) > 2 or reference.others:
        return f"{people[0].family} {'等' if chinese else 'et al.'}"
    return (" 和 " if chinese else " & ").join(
        person.family if person.given else _short_organisation(person.family) for person in people
    )


def label(reference: Reference, lang: str = "en") -> str:
    """Return authors and year: "Goto & van de Geijn 2008". Without a year, the authors alone."""
    return f"{short_authors(reference, lang)} {reference.year}".rstrip()


def narrative(reference: Reference, lang: str = "en", locator: str = "") -> str:
    """Return authors, year and place as part of a sentence: "Goto & van de Geijn (2008, sec. 4)".

    The parentheses are left out if there is nothing to put into them.
    """
    signs = joins(lang)
    inside = signs.comma.join(part for part in (reference.year, locator) if part)
    return short_authors(reference, lang) + (signs.bracketed(inside) if inside else "")


@lru_cache(maxsize=4096)  # lists of references are sorted by it
def full_text(reference: Reference) -> str:
    """Return the whole reference in one line; each part of it ends with a full stop."""
    year = f" ({reference.year})" if reference.year else ""
    people = _people(reference)
    title = reference.title or reference.key
    parts = [f"{people}{year}", title] if people else [f"{title}{year}"]
    parts.append(_edition(reference.field("edition")))
    parts += [_venue(reference, people), _publisher(reference, people)]
    if reference.arxiv:
        parts.append(f"arXiv:{reference.arxiv}")
    parts.append(reference.field("note"))
    return " ".join(_sentence(part) for part in parts if part)


def links(reference: Reference) -> tuple[tuple[str, str], ...]:
    """Return pairs (label, address) for DOI, arXiv id and web address, all http or https."""
    found: list[tuple[str, str]] = []
    if reference.doi:
        found.append(("DOI", doi_link(reference.doi)))
    if reference.arxiv:
        found.append(("arXiv", arxiv_link(reference.arxiv)))
    if reference.url and (url := web_url(reference.url)).value:
        found.append(("URL", quote(url.value, safe=":/?#[]@!$&'()*+,;=%-._~")))
    return tuple(found)


def _short_organisation(name: str) -> str:
    """Return an organisation's name without an ending such as "Corporation" or "Project"."""
    short = _ORGANISATION_ENDING.sub("", name)
    return short.removeprefix("The ") if short and short != name else name


def _first_words(title: str) -> str:
    words = title.split()
    text = " ".join(words[:_TITLE_WORDS])
    if len(text) > _TITLE_LETTERS:
        return text[:_TITLE_LETTERS].rstrip() + "…"
    return text.rstrip(" ,;:–—-") + "…" if len(words) > _TITLE_WORDS else text


def _people(reference: Reference) -> str:
    if reference.authors:
        return _names(reference.authors, reference.others)
    if reference.editors:
        one = len(reference.editors) == 1 and not reference.others
        return f"{_names(reference.editors, reference.others)} ({'ed.' if one else 'eds.'})"
    return reference.field("organization") or reference.field("institution")


def _names(people: tuple[Person, ...], others: bool) -> str:
    names = [person.name for person in people]
    if others or len(names) > _MOST_NAMES:
        shown = names if len(names) <= _MOST_NAMES else names[: _MOST_NAMES - 1]
        return ", ".join([*shown, "et al."]) if len(shown) > 1 else f"{shown[0]} et al."
    if len(names) < 3:
        return " and ".join(names)
    return ", ".join(names[:-1]) + ", and " + names[-1]


def _venue(reference: Reference, people: str) -> str:
    """Return the venue with volume, number and pages.

    The venue is left out if ``people``, the authors as printed, is the same text.
    """
    volume, number = reference.field("volume"), reference.field("number")
    kind = reference.type
    if kind in _THESES:
        parts = [reference.field("type") or _THESES[kind], reference.venue]
    elif kind in ("techreport", "report"):
        report = reference.field("type") or "Technical report"
        parts = [f"{report} {number}".strip(), reference.venue]
    else:
        venue = f"In {reference.venue}" if kind in _PARTS and reference.venue else reference.venue
        if kind == "article" and volume:
            venue = f"{venue} {volume}" + (f"({number})" if number else "")
            volume = number = ""
        if venue == people or (venue == "arXiv" and reference.arxiv):
            venue = ""  # the authors or the arXiv id name it already
        parts = [venue, _series(reference, volume, number)]
    pages = reference.field("pages")
    if pages:
        several = any(c in pages for c in "–,+")
        parts.append(pages if kind == "article" else f"{'pp.' if several else 'p.'} {pages}")
    return ", ".join(part for part in parts if part)


def _series(reference: Reference, volume: str, number: str) -> str:
    series = reference.field("series")
    if series:
        return f"{series} {volume or number}".strip()
    return ", ".join(
        part for part in (volume and f"vol. {volume}", number and f"no. {number}") if part
    )


def _publisher(reference: Reference, people: str) -> str:
    """Return the publisher and the like, without those that are the venue or the authors."""
    named = {"", reference.venue, people}
    found: list[str] = []
    for name in ("publisher", "organization", "institution", "howpublished"):
        publisher = reference.field(name)
        if publisher not in named and "://" not in publisher:
            named.add(publisher)
            found.append(publisher)
    return ", ".join(found)


def _edition(text: str) -> str:
    if text.isdecimal():
        number = int(text[:6])
        ending = "th" if number % 100 in (11, 12, 13) else _ORDINALS.get(number % 10, "th")
        text = f"{number}{ending}"
    return text if not text or "edition" in text.lower() else f"{text} edition"


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!", "…")) else text + "."
