"""What differs between two lists of documents, and the new numbers of those that stay."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from perfnotes.search.document import SearchDocument

GONE = -1


class EditedDocuments(Struct, frozen=True):
    """The documents that come, go or are different.

    ``numbers`` has the new number of each earlier document, or GONE. ``made`` has the number, the
    earlier document with the same name and the new one, of those that are new or different;
    ``gone`` has the earlier numbers of those that are no more.
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
        """The number from which on documents have other numbers than before, and what was added.

        None if that is not the same for all of them.
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
        """The earlier and the new document of each that differs, None where there is none."""
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
