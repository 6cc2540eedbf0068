"""Judge the search by queries whose answers are known.

FILE is YAML, JSON or JSON Lines: a list of {id, class, query, expected: [page ids]}. Prints, for
each class of queries and for all: how often an expected page is the first result (success@1) or
among the first three (success@3), and the mean of 1/rank within the first ten (MRR@10). Prints too
how many bytes and requests a first visit needs up to its first results.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.cli.commands._search import add_arguments, engine, reader
from perfnotes.site.scripts import search_script
from perfnotes.source.project import UsageError

if TYPE_CHECKING:
    from perfnotes.search.evaluate import EvaluationSummary, QueryOutcome

EXAMPLE = "perfnotes search-eval tests/search/judged.yml --misses"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the judged queries")
    add_arguments(parser)
    parser.add_argument(
        "--json", action="store_true", help="print everything as JSON, for programs"
    )
    parser.add_argument(
        "--misses",
        action="store_true",
        help="list the queries whose expected page is not the first result",
    )


def run(options: argparse.Namespace) -> int:
    from perfnotes.search.evaluate import (
        JudgedError,
        added_files,
        evaluate,
        packed_size,
        read_judged,
    )

    try:
        judged = read_judged(Path(options.file))
    except JudgedError as error:
        raise UsageError(str(error)) from None
    read = reader(options)
    if options.site:
        added = added_files(read("app.js") or b"")
    else:
        added = added_files(search_script().encode())
    size = packed_size(lambda name: added.get(name) or read(name))
    outcomes = evaluate(engine(read, options.site), judged, size, list(added))
    if options.json:
        print(json.dumps(_as_data(outcomes), ensure_ascii=False, indent=2))
        return 0
    _table(outcomes)
    if options.misses:
        for o in outcomes:
            if o.rank != 1:
                found = ", ".join(o.found[:3]) or "nothing"
                print(f"{o.judged.id}: {o.judged.query!r} expects {o.judged.expected[0]} "
                      f"(rank {o.rank or '-'}); first: {found}")  # fmt: skip
    return 0


def _table(outcomes: list[QueryOutcome]) -> None:
    from perfnotes.search.evaluate import by_class, by_half, costs, summary

    print(f"{'class':<16} {'queries':>7} {'success@1':>9} {'success@3':>9} {'MRR@10':>7}")
    rows = {**by_class(outcomes), "all": summary(outcomes), **by_half(outcomes)}
    for name, row in rows.items():
        print(_row(name or "-", row))
    cost = costs(outcomes)
    print(
        f"first visit, gzip: {cost['bytes_median'] / 1000:.1f} KB median, "
        f"{cost['bytes_worst'] / 1000:.1f} KB worst; {cost['requests_median']:g} requests median, "
        f"{cost['requests_worst']:g} worst"
    )


def _row(name: str, row: EvaluationSummary) -> str:
    return f"{name:<16} {row.queries:>7} {row.success1:>9.3f} {row.success3:>9.3f} {row.mrr:>7.3f}"


def _as_data(outcomes: list[QueryOutcome]) -> dict[str, object]:
    from perfnotes.search.evaluate import by_class, by_half, costs, summary

    return {
        "classes": {name: asdict(row) for name, row in by_class(outcomes).items()},
        "all": asdict(summary(outcomes)),
        "halves": {name: asdict(row) for name, row in by_half(outcomes).items()},
        "first_visit": costs(outcomes),
        "queries": [asdict(o) for o in outcomes],
    }
