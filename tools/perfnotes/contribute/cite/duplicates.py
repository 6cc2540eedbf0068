"""Finds the reference for the same work as a Record, by DOI, arXiv id or a similar title."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

from msgspec import Struct

from perfnotes.contribute.cite.record import Record, arxiv_id
from perfnotes.model.reference import Reference

# Titles are similar from this ratio of difflib on: they differ by a plural or a few letters.
_SIMILAR = 0.92
_SHORT = 12  # characters; shorter titles ("Bash manual") resemble too many others
_NOT_WORDS = re.compile(r"[\W_]+")
# An article in a journal appears at most so many years after its preprint.
_YEARS_APART = 3


class Duplicate(Struct, frozen=True):
    """A reference for the same work; ``certain`` if an identifier is equal, not only the title."""

    reference: Reference
    why: str
    certain: bool


def find(record: Record, references: Iterable[Reference]) -> Duplicate | None:
    """Return the reference for the same work, or None.

    Titles are compared only if no identifier is equal.
    """
    known = list(references)
    for each in known:
        if record.doi and record.doi.casefold() == each.doi.casefold():
            return Duplicate(each, f"the same DOI, {each.doi}", certain=True)
        if record.arxiv and record.arxiv == arxiv_id(each.arxiv):
            return Duplicate(each, f"the same arXiv id, {each.arxiv}", certain=True)
    ours = plain_title(record.title)
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(ours)
    for each in known:
        theirs = plain_title(each.title)
        if not ours or not theirs or _years_differ(record.year, each.year):
            continue
        if ours == theirs and (len(ours) >= _SHORT or _same_people(record, each)):
            return Duplicate(each, "the same title", certain=False)
        if min(len(ours), len(theirs)) < _SHORT or _differ_by_a_number(ours, theirs):
            continue
        matcher.set_seq1(theirs)
        if matcher.real_quick_ratio() >= _SIMILAR and matcher.quick_ratio() >= _SIMILAR:
            ratio = matcher.ratio()
            if ratio >= _SIMILAR:
                return Duplicate(each, f"a title {ratio:.0%} like it: {each.title}", certain=False)
    return None


@lru_cache(maxsize=20_000)
def plain_title(title: str) -> str:
    """Return the words of a title in lower case, without accents and punctuation."""
    text = unicodedata.normalize("NFKD", title).casefold()
    return " ".join(_NOT_WORDS.sub(" ", "".join(c for c in text if not _is_mark(c))).split())


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) == "Mn"


def _same_people(record: Record, reference: Reference) -> bool:
    ours, theirs = record.authors or record.editors, reference.authors or reference.editors
    return bool(ours and theirs) and ours[0].family.casefold() == theirs[0].family.casefold()


def _years_differ(one: str, other: str) -> bool:
    if not (one.isdecimal() and other.isdecimal()):
        return False
    return abs(int(one) - int(other)) > _YEARS_APART


def _differ_by_a_number(one: str, other: str) -> bool:
    """Return whether the words with digits differ, as in FlashAttention-2 and FlashAttention-3."""
    return _numbers(one) != _numbers(other)


def _numbers(text: str) -> list[str]:
    return [w for w in text.split() if any(c.isdecimal() for c in w)]
