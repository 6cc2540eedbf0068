"""Analysis of a query or a name: its slots, each of which is one lookup in the index, and its key.

Stop words ("how", "的") are left out if other words remain. All ways to write one name have the
same key: that of ``False sharing``, ``false-sharing`` and ``FalseSharing`` is ``falsesharing``. In
the browser ``analysis.js`` does the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from perfnotes.search.constants import (
    LONELY,
    LONGEST_TERM,
    LOOSE,
    MOST_SIGNS,
    MOST_SLOTS,
    STOP,
    STOP_ZH,
)
from perfnotes.search.tokens import Token, fold, signs_of, tokens

_STOPS_ZH = re.compile(STOP_ZH)


class Slot(Struct, frozen=True):
    """One lookup in the index.

    ``kind`` is word, code (a compound), pair (two Chinese characters), loose (a pair that is hardly
    a word), char (a single Chinese character) or both (two neighbouring words as one). ``at`` is
    the offset in the query's key. ``parts`` are the parts of a compound.
    """

    term: str
    kind: str
    at: int
    parts: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()  # the three longest ends of a compound, the longest first
    joined: str = ""  # the hyphenated word without its hyphens, if the slot is its first part
    is_name: bool = False  # whether it is in capitals, such as UVM: it is never corrected as a typo
    is_option: bool = False  # whether it is an option such as --interleave, or a part of one


class Analysis(Struct, frozen=True):
    """The slots and the key of a text.

    ``bounds`` are the offsets in the key at which a name may begin or end. ``signs`` are the terms
    of signs such as ``[[`` in the text.
    """

    slots: tuple[Slot, ...]
    key: str
    bounds: frozenset[int]
    signs: tuple[str, ...] = ()

    @property
    def is_code(self) -> bool:
        """Whether the text consists of names of code only, such as LD_PRELOAD.

        A reader who searches for such a name wants all pages that have it, even those that say
        little about it.
        """
        return bool(self.slots) and all(slot.kind == "code" for slot in self.slots)

    def is_prefix(self, slot: Slot) -> bool:
        """Return whether the slot also matches terms that begin with its term.

        The last slot does, because its word may be unfinished; so do compounds and single
        characters.
        """
        return slot.kind in ("code", "char") or slot is self.slots[-1]


def analyse(text: str) -> Analysis:
    """Analyse a text; it gets at most ``MOST_SLOTS`` slots."""
    found = list(tokens(text))
    if not found:
        return _analyse_signs(text)
    mixed = any(t.is_cjk for t in found)  # in "A* 算法" the "A" is no stop word
    kept = [
        t
        for t in found
        if t.is_cjk or t.terms[0][0] not in STOP or (mixed and len(t.terms[0][0]) == 1)
    ] or found
    slots: list[Slot] = []
    bounds = {0}
    key = ""
    only_runs = all(t.is_cjk for t in kept)
    for i, token in enumerate(kept):
        if i and is_flag_of(kept[i - 1], token):
            before = slots.pop()
            term = f"{before.term}-{token.terms[0][0]}"
            slots.append(Slot(term, "code", before.at, (before.term, token.terms[0][0])))
            key += token.terms[0][0]
        elif token.is_cjk:
            for run in _runs(token.text, alone=only_runs and len(kept) == 1):
                _add_run(run, len(key), slots, bounds)
                key += run
        else:
            _add_word(token, len(key), slots)
            key += token.terms[0][0]
        bounds.add(len(key))
    signs = tuple(dict.fromkeys(signs_of(text)))[:MOST_SIGNS]
    return Analysis(tuple(slots[:MOST_SLOTS]), key, frozenset(bounds), signs)


def is_flag_of(command: Token, flag: Token) -> bool:
    """Return whether a token is a short option, such as ``-e``, of the command before it."""
    is_short = len(flag.text) <= 3 and flag.text[0] == "-" != flag.text[1]
    return is_short and command.text.isalnum() and command.text.isascii()


def _analyse_signs(text: str) -> Analysis:
    """Analyse a text without letters and digits, such as ``<<<``: only names can match it."""
    key = "".join(fold(text).split())[:LONGEST_TERM]
    slots = (Slot(f"?{key}?", "pair", 0),) if key else ()
    signs = tuple(dict.fromkeys(signs_of(text)))[:MOST_SIGNS]
    return Analysis(slots, key, frozenset((0, len(key))), signs)


@lru_cache(maxsize=65536)
def key_and_terms(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a name's key and the terms under which the index stores the name.

    A name is stored under the term of its first slot. A name that is one hyphenated word, such as
    ``hyper-threading``, is also stored under that word without its hyphens.
    """
    found = analyse(text)
    if not found.slots:
        return "", ()
    first = found.slots[0]
    return found.key, (first.term, first.joined) if first.joined == found.key else (first.term,)


def _runs(text: str, *, alone: bool) -> list[str]:
    """Return the parts of a run of Chinese characters that are left without its stop words.

    A single character of ``LONELY`` is left out too. If nothing is left, the whole run is returned
    if the query has nothing else (``alone``) or the run is one character.
    """
    parts = [part for part in _STOPS_ZH.split(text) if part]
    said = [part for part in parts if len(part) > 1 or part not in LONELY]
    if said:
        return said
    return [text] if alone or len(text) == 1 else []


def _add_run(run: str, at: int, slots: list[Slot], bounds: set[int]) -> None:
    chars = list(run)
    if len(chars) == 1:
        slots.append(Slot(run, "char", at))
    for i, (a, b) in enumerate(pairwise(chars)):
        is_loose = len(chars) > 2 and (a in LOOSE or b in LOOSE)
        slots.append(Slot(a + b, "loose" if is_loose else "pair", at + i))
    bounds.update(range(at, at + len(chars)))


def _add_word(token: Token, at: int, slots: list[Slot]) -> None:
    whole = token.terms[0][0]
    parts = tuple(term for term, role in token.terms[1:] if role == "p")
    ends = tuple(term for term, role in token.terms[1:] if role == "j")
    is_option = token.text.startswith("-")
    if parts and not ends and "-" in token.text.lstrip("-"):
        for part in parts:
            joined = whole if part == parts[0] else ""
            place = at + whole.index(part)
            slots.append(Slot(part, "word", place, joined=joined, is_option=is_option))
        return
    is_name = len(token.text) > 1 and token.text.isupper()
    kind = "code" if parts else "word"
    slots.append(Slot(whole, kind, at, parts, ends[:3], is_name=is_name, is_option=is_option))
