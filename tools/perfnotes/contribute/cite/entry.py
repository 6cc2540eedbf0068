"""Writing a Record as an entry of ``references.bib``, in our order, columns and use of braces."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from perfnotes.contribute.cite.frombibtex import protected
from perfnotes.contribute.cite.record import Record
from perfnotes.model.reference import Person
from perfnotes.source.bib.scanner import Budget, scan
from perfnotes.text.source import Source

_ORDER = (
    "author", "shortauthor", "editor", "title", "booktitle", "journal", "series", "edition",
    "chapter", "volume", "number", "pages", "articleno", "publisher", "school", "institution",
    "organization", "howpublished", "type", "address", "year", "month", "doi", "eprint",
    "archivePrefix", "isbn", "url", "note", "keywords",
)  # fmt: skip
_COLUMN = 13  # the width of field names, so that the values are aligned
# LaTeX would also make one sign of two hyphens or two apostrophes.
_SPECIAL = re.compile(r"[\\{}#$%&_^~`]|-(?=-)|'(?=')")
_LATEX = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
          "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
          "`": r"\textasciigrave{}", "-": "-{}", "'": "'{}"}  # fmt: skip
# The punctuation before a word, the word itself, and the punctuation after it.
_CORE = re.compile(r"^([(\[“‘\"']*)(.*?)([)\]”’\"'.,:;!?]*)$", re.DOTALL)
# BibTeX styles write titles in lower case, which is wrong for words such as GPU, mTLS, I/O, C++.
_CAPITALS = re.compile(r"\w[A-Z]|[A-Z][/.&]?[A-Z]|[A-Z][0-9+#]")
_LATIN = re.compile(r"[A-Z]{2,}")
_VERBATIM = {"\\": "%5C", "{": "%7B", "}": "%7D"}


def entry(record: Record, key: str, known: Collection[str], topic: str = "") -> str:
    """Return the entry's text, which ends with a line feed.

    ``known`` holds words whose capitals must stay; ``topic`` becomes the field ``keywords``.
    """
    values = {name: escaped(value) for name, value in record.fields}
    if "pages" in values:  # here two hyphens mean a dash and must not be escaped
        values["pages"] = values["pages"].replace("-{}", "-").replace("–", "--")
    values |= {
        "author": _people(record.authors, record.others),
        "editor": _people(record.editors, record.others and not record.authors),
        "title": title(record.title, {*known, *record.protected}),
        "year": record.year,
        "month": record.month,
        "doi": _verbatim(record.doi),
        "eprint": record.arxiv,
        "archivePrefix": "arXiv" if record.arxiv else "",
        "url": _verbatim(record.url),
        "keywords": topic,
    }
    lines = []
    for name in _ORDER:
        if value := values.get(name, ""):
            shown = value if name == "month" else f"{{{value}}}"
            lines.append(f"  {name:<{_COLUMN}}= {shown}")
    return ",\n".join([f"@{record.type}{{{key}", *lines]) + "\n}\n"


def title(text: str, known: Collection[str] = ()) -> str:
    """Return a title as BibTeX, with braces around words whose capitals must stay."""
    if not any(c.islower() for c in text) and len(_LATIN.findall(text)) > 2:
        return escaped(text)  # a title all in capitals: no word needs to keep them
    return " ".join(_word(word, known) for word in text.split())


def known_words(source: Source) -> frozenset[str]:
    """Return the words that the bibliography's titles have in braces more often than bare."""
    entries, _ = scan(source, Budget())
    titles = [e.fields.get("title", "") for e in entries]
    braced = Counter(w for t in titles for w in protected(t))
    bare = Counter(w.strip(",.:;!?()") for t in titles for w in t.split())
    return frozenset(w for w, n in braced.items() if n > bare[w])


def escaped(text: str) -> str:
    """Return plain text with the characters escaped that LaTeX would read as commands."""
    return _SPECIAL.sub(lambda m: _LATEX.get(m[0], f"\\{m[0]}"), text)


def _word(word: str, known: Collection[str]) -> str:
    found = _CORE.match(word)
    before, core, behind = found.groups() if found else ("", word, "")
    if core and _is_protected(core, known):
        return f"{escaped(before)}{{{escaped(core)}}}{escaped(behind)}"
    parts = core.split("-")
    if len(parts) > 1 and any(_is_protected(p, known) for p in parts):
        core = "-".join(f"{{{escaped(p)}}}" if _is_protected(p, known) else escaped(p)
                        for p in parts)  # fmt: skip
        return f"{escaped(before)}{core}{escaped(behind)}"
    return escaped(word)


def _is_protected(word: str, known: Collection[str]) -> bool:
    """Return whether a word needs braces as a whole, such as ``GPU`` or ``TLS-1``."""
    if word in known:
        return True
    first, dash, rest = word.partition("-")
    if _CAPITALS.search(first) is None:
        return False
    return not dash or (rest[:1].isdigit() and "-" not in rest)


def _people(people: tuple[Person, ...], others: bool) -> str:
    names = [_name(person) for person in people]
    return " and ".join([*names, "others"] if others and names else names)


def _name(person: Person) -> str:
    parts = [person.family, person.suffix, person.given]
    if not person.given:
        return f"{{{escaped(', '.join(p for p in parts if p))}}}"
    safe = [f"{{{escaped(p)}}}" if re.search(r",|\band\b", p) else escaped(p) for p in parts if p]
    return ", ".join(safe)


def _verbatim(address: str) -> str:
    return "".join(_VERBATIM.get(c, c) for c in address)
