"""Judged queries: how high the expected pages stand, by class, and what a first visit costs."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from perfnotes.search.query import Engine
from perfnotes.source import yamlnodes

DEPTH = 10


class JudgedError(ValueError):
    """A file of judged queries that cannot be read; the text says why."""


@dataclass(frozen=True)
class Judged:
    """A query and the ids of the pages that answer it; ``half``: looked at while tuning or not."""

    id: str
    kind: str
    query: str
    expected: tuple[str, ...]
    half: str = ""


@dataclass(frozen=True)
class Outcome:
    """``rank`` of the best-placed expected page, 0 where none is among the first ten."""

    judged: Judged
    rank: int
    found: tuple[str, ...]
    bytes: int = 0
    requests: int = 0


@dataclass(frozen=True)
class Summary:
    """Shares of the queries answered first, among the first three, and the mean of 1/rank."""

    queries: int
    success1: float
    success3: float
    mrr: float


def read_judged(file: Path) -> list[Judged]:
    """From YAML, JSON or JSON Lines, whatever the file is called."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise JudgedError(f"cannot read {file}: {error}") from None
    rows = _rows(text, file)
    if isinstance(rows, dict) and isinstance(rows.get("queries"), list):
        rows = rows["queries"]
    elif isinstance(rows, dict) and "query" in rows:
        rows = [rows]  # one line of JSON Lines
    if not isinstance(rows, list):
        raise JudgedError(f"{file}: not a list of queries")
    return [_judged(row, i, file) for i, row in enumerate(rows)]


def _rows(text: str, file: Path) -> Any:
    if text.lstrip().startswith(("{", "[")):
        try:
            return json.loads(text)
        except RecursionError:
            raise JudgedError(f"{file}: nested too deeply") from None
        except ValueError:
            pass  # one object in each line, or YAML in its flow style
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            pass
    try:
        return yamlnodes.value(text)
    except yamlnodes.YamlError as error:
        line = text.count("\n", 0, error.offset) + 1
        raise JudgedError(f"{file}:{line}: {error.message}") from None


def _judged(row: Any, i: int, file: Path) -> Judged:
    if not isinstance(row, dict) or not isinstance(row.get("query"), (str, int, float)):
        raise JudgedError(f"{file}: entry {i + 1} is no mapping with a query")
    expected = row.get("expected")
    pages = expected if isinstance(expected, list) else [expected]
    if not expected:
        raise JudgedError(f"{file}: entry {i + 1} expects nothing")
    return Judged(
        str(row.get("id", i + 1)), str(row.get("class", "")), str(row["query"]),
        tuple(str(page) for page in pages), str(row.get("half", "")),
    )  # fmt: skip


def evaluate(
    engine: Engine, judged: Iterable[Judged], size: Callable[[str], int], page_files: Sequence[str]
) -> list[Outcome]:
    """Ask every query. ``size`` gives the bytes of a file of the index, packed by gzip."""
    script = sum(size(name) for name in page_files)
    outcomes = []
    for each in judged:
        lang = "en"
        results = engine.search(each.query, lang, DEPTH).results
        ids = list(dict.fromkeys(r.id for r in results))
        rank = next((i for i, id in enumerate(ids, 1) if id in each.expected), 0)
        names = engine.first_paint(each.query, lang)
        weight = script + sum(size(engine.store.file(name)) for name in names)
        outcomes.append(Outcome(each, rank, tuple(ids), weight, len(names) + len(page_files)))
    return outcomes


def summary(outcomes: Sequence[Outcome]) -> Summary:
    """Over all of them."""
    many = len(outcomes) or 1
    return Summary(
        len(outcomes),
        sum(o.rank == 1 for o in outcomes) / many,
        sum(1 <= o.rank <= 3 for o in outcomes) / many,
        sum(1 / o.rank for o in outcomes if o.rank) / many,
    )


def by_class(outcomes: Sequence[Outcome]) -> dict[str, Summary]:
    """In the order in which the classes come first."""
    kinds = dict.fromkeys(o.judged.kind for o in outcomes)
    return {kind: summary([o for o in outcomes if o.judged.kind == kind]) for kind in kinds}


def by_half(outcomes: Sequence[Outcome]) -> dict[str, Summary]:
    """What was looked at while tuning and what was not, where the queries say so."""
    halves = dict.fromkeys(o.judged.half for o in outcomes if o.judged.half)
    return {half: summary([o for o in outcomes if o.judged.half == half]) for half in halves}


def costs(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Bytes and requests up to the first results of a first visit."""
    sizes = [o.bytes for o in outcomes] or [0]
    requests = [o.requests for o in outcomes] or [0]
    return {
        "bytes_median": median(sizes), "bytes_worst": max(sizes),
        "requests_median": median(requests), "requests_worst": max(requests),
    }  # fmt: skip


def packed_size(read: Callable[[str], bytes | None]) -> Callable[[str], int]:
    """The size of a file as a server sends it; each file is packed once."""
    known: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in known:
            known[name] = len(gzip.compress(read(name) or b"", 6))
        return known[name]

    return size


def added_files(assets: Path, script: bytes) -> dict[str, bytes]:
    """What search adds to a page before it is used, by name, one request each.

    ``start.js`` in ``assets`` waits for a key; ``script``, the rest, comes with one style sheet.
    """
    files = [assets / "start.js", assets / "search.css"]
    found = {f"added:{f.name}": f.read_bytes() for f in files if f.is_file()}
    return {**found, "added:app.js": script} if script else found
