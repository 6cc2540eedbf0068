"""Reading RIS as Records: lines such as ``TY  - JOUR``, a record from ``TY`` to ``ER``."""

from __future__ import annotations

import re

from msgspec import Struct, field

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
from perfnotes.source.bib.names import read_names
from perfnotes.text.source import Source

_LINE = re.compile(r"([A-Z][A-Z0-9]) {1,2}-(?: (.*)|)$")
_TYPES = {
    "JOUR": "article", "JFULL": "article", "MGZN": "article", "NEWS": "article", "EJOUR": "article",
    "CONF": "inproceedings", "CPAPER": "inproceedings", "BOOK": "book", "EBOOK": "book",
    "CHAP": "incollection", "ECHAP": "incollection", "THES": "phdthesis", "RPRT": "techreport",
    "STAND": "manual",
}  # fmt: skip
_AUTHORS = ("AU", "A1")
_EDITORS = ("ED", "A2", "A3")
_READ = frozenset(
    "TY ER ID AU A1 A2 A3 ED TI T1 CT T2 T3 JO JF JA J1 J2 BT PY Y1 DA VL IS SP EP DO UR L1 PB CY "
    "SN ET M3".split()
)
_ISBN = re.compile(r"[\dXx -]{10,17}")


class _Raw(Struct):
    """The lines of one record: the values of each tag."""

    place: RecordPlace
    values: dict[str, list[str]] = field(default_factory=dict)

    def first(self, *tags: str) -> str:
        return next(
            (one_line(v[0]) for t in tags if (v := self.values.get(t)) and one_line(v[0])), ""
        )

    def all(self, *tags: str) -> list[str]:
        return [one_line(v) for t in tags for v in self.values.get(t, ())]


def records(source: Source) -> tuple[list[Record], list[Trouble]]:
    """Return the records of a RIS file up to the first line outside of a record.

    That line is a trouble.
    """
    raws: list[_Raw] = []
    troubles: list[Trouble] = []
    current: _Raw | None = None
    last = ""
    for number, line in enumerate(source.text.split("\n"), 1):
        found = _LINE.match(line.rstrip())
        place = RecordPlace(source.path, number)
        if found and found[1] == "TY":
            current, last = _Raw(place), "TY"
            raws.append(current)
        elif found and found[1] == "ER":
            current = None
            continue
        if not line.strip():
            continue
        if current is None:
            troubles.append(
                Trouble(place, "this line is outside of any record; a record begins with TY")
            )
            break
        if found:
            last = found[1]
            current.values.setdefault(last, []).append(found[2] or "")
        else:  # a long value goes on in the next line
            current.values[last][-1] += f" {line.strip()}"
    return [_record(raw) for raw in raws], troubles


def _record(raw: _Raw) -> Record:
    kind = _TYPES.get(raw.first("TY"), "misc")
    if kind == "phdthesis" and "master" in raw.first("M3").lower():
        kind = "mastersthesis"
    arxiv = next((u for u in raw.all("UR", "L1") if "arxiv.org/" in u), "")
    url = next((u for u in raw.all("UR") if u != arxiv), arxiv)
    ids = identify(raw.first("DO"), "", url)
    if not ids.arxiv and arxiv:
        ids = identify(raw.first("DO"), arxiv, url)
    date = raw.first("DA") or raw.first("PY", "Y1")
    left = [t for t in raw.values if t not in _READ and raw.first(t)]
    return Record(
        place=raw.place,
        type="misc" if kind == "article" and ids.arxiv and not raw.first("VL") else kind,
        title=raw.first("TI", "T1", "CT"),
        authors=_people(raw.all(*_AUTHORS)),
        editors=_people(raw.all(*(_EDITORS if kind != "article" else ("ED",)))),
        year=year(raw.first("PY", "Y1", "DA")),
        month=month(date[5:7]) if kind == "misc" and not ids.arxiv else "",
        fields=ordered(_fields(raw, kind)),
        doi=ids.doi,
        arxiv=ids.arxiv,
        url=ids.url,
        left_out=(*left, *ids.left_out),
    )


def _fields(raw: _Raw, kind: str) -> dict[str, str]:
    container = raw.first("T2", "JO", "JF", "BT", "JA", "J2", "J1")
    publisher = {"phdthesis": "school", "mastersthesis": "school", "techreport": "institution"}
    where = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle"}
    first, last = raw.first("SP"), raw.first("EP")
    number = raw.first("SN")
    fields = {
        where.get(kind, "howpublished" if kind == "misc" else "series"): container,
        "edition": raw.first("ET"),
        "volume": raw.first("VL"),
        "number": raw.first("IS"),
        "pages": pages(f"{first}-{last}" if last and last != first and "-" not in first else first),
        "address": raw.first("CY"),
        "isbn": number if _ISBN.fullmatch(number) and kind != "article" else "",
    }
    if raw.first("T3"):
        fields["series"] = raw.first("T3")
    if kind != "article":
        name = publisher.get(kind, "howpublished" if kind == "misc" else "publisher")
        fields[name] = fields.get(name, "") or raw.first("PB")
    return fields


def _people(names: list[str]) -> tuple[Person, ...]:
    """Read names as ``Family, Given, Suffix``, or in reading order if they have no comma."""
    people: list[Person] = []
    for name in (n.strip(", ") for n in names if n.strip(", ")):
        family, *rest = [part.strip() for part in name.split(",")]
        if rest:
            people.append(Person(rest[0], family, rest[1] if len(rest) > 1 else ""))
        else:
            people += read_names(name).persons or (Person("", name),)
    return tuple(people)
