"""What two files have in common is found at both, so that checking either one shows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")


def with_another(things: Iterable[T], key: Callable[[T], Hashable]) -> Iterator[tuple[T, T]]:
    """Each thing whose key others have too, with one of those: the first, or for it the second."""
    groups: dict[Hashable, list[T]] = defaultdict(list)
    for thing in things:
        groups[key(thing)].append(thing)
    for first, *others in groups.values():
        if others:
            yield first, others[0]
            yield from ((other, first) for other in others)
