"""How two lists of documents differ, and the new numbers of the documents in both."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from perfnotes.search.document import SearchDocument

GONE = -1


class EditedDocuments(Struct, frozen=True):
    """The documents that were added, removed or changed.

    ``numbers`` has the new number of each earlier document, or GONE. ``made`` has, for each
    document that was added or changed, its number, the earlier document with the same name, if
    there is one, and the new document. ``gone`` has the earlier number of each document that was
    removed.
    """

    numbers: list[int]
    made: list[tuple[int, SearchDocument | None, SearchDocument]]
    gone: list[tuple[int, SearchDocument]]

    @property
    def first_renumbered(self) -> int:
        """The first earlier document with another number; if there is none, how many there were."""
        numbers = self.numbers
        return next((i for i, n in enumerate(numbers) if n not in (i, GONE)), len(numbers))

    @property
    def shift(self) -> tuple[int, int] | None:
        """The new number of the first renumbered document, and what was added to its earlier one.

        None if something else was added to the number of a document after it, or their order
        changed.
        """
        first = self.first_renumbered
        kept = [(i, n) for i, n in enumerate(self.numbers[first:], first) if n != GONE]
        by = {n - i for i, n in kept}
        return (kept[0][1], by.pop()) if len(by) == 1 and self.is_in_order else None

    @property
    def is_in_order(self) -> bool:
        """Whether the documents that stay follow each other as before."""
        kept = [number for number in self.numbers if number != GONE]
        return kept == sorted(kept)

    @property
    def pairs(self) -> list[tuple[SearchDocument | None, SearchDocument | None]]:
        """For each document that differs, the earlier and the new one; None where there is none."""
        gone: list[tuple[SearchDocument | None, SearchDocument | None]]
        gone = [(document, None) for _, document in self.gone]
        return [*gone, *((old, new) for _, old, new in self.made)]


def compare(
    before: Sequence[SearchDocument], documents: Sequence[SearchDocument]
) -> EditedDocuments:
    """Compare the documents of an index with those that it is to have."""
    places: dict[tuple[str, ...], list[int]] = {}
    for number in range(len(documents) - 1, -1, -1):
        places.setdefault(documents[number].name, []).append(number)
    numbers: list[int] = []
    gone: list[tuple[int, SearchDocument]] = []
    earlier: dict[int, SearchDocument] = {}
    for old, document in enumerate(before):
        found = places.get(document.name)
        numbers.append(found.pop() if found else GONE)
        if numbers[old] == GONE:
            gone.append((old, document))
        else:
            earlier[numbers[old]] = document
    made = [
        (number, known, document)
        for number, document in enumerate(documents)
        for known in [earlier.get(number)]
        if known is not document and known != document
    ]
    return EditedDocuments(numbers, made, gone)
