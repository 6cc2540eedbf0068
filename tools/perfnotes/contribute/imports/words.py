"""The words of a text in their order, to prove that none was lost on the way."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")


def words(text: str) -> list[str]:
    """Runs of letters and digits, and each Chinese character by itself."""
    return _WORD.findall(text)


def missing(wanted: Sequence[str], given: Iterable[str]) -> list[str]:
    """Those of ``wanted`` that do not come, in their order, in ``given``.

    A word that is found only before its turn counts as missing: the order is part of the text.
    """
    places: dict[str, list[int]] = {}
    for i, word in enumerate(given):
        places.setdefault(word, []).append(i)
    for found in places.values():
        found.reverse()
    at = -1
    lost = []
    for word in wanted:
        rest = places.get(word, [])
        while rest and rest[-1] <= at:
            rest.pop()
        if rest:
            at = rest.pop()
        else:
            lost.append(word)
    return lost
