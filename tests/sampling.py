"""Samples, so that the time of a test does not grow with our notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Item = TypeVar("Item")


def at_even_distances(items: Iterable[Item], most: int) -> list[Item]:
    """Return at most ``most`` of the items, the first included, in their order."""
    everything = list(items)
    return everything[:: max(1, -(-len(everything) // most))]
