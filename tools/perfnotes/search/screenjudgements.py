"""People's judgements of first screens and of cards: whether they answer the query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from perfnotes.search.evaluate import JudgedError
from perfnotes.source import yamlnodes


class ScreenJudgement(Struct, frozen=True):
    """Whether the first screen at a place, or the card that shows the place, answers a query.

    ``query`` is the query's id, ``place`` is ``page`` or ``page#section``, and ``digest`` is the
    ``screen_digest`` of the text that was read.
    """

    query: str
    place: str
    digest: str
    answers: bool
    reason: str


Judgements = dict[tuple[str, str], ScreenJudgement]
"""Judgements by query id and place."""


# The kinds of judgements. The names of their files contain these words.
SCREENS, CARDS = "screens", "cards"


def judgements_beside(queries: Path, kind: str = SCREENS) -> Path:
    """Return the file of the judgements that belong to a file of queries."""
    return queries.with_name(queries.name.replace("queries", kind))


def read_judgements(file: Path) -> Judgements:
    """Read judgements from YAML. Raises ``JudgedError`` if the file is not such a list.

    The result is empty if there is no such file, or if its name contains neither kind.
    """
    if not (SCREENS in file.name or CARDS in file.name) or not file.is_file():
        return {}
    try:
        rows: Any = yamlnodes.value(file.read_text(encoding="utf-8"))
        return {
            (query, place): ScreenJudgement(query, place, **row)
            for query, screens in (rows or {}).items()
            for place, row in screens.items()
        }
    except (OSError, UnicodeDecodeError, yamlnodes.YamlError, AttributeError, TypeError) as error:
        raise JudgedError(f"{file} holds no judgements of screens: {error}") from None
