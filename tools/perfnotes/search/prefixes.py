"""Rows for prefixes that begin more words than one shard holds.

A reader who has typed ``me`` gets the pages of the commonest words that begin with ``me``. These
pages are in the single row ``me*``, so the browser need not load every shard between ``me`` and
``mf``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from perfnotes.search.codec import impact_of, page_of

_WORDS = 16  # how many words count for a prefix: the commonest ones
_EACH = 40  # how many postings count for each of these words: the strongest ones
_LONGEST = 4  # characters of the longest prefix with a row
_END = "\U0010ffff"


def wide_prefixes(
    terms: Sequence[str], df: Mapping[str, int], shard: int
) -> Iterator[tuple[str, int, int]]:
    """Yield each prefix whose terms fill more than one shard, as ``(prefix, start, end)``.

    ``terms`` are sorted; those with the prefix are ``terms[start:end]``. ``df`` is the number of
    pages of each term, ``shard`` the size of a shard in characters. A single ASCII letter gets no
    row, nor does a prefix that begins with a whole term: that term has a row of its own.
    """
    sums = list(accumulate((row_size(term, df[term]) for term in terms), initial=0))
    for length in range(1, _LONGEST + 1):
        at = 0
        while at < len(terms):
            prefix = terms[at][:length]
            end = bisect_left(terms, after_all(prefix), at)
            if len(prefix) == length and is_wide(prefix, [sums[end] - sums[at]], shard):
                yield prefix, at, end
            at = end


def is_wide(prefix: str, sizes: Iterable[int], shard: int) -> bool:
    """Return whether a prefix gets a row if its terms have these ``sizes``."""
    return not is_letter(prefix) and sum(sizes) > shard


def is_letter(prefix: str) -> bool:
    """Return whether a prefix is a single ASCII letter or digit, which never gets a row."""
    return len(prefix) == 1 and prefix.isascii()


def row_size(term: str, df: int) -> int:
    """Return about how many characters a term on ``df`` pages takes in a shard."""
    return min(2000, df) * 3 + len(term) // 2 + 2


def prefixes_of(terms: Iterable[str]) -> set[str]:
    """Return the prefixes of these terms that may get a row."""
    lengths = range(1, _LONGEST + 1)
    return {term[:length] for term in terms for length in lengths if len(term) >= length}


def longer_prefixes(term: str, keys: Callable[[str], list[str]]) -> set[str]:
    """Return the longer prefixes that begin with ``term``.

    ``keys`` returns the terms that begin with a prefix.
    """
    if len(term) >= _LONGEST:
        return set()
    return {prefix for prefix in prefixes_of(keys(term)) if len(prefix) > len(term)}


def after_all(prefix: str) -> str:
    """Return a string that sorts after the terms with a prefix and before the terms after them."""
    return prefix + _END


def merged(
    terms: Sequence[str],
    prefix: str,
    df: Mapping[str, int],
    strongest: Callable[[str, int], list[int]],
    best: dict[str, list[int]],
) -> list[int]:
    """Return the strongest packed postings of the commonest terms with a prefix, sorted by page.

    A term that is equal to the prefix has a row of its own, so it is left out. The function
    ``strongest(term, n)`` gives the ``n`` strongest postings of a term, which ``best`` keeps for
    later calls.
    """
    common = sorted((t for t in terms if t != prefix), key=lambda t: (-df[t], t))[:_WORDS]
    pages: dict[int, int] = {}
    for term in common:
        if term not in best:
            best[term] = strongest(term, _EACH)
        for posting in best[term]:
            page = page_of(posting)
            if page not in pages or impact_of(posting) > impact_of(pages[page]):
                pages[page] = posting
    kept = sorted(sorted(pages.values()), key=impact_of, reverse=True)[: 5 * _EACH]
    return sorted(kept)
