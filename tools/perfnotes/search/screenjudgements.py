"""What people judged of first screens and of cards: whether what is in sight answers the query."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from perfnotes.search.evaluate import JudgedError
from perfnotes.source import yamlnodes


class ScreenJudgement(Struct, frozen=True):
    """Whether the first screen at a place, or the card that shows the place, answers a query.

    ``query`` is the query's id, ``place`` is ``page`` or ``page#section``, and ``digest`` is that
    of the text that was read.
    """

    query: str
    place: str
    digest: str
    answers: bool
    reason: str


Judgements = dict[tuple[str, str], ScreenJudgement]
"""Judgements by query id and place."""


SCREENS, CARDS = "screens", "cards"  # what files of judgements are about, and are named by


def judgements_beside(queries: Path, kind: str = SCREENS) -> Path:
    """Return the file of the judgements that belong to a file of queries."""
    return queries.with_name(queries.name.replace("queries", kind))


def read_judgements(file: Path) -> Judgements:
    """Read judgements; none if there is no such file. Raises ``JudgedError``."""
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
