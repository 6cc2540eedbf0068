"""Prefixes with more words behind them than one shard holds: what to show for them at once.

Somebody who has typed ``me`` gets the pages of the commonest words that begin so, from one lookup
of ``me*`` instead of one of every shard between ``me`` and ``mf``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

_WORDS = 16  # behind a prefix that are looked at
_EACH = 40  # postings of each of them
_LONGEST = 4

Postings = list[tuple[int, int, int]]


def wide_prefixes(
    terms: Sequence[str],
    size: Callable[[str], int],
    postings: Callable[[str], Postings],
    shard: int,
) -> dict[str, Postings]:
    """By ``prefix*`` the strongest postings behind it, for every prefix that needs them."""
    best: dict[str, Postings] = {}
    found: dict[str, Postings] = {}
    for length in range(1, _LONGEST + 1):
        at = 0
        while at < len(terms):
            prefix = terms[at][:length]
            end, total = at, 0
            while end < len(terms) and terms[end].startswith(prefix):
                total += min(2000, size(terms[end])) * 3 + len(terms[end]) // 2 + 2
                end += 1
            is_short = length == 1 and prefix.isascii()
            if len(prefix) == length and total > shard and not is_short:
                found[f"{prefix}*"] = _merged(terms[at:end], prefix, size, postings, best)
            at = end
    return found


def _merged(
    terms: Sequence[str],
    prefix: str,
    size: Callable[[str], int],
    postings: Callable[[str], Postings],
    best: dict[str, Postings],
) -> Postings:
    common = sorted((t for t in terms if t != prefix), key=lambda t: (-size(t), t))[:_WORDS]
    pages: dict[int, tuple[int, int]] = {}
    for term in common:
        if term not in best:
            strongest = sorted(postings(term), key=lambda p: (-p[1], p[0]))
            best[term] = strongest[:_EACH]
        for page, impact, block in best[term]:
            if impact > pages.get(page, (-1, 0))[0]:
                pages[page] = (impact, block)
    kept = sorted(pages.items(), key=lambda item: (-item[1][0], item[0]))[: 5 * _EACH]
    return sorted((page, impact, block) for page, (impact, block) in kept)
