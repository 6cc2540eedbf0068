"""Which row of a note's table of questions answers a query.

A note's top may have a table whose rows hold a question and a short answer. The row is chosen that
has most of the query's words; a word counts less the more rows have it. The twin in JavaScript is
``table-rows.js``.
"""

from __future__ import annotations

from collections.abc import Sequence

from perfnotes.search.analysis import analyse
from perfnotes.search.constants import LANDING
from perfnotes.search.parse import parse
from perfnotes.search.stem import both_spellings, stem
from perfnotes.search.tokens import tokens


def best_row(query: str, rows: Sequence[str]) -> int:
    """Return the index of the row that answers a query; -1 if none has enough of its words.

    Of several equal rows the first one is taken.
    """
    asked = dict.fromkeys(_form(slot.term) for slot in analyse(parse(query).words).slots)
    there = [_words(row) for row in rows]
    has = {form: sum(form in words for words in there) for form in asked}
    best, most = -1, 0.0
    for i, words in enumerate(there):
        found = [form for form in asked if form in words]
        value = sum(1 / has[form] for form in found)
        if value > most and len(found) >= LANDING["row"] * len(asked):
            best, most = i, value
    return best


def _words(text: str) -> set[str]:
    """Return the forms of all words of a text."""
    return {_form(term) for token in tokens(text) for term, _ in token.terms}


def _form(term: str) -> str:
    """Return the stem of a term in its British spelling, which all forms of a word share."""
    return both_spellings(stem(term))[0]
