"""The figures as Markdown tables and as data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any

from benchmarks.search.interface import Typing, Visit
from benchmarks.search.measured import Engine, Failure
from benchmarks.search.results_page import WINDOWS, ResultsVisit
from msgspec import to_builtins

from perfnotes.search.evaluate import EvaluationSummary, QueryOutcome, by_class, costs, summary

LEXICAL = ("en", "zh", "mixed", "code", "code-part", "prefix", "typo")
_MEASURES: tuple[tuple[str, Callable[[EvaluationSummary], float]], ...] = (
    ("MRR@10", lambda row: row.mrr),
    ("success@1", lambda row: row.success1),
    ("success@3", lambda row: row.success3),
)


def summaries(outcomes: Sequence[QueryOutcome]) -> dict[str, EvaluationSummary]:
    """Summarises the lexical classes together, all queries, and each class."""
    lexical = [o for o in outcomes if o.judged.kind in LEXICAL]
    return {"lexical": summary(lexical), "all": summary(outcomes), **by_class(outcomes)}


def halves(outcomes: Sequence[QueryOutcome]) -> dict[str, dict[str, EvaluationSummary]]:
    """Return ``summaries`` for each half of the queries (``tune`` and the other), if marked."""
    names = dict.fromkeys(o.judged.half for o in outcomes if o.judged.half)
    return {name: summaries([o for o in outcomes if o.judged.half == name]) for name in names}


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the median, the 95th percentile (nearest rank) and the maximum."""
    ordered = sorted(values)
    at = -(-len(ordered) * 95 // 100) - 1
    return median(ordered), ordered[max(0, at)], ordered[-1]


def report(
    engines: Sequence[Engine | Failure],
    visits: Sequence[Visit],
    opened: Sequence[ResultsVisit],
    where: str,
) -> str:
    """Return all tables, failures and remarks as Markdown."""
    measured = [e for e in engines if isinstance(e, Engine)]
    parts = [quality(measured), prices(measured)] if measured else []
    if visits:
        parts.append(waits(visits, where))
    if opened:
        parts.append(results_visits(opened, where))
    parts += [f"{e.name}, {e.pages} pages: {e.reason}" for e in engines if isinstance(e, Failure)]
    parts += [f"{e.name}, {e.pages} pages: {r}" for e in measured for r in e.remarks]
    return "\n\n".join(parts) + "\n"


def quality(engines: Sequence[Engine]) -> str:
    """Return a table of how well each engine answers."""
    names = list(dict.fromkeys(n for e in engines for n in summaries(e.outcomes)))
    rows = []
    for engine in engines:
        whole = summaries(engine.outcomes)
        first = [str(engine.pages), engine.name]
        for label, value in _MEASURES:
            rows.append([*first, label, *_cells(names, whole, value)])
        for half, found in halves(engine.outcomes).items():
            rows.append([*first, f"MRR@10, {half}", *_cells(names, found, _MEASURES[0][1])])
    return table(["pages", "engine", "measure", *names], rows)


def _cells(
    names: Sequence[str],
    found: dict[str, EvaluationSummary],
    value: Callable[[EvaluationSummary], float],
) -> list[str]:
    return [f"{value(found[name]):.3f}" if name in found else "" for name in names]


def prices(engines: Sequence[Engine]) -> str:
    """Return a table of what a first visit and making the index cost with each engine."""
    head = ["pages", "engine", "KB median", "KB worst", "requests median", "requests worst",
            "index, CPU s per 1,000 pages", "peak MB"]  # fmt: skip
    rows = []
    for engine in engines:
        cost = costs(engine.outcomes)
        rows.append([
            str(engine.pages), engine.name,
            f"{cost['bytes_median'] / 1000:.1f}", f"{cost['bytes_worst'] / 1000:.1f}",
            f"{cost['requests_median']:g}", f"{cost['requests_worst']:g}",
            f"{engine.build.cpu * 1000 / max(1, engine.pages):.2f}", f"{engine.build.memory:.0f}",
        ])  # fmt: skip
    return table(head, rows)


def waits(visits: Sequence[Visit], where: str) -> str:
    """Return a table of how long readers wait for our search box and what they download."""
    kinds: tuple[tuple[str, Callable[[Visit], Typing]], ...] = (
        ("cold", lambda visit: visit.cold),
        ("warm", lambda visit: visit.warm),
    )
    measures: tuple[tuple[str, Callable[[Typing], float]], ...] = (
        ("last key to first results, ms", lambda typing: typing.first),
        ("last key to whole answer, ms", lambda typing: typing.whole),
        ("KB to first results", lambda typing: typing.bytes / 1000),
        ("requests to first results", lambda typing: typing.requests),
        ("KB to whole answer", lambda typing: typing.whole_bytes / 1000),
        ("requests to whole answer", lambda typing: typing.whole_requests),
        ("longest pause between keys, ms", lambda typing: typing.slowest_key),
    )
    rows = []
    for name, typing in kinds:
        for label, value in measures:
            middle, most, worst = spread([value(typing(visit)) for visit in visits])
            rows.append([name, label, f"{middle:.1f}", f"{most:.1f}", f"{worst:.1f}"])
    head = [f"ours in Chromium, {where}", f"{len(visits)} queries", "median", "p95", "worst"]
    return table(head, rows)


def results_visits(opened: Sequence[ResultsVisit], where: str) -> str:
    """Return a table of what cold visits to the page of results cost."""
    measures: tuple[tuple[str, Callable[[ResultsVisit], float]], ...] = (
        ("files", lambda visit: visit.files),
        ("files of the index", lambda visit: visit.data),
        ("KB", lambda visit: visit.bytes / 1000),
        ("layout shift", lambda visit: visit.shift),
        ("address to first results, ms", lambda visit: visit.first),
        ("address to whole answer, ms", lambda visit: visit.whole),
    )
    rows = []
    for window in WINDOWS:
        own = [visit for visit in opened if visit.window == window]
        for label, value in measures:
            digits = 4 if label == "layout shift" else 1
            rows.append(
                [window, label, *(f"{n:.{digits}f}" for n in spread(list(map(value, own))))]
            )
    head = [f"page of results, {where}", f"{len(opened) // len(WINDOWS)} queries"]
    return table([*head, "median", "p95", "worst"], rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns, which can be read on a terminal too."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        return "| " + " | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) + " |"

    return "\n".join([line(head), line(["-" * width for width in widths]), *map(line, rows)])


def as_data(
    engines: Sequence[Engine | Failure],
    visits: Sequence[Visit],
    opened: Sequence[ResultsVisit] = (),
) -> dict[str, Any]:
    """Return all figures, those of each query too, as data for JSON."""
    found = []
    for engine in engines:
        row: dict[str, Any] = to_builtins(engine)
        if isinstance(engine, Engine):
            whole = summaries(engine.outcomes)
            row["summary"] = {name: to_builtins(each) for name, each in whole.items()}
            row["halves"] = {
                half: {name: to_builtins(each) for name, each in rows.items()}
                for half, rows in halves(engine.outcomes).items()
            }
            row["first_visit"] = costs(engine.outcomes)
        found.append(row)
    return {
        "engines": found,
        "interface": [to_builtins(visit) for visit in visits],
        "results": [to_builtins(visit) for visit in opened],
    }
