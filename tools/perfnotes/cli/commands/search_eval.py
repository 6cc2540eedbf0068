"""Judge the search by queries whose answers are known.

FILE is YAML, JSON or JSON Lines: a list of {id, class, query, expected: [page ids]}. An id may name
a section, as PAGE#SECTION, and the list is empty if no page answers. Prints, for each class of
queries and for all: how often an expected page is the first result (success@1) or among the first
three (success@3), the mean of 1/rank within the first ten (MRR@10), how often the first result
opens where the answer is (lands), how often queries with an answer were told that there is none
(wrongly), and how often those without an answer (none) were told so (said). Prints too how many
bytes and requests a first visit needs up to its first results.
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
    parser.add_argument("file", metavar="FILE", nargs="+", help="the judged queries")
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
        judged = [each for file in options.file for each in read_judged(Path(file))]
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
            if line := _miss(o):
                print(line)
    return 0


def _miss(o: QueryOutcome) -> str:
    """Return a line about a query that is not answered as it should be, or an empty string."""
    start = f"{o.judged.id}: {o.judged.query!r}"
    found = ", ".join((o.landing, *o.found[1:3])) if o.found else "nothing"
    if not o.judged.expected:
        return "" if o.said else f"{start} has no answer; first: {found}"
    if o.rank == 1 and o.lands and not o.said:
        return ""
    told = "; said that there is none" if o.said else ""
    return f"{start} expects {o.judged.expected[0]} (rank {o.rank or '-'}); first: {found}{told}"


def _table(outcomes: list[QueryOutcome]) -> None:
    from perfnotes.search.evaluate import by_class, by_half, costs, summary

    # Where an answer is on its page, and what has none, only some files of queries say.
    places = any("#" in each or not o.judged.expected for o in outcomes
                 for each in o.judged.expected or ("",))  # fmt: skip
    rows = {**by_class(outcomes), "all": summary(outcomes), **by_half(outcomes)}
    width = max(16, *(len(name) for name in rows))
    more = f" {'lands':>6} {'wrongly':>7} {'none':>5} {'said':>6}" if places else ""
    print(
        f"{'class':<{width}} {'queries':>7} {'success@1':>9} {'success@3':>9} {'MRR@10':>7}{more}"
    )
    for name, row in rows.items():
        print(_row(name or "-", row, width, places=places))
    halves = [h for h in dict.fromkeys(o.judged.half for o in outcomes) if h]
    for half in halves if len(halves) > 1 else ():
        print()
        for name, row in by_class([o for o in outcomes if o.judged.half == half]).items():
            print(_row(f"{half}: {name}", row, width, places=places))
    cost = costs(outcomes)
    print(
        f"first visit, gzip: {cost['bytes_median'] / 1000:.1f} KB median, "
        f"{cost['bytes_worst'] / 1000:.1f} KB worst; {cost['requests_median']:g} requests median, "
        f"{cost['requests_worst']:g} worst"
    )


def _row(name: str, row: EvaluationSummary, width: int, *, places: bool) -> str:
    ranks = f"{row.success1:>9.3f} {row.success3:>9.3f} {row.mrr:>7.3f}"
    if not row.queries:
        ranks = f"{'-':>9} {'-':>9} {'-':>7}"
    more = ""
    if places:
        answered = (
            f" {row.landed:>6.3f} {row.wrongly:>7.3f}" if row.queries else f" {'-':>6} {'-':>7}"
        )
        said = f" {row.said:>6.3f}" if row.unanswered else f" {'-':>6}"
        more = f"{answered} {row.unanswered:>5}{said}"
    return f"{name:<{width}} {row.queries:>7} {ranks}{more}"


def _as_data(outcomes: list[QueryOutcome]) -> dict[str, object]:
    from perfnotes.search.evaluate import by_class, by_half, costs, summary

    return {
        "classes": {name: asdict(row) for name, row in by_class(outcomes).items()},
        "all": asdict(summary(outcomes)),
        "halves": {name: asdict(row) for name, row in by_half(outcomes).items()},
        "first_visit": costs(outcomes),
        "queries": [asdict(o) for o in outcomes],
    }
