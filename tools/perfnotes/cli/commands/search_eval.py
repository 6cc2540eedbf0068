"""Judge the search by queries whose answers are known.

FILE is YAML, JSON or JSON Lines: a list of {id, class, query, expected: [page ids]}. An id may name
a section, as PAGE#SECTION, and the list is empty if no page answers. Prints, for each class of
queries and for all: how often an expected page is the first result (success@1) or among the first
three (success@3), the mean of 1/rank within the first ten (MRR@10), how often the first result
opens where the answer is (lands), how often queries with an answer were told that there is none
(wrongly), and how often those without an answer (none) were told so (said). Prints too how many
bytes and requests a first visit needs up to its first results.

If beside a file of queries there is one with judgements of first screens, whose name has "screens"
in place of "queries", two columns follow: how often the first result opens where the answer is or
where a reader judged that the first screen answers (answers), and how many of the places where
results open have a judgement of the text as it stands (judged). Three more follow: how often the
first result opens at an answer or its second link does (either), how often the first screen answers
or the card beside it (shown), and how many cards were judged (cards), in a file named with
"cards".
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import to_builtins

from perfnotes.cli.commands._search import add_arguments, engine, notes, reader
from perfnotes.site.scripts import search_script
from perfnotes.source.project import UsageError

if TYPE_CHECKING:
    from perfnotes.graph.site import Site
    from perfnotes.search.answer import SearchResult
    from perfnotes.search.evaluate import (
        EvaluationSummary,
        FirstScreen,
        JudgedQuery,
        QueryOutcome,
    )
    from perfnotes.search.screenjudgements import Judgements

# The columns of the table: the field of a summary, the width, and the field with a count; where
# that count is 0, the column shows "-".
_COLUMNS = {
    "queries": ("queries", 7, ""),
    "success@1": ("success1", 9, "queries"),
    "success@3": ("success3", 9, "queries"),
    "MRR@10": ("mrr", 7, "queries"),
    "lands": ("landed", 6, "queries"),
    "wrongly": ("wrongly", 7, "queries"),
    "none": ("unanswered", 5, ""),
    "said": ("said", 6, "unanswered"),
}
_SCREENS = {
    "answers": ("answering", 7, "queries"),
    "judged": ("judged", 6, "queries"),
    "either": ("either", 6, "queries"),
    "shown": ("shown", 6, "queries"),
    "cards": ("cards", 5, "queries"),
}
_ALL = _COLUMNS | _SCREENS

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
        help="list the queries whose expected page is not the first result or opens elsewhere",
    )


def run(options: argparse.Namespace) -> int:
    from perfnotes.search.evaluate import (
        FirstScreen,
        JudgedError,
        added_files,
        evaluate,
        packed_size,
        read_judged,
    )
    from perfnotes.search.screenjudgements import CARDS, SCREENS

    files = [Path(file) for file in options.file]
    try:
        judged = [each for file in files for each in read_judged(file)]
        places, cards = (_judgements(files, kind) for kind in (SCREENS, CARDS))
    except JudgedError as error:
        raise UsageError(str(error)) from None
    site = notes(options)
    read = reader(options, site)
    if options.site:
        added = added_files(read("app.js") or b"")
    else:
        added = added_files(search_script().encode())
    size = packed_size(lambda name: added.get(name) or read(name))
    screen = _judge(site, places, cards) if site else lambda *_: FirstScreen()
    outcomes = evaluate(engine(read, options.site), judged, size, list(added), screen)
    if options.json:
        print(json.dumps(_as_data(outcomes), ensure_ascii=False, indent=2))
        return 0
    _table(outcomes)
    if options.misses:
        for o in outcomes:
            if line := _miss(o):
                print(line)
    return 0


def _judgements(files: Sequence[Path], kind: str) -> Judgements:
    from perfnotes.search.screenjudgements import judgements_beside, read_judgements

    found: Judgements = {}
    for file in files:
        found |= read_judgements(judgements_beside(file, kind))
    return found


def _judge(
    site: Site, places: Judgements, cards: Judgements
) -> Callable[[JudgedQuery, SearchResult], FirstScreen]:
    """Return a function that looks up the judgements of the screens on which a result opens."""
    from perfnotes.search.evaluate import FirstScreen
    from perfnotes.site.searchable.screens import Screens

    screens = Screens(site)

    def judge(query: JudgedQuery, result: SearchResult) -> FirstScreen:
        lang, other = result.lang, result.other_place
        return FirstScreen(
            screens.judged(places, query.id, result.place, lang),
            screens.judged(places, query.id, other, lang),
            screens.judged_card(cards, query, result.place, lang),
        )

    return judge


def _miss(o: QueryOutcome) -> str:
    """Return a line about a query that is not answered as it should be, or an empty string."""
    start = f"{o.judged.id}: {o.judged.query!r}"
    found = ", ".join((o.landing, *o.found[1:3])) if o.found else "nothing"
    if not o.judged.expected:
        return "" if o.said else f"{start} has no answer; first: {found}"
    if o.rank == 1 and o.answers and not o.said:
        return ""
    told = "; said that there is none" if o.said else ""
    return f"{start} expects {o.judged.expected[0]} (rank {o.rank or '-'}); first: {found}{told}"


def _table(outcomes: list[QueryOutcome]) -> None:
    from perfnotes.search.evaluate import by_class, by_half, costs, summary

    # Only some files of queries name sections, or have queries without an answer.
    places = any("#" in each or not o.judged.expected for o in outcomes
                 for each in o.judged.expected or ("",))  # fmt: skip
    columns = list(_COLUMNS) if places else list(_COLUMNS)[:4]
    if any(o.screen.place is not None for o in outcomes):
        columns += _SCREENS
    rows = {**by_class(outcomes), "all": summary(outcomes), **by_half(outcomes)}
    width = max(16, *(len(name) for name in rows))
    heads = "".join(f" {name:>{_ALL[name][1]}}" for name in columns)
    print(f"{'class':<{width}}{heads}")
    for name, row in rows.items():
        print(_row(name or "-", row, width, columns))
    halves = [h for h in dict.fromkeys(o.judged.half for o in outcomes) if h]
    for half in halves if len(halves) > 1 else ():
        print()
        for name, row in by_class([o for o in outcomes if o.judged.half == half]).items():
            print(_row(f"{half}: {name}", row, width, columns))
    if columns[-1] in _SCREENS:
        refused = sum(o.lands and o.screen.place is False for o in outcomes)
        print(
            "lands: the first result opens at a place that the labels expect\n"
            "answers: the first result opens at such a place, or at a screen judged to answer\n"
            "either: the first result or its second link leads to an answer\n"
            "shown: the screen at which the first result opens answers, or the card beside it\n"
            f"{refused} expected places where a result opens were judged not to answer, and count"
        )
    cost = costs(outcomes)
    print(
        f"first visit, gzip: {cost['bytes_median'] / 1000:.1f} KB median, "
        f"{cost['bytes_worst'] / 1000:.1f} KB worst; {cost['requests_median']:g} requests median, "
        f"{cost['requests_worst']:g} worst"
    )


def _row(name: str, row: EvaluationSummary, first: int, columns: list[str]) -> str:
    cells = ""
    for column in columns:
        field, width, of = _ALL[column]
        value = getattr(row, field)
        text = f"{value:.3f}" if isinstance(value, float) else str(value)
        cells += f" {text if not of or getattr(row, of) else '-':>{width}}"
    return f"{name:<{first}}{cells}"


def _as_data(outcomes: list[QueryOutcome]) -> dict[str, object]:
    from perfnotes.search.evaluate import by_class, by_half, costs, summary

    return {
        "classes": {name: to_builtins(row) for name, row in by_class(outcomes).items()},
        "all": to_builtins(summary(outcomes)),
        "halves": {name: to_builtins(row) for name, row in by_half(outcomes).items()},
        "first_visit": costs(outcomes),
        "queries": [to_builtins(o) for o in outcomes],
    }
