"""Names in a query: the pages with these names, and other names of the same things."""

from __future__ import annotations

from perfnotes.search.analysis import Analysis, analyse
from perfnotes.search.constants import MOST_EXPANSIONS
from perfnotes.search.lookup import TermLookup
from perfnotes.search.scoring import Ranked


def add_names(found: Analysis, ranked: Ranked, terms: TermLookup) -> None:
    """Put pages first whose name is the whole query; raise those whose name is a part of it."""
    for i, slot in enumerate(found.slots):
        for name in terms.names(slot.term):
            if name.key == found.key and i == 0:
                ranked.put_first(name.pages)
            elif _has_name_at(name.key, slot.at, found):
                share = len(name.key) / len(found.key)
                ranked.favour(name.pages, 0.3 * share)


def expansions(found: Analysis, terms: TermLookup) -> list[tuple[int, int, str]]:
    """Return other names of the things that the query names, with the range that each replaces.

    The range is a pair of offsets in the query's key. A name inside a longer name is not replaced:
    "cache miss" in "cache miss rate". The first other name of every thing comes before the second
    of any. There are at most ``MOST_EXPANSIONS``.
    """
    names = [
        (slot.at, end, name.spellings)
        for slot in found.slots
        for name in terms.names(slot.term)
        if name.spellings and (end := _name_end(name.key, slot.at, found))
    ]
    rows: list[tuple[int, int, int, str]] = []
    seen: set[str] = set()
    for start, end, spellings in names:
        if any(a <= start and end <= b and b - a > end - start for a, b, _ in names):
            continue
        rank = 0
        for spelling in spellings:
            key = analyse(spelling).key
            if key not in seen and key not in found.key:
                seen.add(key)
                rows.append((rank, start, end, spelling))
                rank += 1
    rows.sort(key=lambda row: row[0])
    return [(start, end, spelling) for _, start, end, spelling in rows[:MOST_EXPANSIONS]]


def _has_name_at(key: str, at: int, found: Analysis) -> bool:
    """Return whether the query has a name at offset ``at`` that ends where a word ends."""
    return found.key.startswith(key, at) and at + len(key) in found.bounds


def _name_end(key: str, at: int, found: Analysis) -> int:
    """Return the offset after the name at ``at``, or after its plural; 0 if it is not there."""
    end = at + len(key)
    if not found.key.startswith(key, at):
        return 0
    if end in found.bounds:
        return end
    return end + 1 if found.key.startswith("s", end) and end + 1 in found.bounds else 0


def joined_words(found: Analysis) -> list[tuple[int, int, str]]:
    """Return each hyphenated word of the query joined into one, with its range in the key."""
    return [(s.at, s.at + len(s.joined), s.joined) for s in found.slots if s.joined]
