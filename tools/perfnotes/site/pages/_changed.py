"""What an edit of texts has changed, as far as it decides which pages come out different."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ChangedTexts:
    """``notes`` are the ids of the notes whose English or Chinese text is different.

    ``quoted`` are ids of notes and keys of references that other sentences lead to than before,
    ``sized`` the ids of notes whose length or share of traced numbers is different.
    """

    notes: frozenset[str]
    quoted: frozenset[str]
    sized: frozenset[str]

    def __or__(self, other: ChangedTexts) -> ChangedTexts:
        notes, quoted = self.notes | other.notes, self.quoted | other.quoted
        return ChangedTexts(notes, quoted, self.sized | other.sized)
