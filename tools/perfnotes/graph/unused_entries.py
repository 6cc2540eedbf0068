"""Entries of ``chosen`` and ``waived`` that neither a note nor its translation needs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perfnotes.graph.coverage import Coverage, UnusedEntry


def unused_entries(
    coverages: Iterable[Coverage],
) -> Iterator[tuple[Coverage, UnusedEntry]]:
    """Yield the entries of ``chosen`` and ``waived`` that no quantity needs, and their texts.

    The entries of a note count for its translation too, so one that the translation needs is used.
    """
    found = list(coverages)
    needed: dict[str, frozenset[str]] = {}
    for each in found:
        needed[each.links.text.id] = needed.get(each.links.text.id, frozenset()) | each.needed
    for each in found:
        for entry in each.unused:
            if entry.text not in needed[each.links.text.id]:
                yield each, entry
