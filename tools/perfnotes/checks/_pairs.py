"""Findings about two files are reported at both, so that checking either file shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def duplicates(things: Iterable[T], key: Callable[[T], Hashable]) -> Iterator[tuple[T, T]]:
    """Yield each thing whose key another thing has too, together with that other thing.

    The other thing is the first one with the key; for the first one, it is the second.
    """
    groups: dict[Hashable, list[T]] = defaultdict(list)
    for thing in things:
        groups[key(thing)].append(thing)
    for first, *others in groups.values():
        if others:
            yield first, others[0]
            yield from ((other, first) for other in others)
