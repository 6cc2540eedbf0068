"""Pool what the engines find, so that a second reader judges pages that the first one missed.

    python -m benchmarks.search.pool make POOL        # after a run of benchmarks.search.run
    python -m benchmarks.search.pool merge POOL       # once every page in POOL is judged
    python -m benchmarks.search.pool compare          # each engine without and with pooled pages

POOL is a list of {id, query, expected, pages}. It holds the first pages of every engine that are
neither expected nor judged yet, in an order that says nothing about engines and ranks. The reader
replaces the ``null`` beside each page: by ``no``, or by a line that says why the page answers the
query as well as an expected one does. Pages that answer are then added to queries.yml; pooled.yml
keeps every judgement, so that later pools hold new pages only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from benchmarks.search.measured import ROOT, Cost, Engine, outcome
from benchmarks.search.report import quality
from msgspec.structs import replace

from perfnotes.search.evaluate import JudgedError, JudgedQuery, read_judged
from perfnotes.storage.write import write_atomically

QUERIES = Path(__file__).with_name("queries.yml")
POOLED = Path(__file__).with_name("pooled.yml")
REPORT = ROOT / "build" / "bench-search" / "report.json"
CLASSES = ("en", "zh", "mixed", "synonym", "abbreviation", "cross")
DEPTH = 5
MOST = 15  # pages that are pooled for a query
GENERATED = "gen/"  # the generated notes, which answer no query
WIDTH = 100

# For each page: why it answers the query, False if it does not, None if it is not judged yet.
Verdicts = Mapping[str, str | bool | None]


class PoolError(ValueError):
    """Nothing was pooled or merged; the message says why."""


@dataclass(frozen=True)
class Answers:
    """The pages that an engine found on one corpus, best first, by the id of the query."""

    name: str
    pages: int
    found: Mapping[str, Sequence[str]]


def read_answers(report: Path) -> list[Answers]:
    """Return the answers of all engines that a run of the benchmark measured."""
    try:
        engines = json.loads(report.read_text(encoding="utf-8"))["engines"]
        return [
            Answers(row["name"], row["pages"], {o["judged"]["id"]: o["found"] for o in rows})
            for row in engines
            if (rows := row.get("outcomes"))
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PoolError(f"{report} is no report of the benchmark: {error}") from None


def read_pool(file: Path) -> dict[str, Verdicts]:
    """Return the judgements of a pool, or of the record of all merged pools, by query id."""
    try:
        rows = yaml.safe_load(file.read_text(encoding="utf-8")) or []
        return {row["id"]: dict(row["pages"]) for row in rows}
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError) as error:
        raise PoolError(f"{file} is no pool: {error}") from None


def accepted(verdicts: Verdicts) -> list[str]:
    """Return the pages that answer the query."""
    return [page for page, verdict in verdicts.items() if isinstance(verdict, str)]


def first_pages(found: Sequence[Sequence[str]]) -> list[str]:
    """Return at most 15 pages: the first of each engine, then the second of each, and so on."""
    ranks = (sorted({each[i] for each in found if i < len(each)}) for i in range(DEPTH))
    return list(dict.fromkeys(page for pages in ranks for page in pages))[:MOST]


def mixed(query: str, pages: Iterable[str]) -> list[str]:
    """Return the pages in an order that says nothing about engines and ranks."""
    return sorted(pages, key=lambda page: hashlib.sha256(f"{query} {page}".encode()).digest())


def make(
    judged: Sequence[JudgedQuery], engines: Sequence[Answers], known: Mapping[str, Verdicts]
) -> list[dict[str, Any]]:
    """Return the pages to judge for each query that has any."""
    pool = []
    for each in judged:
        pages = first_pages([engine.found.get(each.id, ()) for engine in engines])
        seen = {*each.expected, *known.get(each.id, ())}
        new = [page for page in pages if page not in seen and not page.startswith(GENERATED)]
        if new:
            verdicts = dict.fromkeys(mixed(each.id, new))
            expected = list(each.expected)
            pool.append(
                {"id": each.id, "query": each.query, "expected": expected, "pages": verdicts}
            )
    return pool


def check(pool: Mapping[str, Verdicts], judged: Sequence[JudgedQuery]) -> None:
    """Raise ``PoolError`` if a page is not judged yet, or a query is not one of ``judged``."""
    expected = {each.id: each.expected for each in judged}
    for id, verdicts in pool.items():
        if id not in expected:
            raise PoolError(f"{id} is no query")
        for page, verdict in verdicts.items():
            if verdict is not False and not (isinstance(verdict, str) and verdict.strip()):
                raise PoolError(f"{id}: {page} is not judged; write `no`, or why it answers")
            if page in expected[id]:
                raise PoolError(f"{id}: {page} is expected already")


Lists = Mapping[str, Sequence[str] | None]
"""New lists of a query by key; None removes the key."""


def with_expected(text: str, expected: Mapping[str, Sequence[str]]) -> str:
    """Return the text of the queries with new expected pages; all else stays as it is."""
    return with_lists(text, {id: {"expected": pages} for id, pages in expected.items()})


def with_lists(text: str, queries: Mapping[str, Lists]) -> str:
    """Return the text of the queries with new lists, which stand where the first of them stood."""
    lines: list[str] = []
    lists: Lists = {}
    is_written = is_old = False
    for line in text.splitlines():
        if line.startswith("- id: "):
            lists, is_written = queries.get(line.removeprefix("- id: "), {}), False
        if is_old and line.startswith("    "):
            continue  # an item of the former list
        is_old = any(line.startswith(f"  {key}:") for key in lists)
        if not is_old:
            lines.append(line)
        elif not is_written:
            is_written = True
            for key, pages in lists.items():
                lines += [] if pages is None else _list_lines(key, pages)
    return "\n".join(lines) + "\n"


def _list_lines(key: str, pages: Sequence[str]) -> list[str]:
    """Return the YAML lines of a list of pages: one line if it is short enough."""
    names = [json.dumps(page, ensure_ascii=False) if " " in page else page for page in pages]
    line = f"  {key}: [{', '.join(names)}]"
    return [line] if len(line) < WIDTH else [f"  {key}:", *(f"    - {name}" for name in names)]


def dump(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the rows as YAML, with a blank line between two queries."""
    texts = (yaml.safe_dump([row], allow_unicode=True, sort_keys=False, width=999) for row in rows)
    return "\n".join(texts)


def merge(pool: Path, queries: Path, pooled: Path) -> int:
    """Add the pages that answer to the queries, and all judgements to the record.

    Returns the number of added pages.
    """
    judged, judgements = read_judged(queries), read_pool(pool)
    check(judgements, judged)
    record = {id: {**verdicts} for id, verdicts in read_pool(pooled).items()}
    expected = {}
    for each in judged:
        verdicts = judgements.get(each.id, {})
        record.setdefault(each.id, {}).update(verdicts)
        if new := accepted(verdicts):
            expected[each.id] = [*each.expected, *new]
    changed = with_expected(queries.read_text(encoding="utf-8"), expected)
    rows: list[dict[str, Any]] = [
        {"id": each.id, "query": each.query, "pages": record[each.id]}
        for each in judged
        if record[each.id]
    ]
    head = "".join(f"{line}\n" for line in _comments(pooled)) + "\n"
    write_atomically(pooled, (head + dump(rows)).encode())
    write_atomically(queries, changed.encode())
    return sum(len(accepted(verdicts)) for verdicts in judgements.values())


def _comments(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#")]


def compare(
    judged: Sequence[JudgedQuery], engines: Sequence[Answers], known: Mapping[str, Verdicts]
) -> str:
    """Return a table of each engine's figures, without and with the pages from pooling."""
    before = [_without(each, accepted(known.get(each.id, {}))) for each in judged]
    rows = []
    for engine in engines:
        for name, queries in (("without", before), ("with", judged)):
            outcomes = tuple(outcome(each, engine.found.get(each.id, ())) for each in queries)
            label = f"{engine.name}, {name} pooled pages"
            rows.append(Engine(label, engine.pages, outcomes, Cost(0, 0)))
    return quality(rows)


def _without(judged: JudgedQuery, pages: Sequence[str]) -> JudgedQuery:
    kept = tuple(page for page in judged.expected if page not in pages)
    return replace(judged, expected=kept)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=("make", "merge", "compare"))
    parser.add_argument("pool", type=Path, nargs="?", metavar="POOL")
    parser.add_argument("--report", type=Path, default=REPORT, help="the report of a run")
    parser.add_argument("--queries", type=Path, default=QUERIES, help="judged queries")
    parser.add_argument("--pooled", type=Path, default=POOLED, help="all judgements of pools")
    parser.add_argument("--classes", nargs="+", default=CLASSES, help="classes of queries to pool")
    options = parser.parse_args(arguments)
    if options.pool is None and options.step != "compare":
        parser.error(f"{options.step} needs a POOL")
    try:
        if options.step == "merge":
            print(f"{merge(options.pool, options.queries, options.pooled)} pages added")
            return 0
        judged, known = read_judged(options.queries), read_pool(options.pooled)
        engines = read_answers(options.report)
        if options.step == "compare":
            print(compare(judged, engines, known))
            return 0
        asked = [each for each in judged if each.kind in options.classes]
        pool = make(asked, engines, known)
        write_atomically(options.pool, dump(pool).encode())
    except (JudgedError, PoolError) as error:
        print(f"pool: {error}", file=sys.stderr)
        return 1
    print(f"{options.pool}: {sum(len(row['pages']) for row in pool)} pages of {len(pool)} queries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
