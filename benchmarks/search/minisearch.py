"""Measuring MiniSearch, over the same sections as our own index."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

from benchmarks.search.measured import Cost, Engine, kept, outcome, run
from benchmarks.search.node import install, node

from perfnotes.search.evaluate import JudgedQuery

_SCRIPT = Path(__file__).with_name("minisearch.mjs")


def measure(
    ours: Path, work: Path, pages: int, judged: Sequence[JudgedQuery], keep: bool
) -> Engine:
    """Build the index and ask the queries.

    A visit loads the library and the whole index, which stores titles but no text.
    """
    modules = install()

    def make(folder: Path) -> Cost:
        command = [node(), _SCRIPT, "build", ours / "sections.jsonl", folder / "index.json"]
        return run(command, folder / "log.txt", cwd=modules)

    cost = kept(work, keep, make)
    queries, found = work / "queries.json", work / "found.json"
    queries.write_text(json.dumps([each.query for each in judged]), encoding="utf-8")
    command = [node(), _SCRIPT, "ask", work / "index.json", queries, found]
    run(command, work / "ask.log", cwd=modules)
    library = modules / "node_modules" / "minisearch" / "dist" / "umd" / "index.js"
    loaded = [library, work / "index.json"]
    size = sum(len(gzip.compress(file.read_bytes(), 6)) for file in loaded)
    answers = json.loads(found.read_text(encoding="utf-8"))
    outcomes = tuple(
        outcome(each, ids, size, len(loaded)) for each, ids in zip(judged, answers, strict=True)
    )
    return Engine("MiniSearch", pages, outcomes, cost)
