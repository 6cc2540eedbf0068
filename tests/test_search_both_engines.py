"""The search in the terminal and the one in the browser answer alike."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from perfnotes.search.evaluate import (
    read_judged,
)
from perfnotes.search.query import Engine
from tests.project import ROOT
from tests.sampling import at_even_distances
from tests.search_index import browser_engine, file_of, index_of, write_folder
from tests.search_samples import HOSTILE, NOTES, with_long_facets

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

SMALL = [
    "pinned memory", "cudaMemc", "vectorizaton", "内存的对齐", '"one cache line"', "memory -huge",
    "tag:threads", "page-locked", "-ffast-math", "lang:zh 内存", "sync_wiht_stdio", "A* 内存",
    "std::ios::sink_with", "结构体内存对齐影响性能", '"unless the memory is pinned"',
]  # fmt: skip
OWN = [
    "set -euo pipefail", '"while it hangs, ask"', '"from the cache" memory',
    "link with g++ -pthread",
    "cache -memory",
    "why is my loop slower with 1024 columns", "TLB", "锁页内存", "zero_grad", "me", "内", "flahs",
    "branch mispredict", "矩阵按列遍历为什么慢", "type:paper attention", "PN804", "火焰图",
    "超线程", "大页", "性能计数器", "锁页", "SMT 大页 cache hit rate", "page-locked memory copies",
    "__rdtsc", "perf stat --topdown", "RAII", "LTO", "SIM", "link-time optimization of templates",
]  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return index_of(write_folder(tmp_path_factory.mktemp("notes"), NOTES))


def test_both_engines_answer_alike(
    browser: Browser,
    tmp_path: Path,
    index: dict[str, bytes],
    own_index: dict[str, bytes],
    all_notes: bool,
) -> None:
    """The same pages, sections and totals in the same order, on judged queries too."""
    judged = [ROOT / "tests" / "search" / name for name in ("judged.yml", "queries.yml")]
    seen = [f"{name}_queries_seen.yml" for name in ("own", "field")]
    judged += [ROOT / "benchmarks" / "search" / name for name in seen]
    queries = [q.query for file in judged for q in read_judged(file)]
    queries = at_even_distances(queries, len(queries) if all_notes else 160)
    small = [q for q in HOSTILE if "\0" not in q]
    cases = {"small": (index, [*small, *SMALL]), "own": (own_index, [*queries, *OWN])}
    for name, (files, asked) in cases.items():
        folder = tmp_path / name
        folder.mkdir()
        with browser_engine(browser, folder, files) as scripts:
            for lang in ("en", "zh"):
                theirs = scripts.ask(asked, lang)
                engine = Engine(files.get)
                for query, other in zip(asked, theirs, strict=True):
                    mine = engine.search(query, lang)
                    got = [(r["id"], r["section"], r["sectionUrl"]) for r in other["results"]]
                    ours = [(r.id, r.section, r.section_url) for r in mine.results]
                    assert got == ours, query[:80]
                    assert [
                        r["other"] and (r["other"]["url"], r["other"]["heading"])
                        for r in other["results"]
                    ] == [
                        r.other and (replace(r, anchor=r.other.anchor).section_url, r.other.heading)
                        for r in mine.results
                    ]
                    assert other["total"] == mine.total, query[:80]
                    assert other["isWeak"] == mine.is_weak, query[:80]
                    assert bool(other.get("isLoose")) == mine.is_loose, query[:80]
                    assert other["expanded"] == mine.expanded, query[:80]
                    assert [c[1] for c in other["corrected"]] == [c[1] for c in mine.corrected]


def test_the_browser_marks_words_and_tells_what_is_missing(
    browser: Browser, tmp_path: Path, index: dict[str, bytes]
) -> None:
    gone = {file_of(index, shard) for shard in ("m", "w/0")}
    index = with_long_facets(index)
    files = {name: data for name, data in index.items() if name not in gone}
    with browser_engine(browser, tmp_path, files) as scripts:
        answer, typo = scripts.ask(["cudaMemcpyAsync", "vectorizaton"])
    snippet = answer["results"][0]["snippet"]
    assert {p["text"] for p in snippet if p["mark"]} == {"cudaMemcpyAsync"}
    assert answer["missing"] == ["m"]
    assert "w/0" in typo["missing"]
