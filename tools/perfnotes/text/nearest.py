"""Finds the known word that is nearest to a misspelt one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from itertools import chain

from msgspec import Struct


def nearest(word: str, known: Iterable[str], cutoff: float = 0.8) -> str | None:
    """Return the known word most like ``word``, or None if none reaches ``cutoff``.

    Likeness is difflib's ratio: twice the matching characters divided by all characters of both.
    Capitals make no difference. For a word of three characters the cutoff is at least 0.85, so that
    ``bash`` is near enough to ``bsh``, which lacks one of its characters, and ``bsd`` is not. Words
    of fewer characters are too short to guess from. Of words in one folder, as ``caches/rows`` and
    ``caches/lines`` are, only what follows the folder is compared.
    """
    folder = word[: word.rfind("/") + 1]
    if folder:
        known = list(known)
        inside = [each.removeprefix(folder) for each in known if each.startswith(folder)]
        if beside := nearest(word.removeprefix(folder), inside, cutoff):
            return f"{folder}{beside}"
        known = [each for each in known if not each.startswith(folder)]
    if len(word) < 3:
        return None
    if len(word) == 3:
        cutoff = max(cutoff, 0.85)
    best, best_ratio = None, cutoff
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(word.lower())
    for candidate in sorted(known):
        matcher.set_seq1(candidate.lower())
        if matcher.real_quick_ratio() < best_ratio or matcher.quick_ratio() < best_ratio:
            continue
        ratio = matcher.ratio()
        if ratio > best_ratio or (ratio == best_ratio and best is None):
            best, best_ratio = candidate, ratio
    return best


def no_such(kind: str, word: str, known: Iterable[str], where: str) -> str:
    """Return the message that no ``kind`` has this name, with the nearest known name.

    If none is near, the message lists the known names. If there are more than 60 of them, it names
    the file ``where`` that lists them all.
    """
    names = list(known)
    guess = nearest(word, names, 0.6)
    hint = f"there are {', '.join(names)}" if 0 < len(names) <= 60 else f"{where} has them all"
    return f"no {kind} is called {word!r}: {f'did you mean {guess}?' if guess else hint}"


class Guesses(Struct):
    """Guesses what the wrong names of one text meant, until ``left`` names were compared.

    A hostile text can hold thousands of wrong names. A guess for each of them would take minutes,
    and only the first findings are shown.
    """

    left: int = 200_000  # some two seconds

    def nearest(self, word: str, *known: Iterable[str], cutoff: float = 0.8) -> str | None:
        """As the function ``nearest``, for several collections; None if ``left`` is used up."""
        if self.left <= 0:
            return None
        names = list(chain.from_iterable(known))
        self.left -= len(names)
        return nearest(word, names, cutoff)
