"""Reading CSL JSON, which reference managers export and doi.org answers with, as Records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from perfnotes.contribute.cite.record import (
    Record,
    RecordPlace,
    Trouble,
    identify,
    month,
    one_line,
    ordered,
    pages,
    year,
)
from perfnotes.model.reference import Person
from perfnotes.source.bib.identifiers import arxiv_mention
from perfnotes.text.source import Source

_TYPES = {
    "article-journal": "article", "article-magazine": "article", "article-newspaper": "article",
    "journal-article": "article", "paper-conference": "inproceedings",
    "proceedings-article": "inproceedings", "book": "book", "monograph": "book",
    "chapter": "incollection", "book-chapter": "incollection", "entry-encyclopedia": "incollection",
    "thesis": "phdthesis", "dissertation": "phdthesis", "report": "techreport",
}  # fmt: skip
_CONTAINERS = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}
_PUBLISHERS = {"phdthesis": "school", "mastersthesis": "school", "techreport": "institution"}
# The fields that `_record` reads. All others but `_BOOKKEEPING` are reported as left out.
_READ = frozenset(
    "type id title subtitle author editor issued published container-title publisher "
    "collection-title volume issue page article-number edition publisher-place "
    "ISBN DOI URL number chapter-number genre".split()
)
# Fields that services use for themselves. They are left out, and not reported.
_BOOKKEEPING = frozenset(
    "indexed source is-referenced-by-count reference-count references-count prefix member score "
    "created deposited relation resource subject short-title short-container-title original-title "
    "content-domain license link ISSN issn-type update-policy alternative-id journal-issue "
    "published-print published-online isbn-type container-title-short title-short "
    "assertion reference event event-place funder archive language approved copyright "
    "categories accessed call-number note".split()
)  # fmt: skip
# What stands between the items of a list.
_GAP = re.compile(r"[\s,]*")


def records(source: Source) -> tuple[list[Record], list[Trouble]]:
    """Return a record of each item of a JSON list, or of the single object, and the troubles."""
    found: list[Record] = []
    troubles: list[Trouble] = []
    try:
        for offset, item in _items(source.text):
            place = RecordPlace(source.path, *source.position(offset))
            made = _record(item, place) if isinstance(item, dict) else None
            if made is None:
                troubles.append(Trouble(place, "a CSL JSON item must be an object"))
            else:
                found.append(made)
    except json.JSONDecodeError as error:
        place = RecordPlace(source.path, error.lineno, error.colno)
        troubles.append(Trouble(place, f"broken JSON: {error.msg}"))
    except (ValueError, RecursionError):
        troubles.append(Trouble(RecordPlace(source.path), "broken JSON: a value that is too large"))
    return found, troubles


def _items(text: str) -> Iterator[tuple[int, Any]]:
    """Yield each item with its offset. Items are decoded one by one, because troubles name places.

    Raises ``ValueError`` or ``RecursionError`` if the JSON is broken.
    """
    decoder = json.JSONDecoder()
    start = len(text) - len(text.lstrip())
    if not text.startswith("[", start):
        value, end = decoder.raw_decode(text, start)
        _require_end(text, end)
        yield start, value
        return
    at = start + 1
    while True:
        gap = _GAP.match(text, at)
        at = gap.end() if gap else at
        if text.startswith("]", at):
            _require_end(text, at + 1)
            return
        value, end = decoder.raw_decode(text, at)
        yield at, value
        at = end


def _require_end(text: str, end: int) -> None:
    if text[end:].strip():
        behind = end + len(text[end:]) - len(text[end:].lstrip())
        raise json.JSONDecodeError("something follows the end", text, behind)


def _record(item: Mapping[str, Any], place: RecordPlace) -> Record:
    arxiv = _arxiv(item)
    kind = _kind(item, bool(arxiv))
    ids = identify(_text(item, "DOI"), arxiv, _text(item, "URL"))
    issued = _date(item.get("issued")) or _date(item.get("published")) or [""]
    left = [n for n in item if n not in _READ | _BOOKKEEPING and item[n] not in ("", [], None, {})]
    title = _text(item, "title")
    sub = _text(item, "subtitle")
    return Record(
        place=place,
        type=kind,
        title=f"{title}: {sub}" if sub and sub.casefold() not in title.casefold() else title,
        authors=_people(item.get("author")),
        editors=_people(item.get("editor")),
        year=year(issued[0]),
        month=month(issued[1]) if len(issued) > 1 and kind == "misc" and not arxiv else "",
        fields=ordered(_fields(item, kind, bool(ids.arxiv))),
        doi=ids.doi,
        arxiv=ids.arxiv,
        url=ids.url,
        left_out=(*left, *ids.left_out),
    )


def _text(item: Mapping[str, Any], name: str) -> str:
    """Return a value as text; if a service sent a list, the first element."""
    value = item.get(name)
    if isinstance(value, list):
        value = value[0] if value else ""
    return str(value) if isinstance(value, int) else one_line(value)


def _kind(item: Mapping[str, Any], arxiv: bool) -> str:
    kind = _TYPES.get(_text(item, "type"), "misc")
    if kind == "phdthesis" and "master" in _text(item, "genre").lower():
        return "mastersthesis"
    return "misc" if kind == "article" and arxiv and not _text(item, "volume") else kind


def _arxiv(item: Mapping[str, Any]) -> str:
    """Return the arXiv id, which reference managers write into one of several fields, or ""."""
    number = _text(item, "number")
    mentions = (f"{_text(item, n)} {number}" for n in ("publisher", "archive", "container-title"))
    return next(filter(None, map(arxiv_mention, (number, *mentions))), "")


def _fields(item: Mapping[str, Any], kind: str, arxiv: bool) -> dict[str, str]:
    publisher = _PUBLISHERS.get(kind, "howpublished" if kind == "misc" else "publisher")
    fields = {
        _CONTAINERS.get(kind, "howpublished"): _text(item, "container-title"),
        "series": _text(item, "collection-title"),
        "edition": _text(item, "edition"),
        "chapter": _text(item, "chapter-number"),
        "volume": _text(item, "volume"),
        "number": _text(item, "issue") or ("" if arxiv else _text(item, "number")),
        "pages": pages(_text(item, "page")),
        "articleno": "" if _text(item, "page") else _text(item, "article-number"),
        "address": _text(item, "publisher-place"),
        "isbn": _text(item, "ISBN"),
    }
    if not (arxiv and kind == "misc"):  # for a preprint "publisher" is the archive
        fields[publisher] = fields.get(publisher, "") or _text(item, "publisher")
    if kind == "article":
        fields.pop("publisher", None)  # the journal's name is enough
    return fields


def _people(value: object) -> tuple[Person, ...]:
    made = [_person(v) for v in value if isinstance(v, dict)] if isinstance(value, list) else []
    return tuple(p for p in made if p.family)


def _person(value: Mapping[str, Any]) -> Person:
    given = one_line(value.get("given"))
    names = (one_line(value.get(key)) for key in ("family", "literal", "name"))
    family = next(filter(None, names), "")
    if not family:
        return Person("", given)
    particle = one_line(value.get("non-dropping-particle") or value.get("dropping-particle"))
    return Person(given, f"{particle} {family}".strip(), one_line(value.get("suffix")))


def _date(value: object) -> list[Any]:
    """Return year, month and day as far as they are known, or a list of the date as one text."""
    if not isinstance(value, dict):
        return []
    parts = value.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0]:
        return parts[0]
    raw = value.get("raw") or value.get("literal") or ""
    return [raw] if isinstance(raw, str) and raw else []
