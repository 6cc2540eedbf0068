"""Which slots of a query are looked up first, so that its first results need few files."""

from __future__ import annotations

from perfnotes.search.analysis import Analysis, Slot
from perfnotes.search.constants import FIRST_SHARDS
from perfnotes.search.lookup import TermLookup


def first_slots(found: Analysis, terms: TermLookup) -> list[list[Slot]]:
    """Return groups of slots in the order in which they are tried until a page matches.

    The first group holds the slots that probably say most and that lie in at most ``FIRST_SHARDS``
    shards of terms. Then each remaining slot follows as a group of its own, and last the ends and
    parts of compounds.
    """
    # Compounds and long words are probably rare. Pairs of characters overlap, so every second pair
    # has the characters of the others.
    rank = {"code": 20, "word": 0, "pair": 5, "loose": 0, "char": 0}
    guess = [
        rank[s.kind] + (len(s.term) if s.kind not in ("pair", "loose") else (s.at + 1) % 2)
        for s in found.slots
    ]
    order = sorted(range(len(found.slots)), key=lambda i: (-guess[i], i))
    names: set[int] = set()
    for i in order:
        slot = found.slots[i]
        more = names | set(terms.shards(slot, prefix=found.is_prefix(slot)))
        if len(more) <= FIRST_SHARDS:
            names = more
    first = [s for s in found.slots if set(terms.shards(s, prefix=found.is_prefix(s))) <= names]
    rest = [found.slots[i] for i in order if found.slots[i] not in first]
    for slot in found.slots:
        rest += [Slot(end, "code", slot.at) for end in slot.ends[:1]]
        rest += [Slot(part, "word", slot.at) for part in slot.parts]
    return [first, *([slot] for slot in rest)]
