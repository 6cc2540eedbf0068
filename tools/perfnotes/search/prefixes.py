"""Prefixes with more words behind them than one shard holds: what to show for them at once.

Somebody who has typed ``me`` gets the pages of the commonest words that begin so, from one lookup
of ``me*`` instead of one of every shard between ``me`` and ``mf``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate

from perfnotes.search.codec import impact_of, page_of

_WORDS = 16  # behind a prefix that are looked at
_EACH = 40  # postings of each of them
_LONGEST = 4
_END = "\U0010ffff"


def wide(terms: Sequence[str], df: Mapping[str, int], shard: int) -> Iterator[tuple[str, int, int]]:
    """Every prefix with more behind it than one shard holds, and which of the terms those are."""
    lengths = (min(2000, df[term]) * 3 + len(term) // 2 + 2 for term in terms)
    sums = list(accumulate(lengths, initial=0))
    for length in range(1, _LONGEST + 1):
        at = 0
        while at < len(terms):
            prefix = terms[at][:length]
            end = bisect_left(terms, prefix + _END, at)
            is_short = length == 1 and prefix.isascii()
            if len(prefix) == length and sums[end] - sums[at] > shard and not is_short:
                yield prefix, at, end
            at = end


def merged(
    terms: Sequence[str],
    prefix: str,
    df: Mapping[str, int],
    strongest: Callable[[str, int], list[int]],
    best: dict[str, list[int]],
) -> list[int]:
    """The strongest postings behind a prefix; ``best`` keeps those of each term."""
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
