"""Reading BibTeX and BibLaTeX as Records."""

from __future__ import annotations

import re

from perfnotes.contribute.cite.record import (
    Record,
    RecordPlace,
    Trouble,
    identify,
    month,
    ordered,
    pages,
    year,
)
from perfnotes.model.reference import Reference
from perfnotes.source.bib import bibtex
from perfnotes.source.bib.latex import verbatim, without_latex
from perfnotes.source.bib.names import Names, read_names
from perfnotes.source.bib.scanner import Budget, scan
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source

_TYPES = {
    "conference": "inproceedings", "online": "misc", "electronic": "misc", "www": "misc",
    "software": "misc", "dataset": "misc", "unpublished": "misc", "booklet": "misc",
    "report": "techreport", "collection": "book", "mvbook": "book", "periodical": "misc",
}  # fmt: skip
# The types of entries that are written as they are.
_KEPT = frozenset({
    "article", "book", "inbook", "incollection", "inproceedings", "manual", "mastersthesis",
    "misc", "phdthesis", "proceedings", "techreport",
})  # fmt: skip
# Further types of BibLaTeX, which are written as "misc". Others are likely to be misspelt.
_FURTHER = frozenset(
    "artwork audio bibnote bookinbook commentary image inreference jurisdiction legislation legal "
    "letter movie music mvcollection mvproceedings mvreference patent performance reference review "
    "standard suppbook suppcollection suppperiodical thesis video".split()
)
_KNOWN = _KEPT | _FURTHER | {*_TYPES}
# The fields that are copied.
_PLAIN = frozenset({
    "booktitle", "journal", "series", "edition", "chapter", "volume", "number", "articleno",
    "publisher", "school", "institution", "organization", "howpublished", "address", "note",
    "shortauthor",
})  # fmt: skip
# Values of ``type`` that name no series of reports; biblatex has the words.
_NO_SERIES = frozenset({"", "techreport", "resreport"})
_RENAMED = {"journaltitle": "journal", "location": "address", "issue": "number"}
# The fields that `_record` reads in another way. All others are reported as left out.
_READ = frozenset({
    "author", "editor", "title", "subtitle", "year", "date", "month", "pages", "isbn", "doi",
    "url", "eprint", "archiveprefix", "eprinttype", "primaryclass", "eprintclass", "type",
})  # fmt: skip
_GROUP = re.compile(r"\{([^{}\\$]+)\}")


def records(source: Source) -> tuple[list[Record], list[Trouble]]:
    """Return a record of every entry in the file, and a trouble for each that does not parse."""
    references, findings = bibtex.read(source)
    troubles = [
        Trouble(
            RecordPlace(f.path, f.line, f.column), f.message + (f" ({f.hint})" if f.hint else "")
        )
        for f in findings
        if f.code != "PN403"  # PN403 is about the form of fields, which `entry` writes anew
    ]
    found = []
    for reference in references.values():
        place = RecordPlace(source.path, *source.position(reference.offset))
        record = _record(reference, place)
        if isinstance(record, Trouble):
            troubles.append(record)
        else:
            found.append(record)
    return found, troubles


def _record(reference: Reference, place: RecordPlace) -> Record | Trouble:
    """Return the record of an entry, with LaTeX turned into Unicode.

    The entry is read from ``reference.bibtex``, which has the fields that ``crossref`` inherits.
    """
    entries, _ = scan(Source(place.path, reference.bibtex), Budget())
    raw = {_RENAMED.get(n, n): v for n, v in reversed(entries[0].fields.items())}
    people = {role: read_names(raw.get(role, "")) for role in ("author", "editor")}
    kind = _kind(reference, raw)
    date = verbatim(raw.get("date", ""))
    given_year = without_latex(raw.get("year", "")) or date
    if fault := _fault(reference, kind, people, given_year):
        return Trouble(place, fault)
    url = reference.url or verbatim(raw.get("url", ""))
    ids = identify(verbatim(raw.get("doi", "")), reference.arxiv, url)
    fields = _fields(raw, kind, bool(ids.arxiv))
    left = [n for n in entries[0].fields if _RENAMED.get(n, n) not in _PLAIN | _READ]
    if reference.keywords:
        left.append("keywords")
    if reference.type not in _KNOWN:
        left.append(f"type (@{reference.type} is unknown)")
    if given_year and not year(given_year):
        left.append(f"year ({given_year[:60]!r} is not four digits)")
    named = people["author"] if people["author"].persons else people["editor"]
    title = raw.get("title", "")
    return Record(
        place=place,
        type=kind,
        title=": ".join(
            t for t in (without_latex(title), without_latex(raw.get("subtitle", ""))) if t
        ),
        authors=people["author"].persons,
        editors=people["editor"].persons,
        others=named.others,
        year=year(given_year),
        month=month(without_latex(raw.get("month", "")) or date[5:7]),
        fields=ordered(fields),
        doi=ids.doi,
        arxiv=ids.arxiv,
        url=ids.url,
        protected=protected(title),
        left_out=(*left, *ids.left_out),
    )


def _fault(reference: Reference, kind: str, people: dict[str, Names], given_year: str) -> str:
    """Return why an entry of this kind cannot be used, or ""."""
    guess = None if reference.type in _KNOWN else nearest(reference.type, _KEPT | {*_TYPES})
    if guess:
        return f"no type is called @{reference.type}: did you mean @{guess}?"
    if given_year and not year(given_year) and kind not in bibtex.UNDATED:
        return f"the year {given_year[:60]!r} is not four digits"
    wrong = (f"{role}: {names.problems[0]}" for role, names in people.items() if names.problems)
    return next(wrong, "")


def protected(title: str) -> frozenset[str]:
    """Return the capitalised words of a BibTeX title that stand in braces of their own."""
    groups = (g for g in _GROUP.findall(title) if g.strip() != title.strip("{} "))
    return frozenset(w for g in groups if len(g.split()) <= 2 for w in g.split() if w[0].isupper())


def _kind(reference: Reference, raw: dict[str, str]) -> str:
    kind = _TYPES.get(reference.type, reference.type)
    if kind == "thesis":
        kind = (
            "mastersthesis"
            if "master" in without_latex(raw.get("type", "")).lower()
            else "phdthesis"
        )
    if kind == "article" and _is_preprint(raw):
        return "misc"
    return kind if kind in _KEPT else "misc"


def _is_preprint(raw: dict[str, str]) -> bool:
    journal = without_latex(raw.get("journal", "")).lower()
    return journal == "corr" or journal.startswith("arxiv")


def _fields(raw: dict[str, str], kind: str, arxiv: bool) -> dict[str, str]:
    fields = {n: without_latex(v) for n, v in raw.items() if n in _PLAIN}
    if kind == "techreport" and without_latex(raw.get("type", "")) not in _NO_SERIES:
        fields["type"] = without_latex(raw.get("type", ""))
    fields["pages"] = pages(without_latex(raw.get("pages", "")))
    fields["isbn"] = verbatim(raw.get("isbn", ""))
    if arxiv and _is_preprint(raw):  # "arXiv preprint" and its number only repeat the arXiv id
        fields = {n: v for n, v in fields.items() if n not in ("journal", "volume", "number")}
        if not re.fullmatch(r"[\d–-]+", without_latex(raw.get("pages", "-"))):
            fields.pop("pages")
    if "arxiv" in fields.get("howpublished", "").lower() and arxiv:
        fields.pop("howpublished")
    return fields
