"""The general glossary: names of one thing, in both languages, for any folder of notes.

Each line of ``general_terms.json`` holds the names of one thing, as the field's books and manuals
use them, and sources that confirm the names. A search for one name also looks for the others that
occur in the folder. The folder's own glossary has precedence: a name that it has keeps its meaning
there.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from perfnotes.search.analysis import analyse, key_and_terms
from perfnotes.search.codec import page_of, posting
from perfnotes.search.index import Index, OtherNames

FILE = Path(__file__).with_name("general_terms.json")


class GeneralName(Struct, frozen=True):
    """A name as it is written, its key, and the terms of its slots.

    The name occurs on a page that has all these terms. An abbreviation may stand for different
    things: if a folder's own glossary has it too, it may mean something else there.
    """

    text: str
    key: str
    terms: tuple[str, ...]
    is_abbreviation: bool


class OccurringNames(Struct, frozen=True):
    """The names that occur in an index, for each line of the glossary.

    ``lines`` maps each form of a term to the lines that have a name with this term. If no page gets
    or loses any of these forms, the same names occur.
    """

    names: tuple[frozenset[str], ...]
    lines: dict[str, tuple[int, ...]]

    def still_occur(self, index: Index, moved: Collection[str]) -> bool:
        """Return whether the same names occur after some pages got or lost the terms ``moved``."""
        lines = {line for form in self.lines.keys() & moved for line in self.lines[form]}
        terms = _read_terms() if lines else []
        return all(self.names[i] == _occurring(index, tuple(_names(terms[i]))) for i in lines)


@lru_cache(maxsize=1)
def general_terms() -> tuple[tuple[GeneralName, ...], ...]:
    """Return the names of each thing: English, abbreviations, Chinese, other English names."""
    return tuple(tuple(_names(term)) for term in _read_terms())


def _read_terms() -> list[dict[str, Any]]:
    terms: list[dict[str, Any]] = json.loads(FILE.read_text("utf-8"))
    return terms


def _names(term: dict[str, Any]) -> Iterator[GeneralName]:
    for kind in ("en", "abbr", "zh", "other"):
        for text in [term["en"]] if kind == "en" else term[kind]:
            found = analyse(text)
            terms = tuple(slot.term for slot in found.slots)
            yield GeneralName(text, found.key, terms, kind == "abbr")


def occurring_names(index: Index) -> OccurringNames:
    """Return which names of the general glossary occur in an index."""
    lines: dict[str, dict[int, None]] = {}
    for i, names in enumerate(general_terms()):
        for form in {form for name in names for term in name.terms for form in _forms(term)}:
            lines.setdefault(form, {})[i] = None
    found = tuple(_occurring(index, names) for names in general_terms())
    return OccurringNames(found, {form: tuple(numbers) for form, numbers in lines.items()})


def _occurring(index: Index, names: Sequence[GeneralName]) -> frozenset[str]:
    return frozenset(name.text for name in names if _occurs(index, name.terms))


def general_names(index: Index, occurring: OccurringNames) -> OtherNames:
    """Return the other names that the general glossary has for a name, by its first term and key.

    Only names that occur in the index are returned. If a term of the folder's own glossary has a
    name of a line, the term's names get the names of the line that the term lacks. If two terms of
    the folder have names of one line, they are different things in this folder, so the line is left
    out.
    """
    found: OtherNames = {}
    for names, present in zip(general_terms(), occurring.names, strict=True):
        if not present:
            continue
        same = {
            g for n in names if not n.is_abbreviation for g in index.own_groups(n.terms[0], n.key)
        }
        if len(same) > 1:
            continue
        own = next(iter(same), ())
        free = [n for n in names if not index.own_groups(n.terms[0], n.key)]
        more = [n.text for n in free if n.text in present]
        for text in own if more else ():
            key, firsts = key_and_terms(text)
            for first in firsts:
                found.setdefault(first, {})[key] = tuple(more)
        for name in free:
            others = tuple(text for text in (*own, *more) if text != name.text)
            for first in key_and_terms(name.text)[1] if others else ():
                found.setdefault(first, {})[name.key] = others
    return found


def _occurs(index: Index, terms: Sequence[str]) -> bool:
    """Return whether some page has all the terms, in singular or plural."""
    rows = sorted((_postings(index, term) for term in terms), key=len)
    first, *rest = rows
    return any(all(_has_page(row, page_of(one)) for row in rest) for one in first)


def _postings(index: Index, term: str) -> Sequence[int]:
    for form in _forms(term):
        found = index.postings.get(form)
        if found is not None:
            return (found,) if isinstance(found, int) else found
    return ()


def _forms(term: str) -> tuple[str, ...]:
    """Return a term, its plural and its singular, in the order in which they are looked up."""
    return term, f"{term}s", term.removesuffix("s")


def _has_page(row: Sequence[int], page: int) -> bool:
    at = bisect_left(row, posting(page, 0, 0))
    return at < len(row) and page_of(row[at]) == page
