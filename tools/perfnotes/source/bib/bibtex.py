"""Reads ``references.bib`` into References. Errors in it become findings.

``scanner`` parses the entries. This module follows crossrefs, turns names and LaTeX into plain
text, and checks the fields. The findings are PN401 for an entry that does not parse, PN402 for a
key that appears twice, and PN403 for a field that is missing or malformed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from perfnotes.model.reference import Reference
from perfnotes.source.bib import identifiers
from perfnotes.source.bib.latex import verbatim, without_latex
from perfnotes.source.bib.names import Names, read_names
from perfnotes.source.bib.printer import PRIVATE, pretty
from perfnotes.source.bib.scanner import BibEntry, Budget, scan
from perfnotes.text.cut import cut
from perfnotes.text.nearest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from perfnotes.source.bib.identifiers import Identifier
    from perfnotes.text.findings import Finding
    from perfnotes.text.source import Source

_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:.+-]*")
_YEAR = re.compile(r"[0-9]{4}")
_DATE = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}(/.*)?")
_ADDRESS = re.compile(r"https?://[^\s<>\"{}]+")
_PAGE_RANGE = re.compile(r"([0-9]{1,9}) ?- ?([0-9]{1,9})")
_CHAIN = 5  # crossrefs that are followed, one after another
_GUESSES = 20  # unknown crossrefs for which the nearest key is searched, which takes time

# The fields that say where an entry appeared, by its type. After them _ANY_VENUE is tried.
_VENUES = {
    "article": ("journal", "journaltitle"),
    "inproceedings": ("booktitle",),
    "conference": ("booktitle",),
    "incollection": ("booktitle",),
    "inbook": ("booktitle", "publisher"),
    "book": ("publisher",),
    "proceedings": ("publisher", "organization"),
    "phdthesis": ("school", "institution"),
    "mastersthesis": ("school", "institution"),
    "thesis": ("school", "institution"),
    "techreport": ("institution",),
    "report": ("institution",),
    "manual": ("organization", "publisher"),
}
_ANY_VENUE = ("howpublished", "journal", "journaltitle", "booktitle", "school", "institution",
              "organization", "publisher")  # fmt: skip
# Types that need no author.
_ANONYMOUS = frozenset({"misc", "manual", "proceedings", "booklet", "online", "electronic", "www",
                        "software", "dataset"})  # fmt: skip
UNDATED = _ANONYMOUS | {"unpublished"}
_NEEDED_VENUE = {"article": "journal", "inproceedings": "booktitle", "conference": "booktitle",
                 "incollection": "booktitle"}  # fmt: skip
# Parts of a book. Those in _TITLED_PARTS have a title of their own, so they do not inherit the
# parent's title, except as their ``booktitle``.
_TITLED_PARTS = frozenset({"inproceedings", "conference", "incollection"})
_PARTS = _TITLED_PARTS | {"inbook"}
# Fields that describe the parent alone, which a crossref does not pass on.
_NOT_INHERITED = PRIVATE | {
    "crossref", "title", "subtitle", "doi", "url", "eprint", "archiveprefix", "eprinttype",
    "primaryclass", "eprintclass", "pages", "abstract", "key",
}  # fmt: skip
# Fields that a Reference has as attributes, so that its ``fields`` leaves them out.
_OWN_ATTRIBUTES = PRIVATE | {"title", "author", "editor", "year", "doi", "url", "isbn", "crossref"}
_ARXIV_FIELDS = frozenset({"eprint", "archiveprefix", "eprinttype", "primaryclass", "eprintclass"})


def is_key(text: str) -> bool:
    """Whether this text can be the key of a reference, so that notes can cite it."""
    return _KEY.fullmatch(text) is not None


def read(source: Source) -> tuple[dict[str, Reference], list[Finding]]:
    """Return the References of a BibTeX file by key, in the order of the file, and findings."""
    budget = Budget()
    entries, findings = scan(source, budget)
    bibliography = _Bibliography(source, budget)
    for entry in entries:
        bibliography.add(entry)
    references = {e.key: bibliography.reference(e) for e in bibliography.entries.values()}
    return references, sorted([*findings, *bibliography.findings])


class _Bibliography:
    """The file's entries by lower-case key, and the findings about them."""

    def __init__(self, source: Source, budget: Budget) -> None:
        self.source = source
        self.budget = budget
        self.entries: dict[str, BibEntry] = {}
        self.findings: list[Finding] = []
        self.guesses = 0

    def add(self, entry: BibEntry) -> None:
        """Add an entry, unless its key cannot be cited or is used already: that is a finding."""
        shown = cut(entry.key, 60)
        first = self.entries.get(entry.key.lower())
        if not is_key(entry.key):
            hint = "a key has letters, digits and _ : . + - and starts with a letter or digit"
            self._wrong(entry.offset, f"a key that cannot be cited: {shown!r}", hint)
        elif first is not None:
            line, _ = self.source.position(first.offset)
            also = "" if first.key == entry.key else f" (there as {first.key!r})"
            message = f"the key {shown!r} is already used at line {line}{also}"
            self.findings.append(
                self.source.finding(entry.offset, "PN402", message, "rename or remove one of them")
            )
        else:
            self.entries[entry.key.lower()] = entry

    def reference(self, entry: BibEntry) -> Reference:
        """Make the Reference of an entry: with the fields it inherits, in plain text."""
        fields = self._inherited(entry)
        authors = self._names(entry, fields, "author")
        editors = self._names(entry, fields, "editor")
        year = self._year(entry, fields)
        doi = self._identifier(entry, "doi", identifiers.doi, fields)
        url = self._identifier(entry, "url", identifiers.web_url, fields)
        arxiv = self._arxiv(entry, fields, doi, url)
        url = url or _address(fields)
        venue = _venue(entry.type, fields) or ("arXiv" if arxiv else "")
        title = without_latex(fields.get("title", ""))
        self._check(entry, fields, title, venue)
        left_out = _OWN_ATTRIBUTES | _ARXIV_FIELDS if arxiv else _OWN_ATTRIBUTES
        others = authors.others if authors.persons else editors.others
        return Reference(
            key=entry.key,
            type=entry.type,
            title=title,
            authors=authors.persons,
            editors=editors.persons,
            others=others,
            year=year,
            venue=venue,
            fields=tuple((n, _readable(n, v)) for n, v in fields.items() if n not in left_out),
            doi=doi,
            arxiv=arxiv,
            url=url,
            isbn=verbatim(fields.get("isbn", "")),
            keywords=_keywords(entry.fields.get("keywords", "")),
            bibtex=pretty(entry.type, entry.key, fields),
            offset=entry.offset,
        )

    def _inherited(self, entry: BibEntry) -> dict[str, str]:
        """Return the entry's fields and those that it inherits by crossrefs."""
        fields = dict(entry.fields)
        seen = {entry.key.lower()}
        child = entry
        while (target := verbatim(child.fields.get("crossref", ""))) and len(seen) <= _CHAIN:
            parent = self.entries.get(target.lower())
            if parent is None or target.lower() in seen:
                if child is entry:
                    self._bad_crossref(entry, target, known=parent is not None)
                break
            seen.add(target.lower())
            inherited = _inheritable(entry.type, fields, parent.fields)
            if not self.budget.take(sum(map(len, inherited.values()))):
                self._wrong(entry.place("crossref"), "the crossrefs of this file grow too large")
                break
            fields.update(inherited)
            child = parent
        fields.pop("crossref", None)
        return fields

    def _bad_crossref(self, entry: BibEntry, target: str, *, known: bool) -> None:
        place = entry.place("crossref")
        if known:
            self._wrong(place, f"the crossref of {entry.key!r} leads back to itself")
            return
        self.guesses += 1
        keys = [e.key for e in self.entries.values()] if self.guesses <= _GUESSES else []
        guess = nearest(target[:60], keys)
        hint = f"did you mean {guess!r}?" if guess else ""
        self._wrong(place, f"the crossref leads to an unknown key: {target[:60]!r}", hint)

    def _names(self, entry: BibEntry, fields: dict[str, str], role: str) -> Names:
        names = read_names(fields.get(role, ""))
        if role in entry.fields:
            for problem in dict.fromkeys(names.problems):
                self._wrong(entry.place(role), f"{role}: {problem}",
                            "names are divided by ' and ', each one 'Family, Given'")  # fmt: skip
        return names

    def _year(self, entry: BibEntry, fields: dict[str, str]) -> str:
        name = "year" if "year" in fields or "date" not in fields else "date"
        year = without_latex(fields.get(name, ""))
        if name == "date":
            year = year[:4] if _DATE.fullmatch(year) else year
        if name in entry.fields and not _YEAR.fullmatch(year):
            self._wrong(entry.place(name), f"the year {year[:60]!r} is not four digits")
        elif not year and entry.type not in UNDATED:
            self._wrong(entry.offset, f"{entry.key!r} has no year")
        return year

    def _identifier(
        self,
        entry: BibEntry,
        name: str,
        reader: Callable[[str], Identifier],
        fields: dict[str, str],
    ) -> str:
        text = verbatim(fields.get(name, ""))
        if not text:
            return ""
        found = reader(text)
        if found.problem and name in entry.fields:
            self._wrong(entry.place(name), found.problem, found.hint)
        return found.value

    def _arxiv(self, entry: BibEntry, fields: dict[str, str], doi: str, url: str) -> str:
        archive = fields.get("archiveprefix", fields.get("eprinttype", ""))
        if without_latex(archive).lower() == "arxiv":
            return self._identifier(entry, "eprint", identifiers.arxiv, fields)
        if not archive and (bare := identifiers.arxiv(verbatim(fields.get("eprint", "")))).value:
            return bare.value
        mentions = (without_latex(fields.get(n, "")) for n in ("journal", "howpublished"))
        places = (url, doi, *mentions)
        return next(filter(None, map(identifiers.arxiv_mention, places)), "")

    def _check(self, entry: BibEntry, fields: dict[str, str], title: str, venue: str) -> None:
        for name, place in dict(reversed(entry.repeated)).items():
            message = f"{entry.key!r} has the field {name[:60]!r} twice"
            self._wrong(place, message, "the first one counts")
        if not title:
            self._wrong(entry.offset, f"{entry.key!r} has no title")
        people = ("author", "editor", "organization", "institution")
        if entry.type not in _ANONYMOUS and not any(
            without_latex(fields.get(n, "")) for n in people
        ):
            self._wrong(entry.offset, f"{entry.key!r} has no author, editor or organization")
        needed = _NEEDED_VENUE.get(entry.type)
        if needed and not venue:
            self._wrong(entry.offset, f"{entry.key!r} has no {needed}")

    def _wrong(self, offset: int, message: str, hint: str = "") -> None:
        self.findings.append(self.source.finding(offset, "PN403", message, hint))


def _inheritable(kind: str, fields: dict[str, str], parent: dict[str, str]) -> dict[str, str]:
    """Return the fields that an entry inherits from its parent, the entry its crossref names."""
    inherited = {n: v for n, v in parent.items() if n not in _NOT_INHERITED and n not in fields}
    title = parent.get("title")
    if title is None:
        return inherited
    if "title" not in fields and kind not in _TITLED_PARTS:
        inherited["title"] = title
    elif kind in _PARTS and "booktitle" not in fields:
        inherited.setdefault("booktitle", title)
    return inherited


def _venue(kind: str, fields: dict[str, str]) -> str:
    """Return where the entry appeared, without the addresses that ``howpublished`` may hold."""
    for name in (*_VENUES.get(kind, ()), *_ANY_VENUE):
        venue, cut = _ADDRESS.subn("", without_latex(fields.get(name, "")))
        if cut:
            venue = venue.strip(" ,;:()")
        if venue:
            return "arXiv" if venue.lower().startswith("arxiv") else venue
    return ""


def _address(fields: dict[str, str]) -> str:
    """Return the web address in ``howpublished`` or ``note``, where older BibTeX styles put it."""
    for name in ("howpublished", "note"):
        found = _ADDRESS.search(without_latex(fields.get(name, "")))
        if found and (url := identifiers.web_url(found.group().rstrip(".,;:)"))).value:
            return url.value
    return ""


def _readable(name: str, value: str) -> str:
    if name in ("issn", "eprint", "urldate"):
        return verbatim(value)
    if name != "pages":
        return without_latex(value)
    parts = (part.strip() for part in without_latex(value).split(","))
    ranges = ((part, _PAGE_RANGE.fullmatch(part)) for part in parts)
    return ", ".join(f"{found[1]}–{found[2]}" if found else part for part, found in ranges)


def _keywords(text: str) -> tuple[str, ...]:
    words = (without_latex(word) for word in re.split("[,;]", text))
    return tuple(dict.fromkeys(word for word in words if word))
