"""The search benchmark: ranks, tables, which queries are typed, and what a browser saw."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from benchmarks.search.interface import Typing, Visit, read_typing, sample
from benchmarks.search.measured import Cost, Engine, EngineError, Failure, kept, outcome, run
from benchmarks.search.report import as_data, halves, report, spread, summaries, table
from benchmarks.search.results_page import ResultsVisit
from benchmarks.search.run import main
from benchmarks.search.server import Files, served

from perfnotes.search.evaluate import JudgedQuery


def judged(kind: str, *expected: str, query: str = "q", half: str = "") -> JudgedQuery:
    return JudgedQuery(f"{kind}-1", kind, query, expected, half)


ENGINE = Engine(
    "ours",
    2000,
    (
        outcome(judged("en", "a", half="tune"), ["a"], 40_000, 5),
        outcome(judged("zh", "a", half="unseen"), ["b", "a"], 60_000, 8),
        outcome(judged("cross", "a", half="unseen"), ["b"], 50_000, 6),
    ),
    Cost(5.0, 250.4),
    ("a remark",),
)
TYPING = Typing(
    first=20.0, whole=25.0, requests=6, bytes=50_000, whole_requests=9, whole_bytes=70_000,
    slowest_key=101.0,
)  # fmt: skip
VISIT = Visit(judged("en", "a"), TYPING, TYPING)
OPENED = [
    ResultsVisit("a", "desktop", 12, 4, 80_000, 0.0, 210.0, 300.0),
    ResultsVisit("a", "phone", 14, 6, 90_000, 0.0125, 220.0, 320.0),
]


@pytest.mark.parametrize(
    ("found", "expected", "rank"),
    [
        (["a", "b"], ["a"], 1),
        (["b", "b", "b", "a"], ["a"], 2),  # a page counts once
        (["b", "c", "a"], ["a", "c"], 2),  # the best-placed one counts
        (["b"], ["a"], 0),
        ([], ["a"], 0),
        ([*"bcdefghijk", "a"], ["a"], 0),  # the eleventh
    ],
)
def test_the_best_placed_expected_page_counts(
    found: list[str], expected: list[str], rank: int
) -> None:
    assert outcome(judged("en", *expected), found).rank == rank


def test_lexical_classes_are_pooled_by_query_and_halves_stand_apart() -> None:
    rows = summaries(ENGINE.outcomes)
    assert list(rows) == ["lexical", "all", "en", "zh", "cross"]
    assert (rows["lexical"].queries, rows["lexical"].mrr) == (2, 0.75)
    assert (rows["all"].queries, rows["all"].mrr) == (3, 0.5)
    assert (rows["lexical"].success1, rows["lexical"].success3) == (0.5, 1.0)
    found = halves(ENGINE.outcomes)
    assert {half: each["all"].mrr for half, each in found.items()} == {"tune": 1.0, "unseen": 0.25}


def test_the_report_has_every_figure() -> None:
    text = report([ENGINE, Failure("material", 2000, "too slow")], [VISIT], OPENED, "2000 pages")
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    assert ["2000", "ours", "MRR@10", "0.750", "0.500", "1.000", "0.500", "0.000"] in cells
    assert ["2000", "ours", "success@3", "1.000", "0.667", "1.000", "1.000", "0.000"] in cells
    assert ["2000", "ours", "MRR@10, tune", "1.000", "1.000", "1.000", "", ""] in cells
    assert ["2000", "ours", "50.0", "60.0", "6", "8", "2.50", "250"] in cells
    assert ["cold", "last key to first results, ms", "20.0", "20.0", "20.0"] in cells
    assert ["phone", "KB", "90.0", "90.0", "90.0"] in cells
    assert ["phone", "layout shift", "0.0125", "0.0125", "0.0125"] in cells
    assert "material, 2000 pages: too slow" in text
    assert "ours, 2000 pages: a remark" in text
    data = json.loads(json.dumps(as_data([ENGINE, Failure("x", 1, "why")], [VISIT], OPENED)))
    assert data["engines"][0]["summary"]["lexical"]["mrr"] == 0.75
    assert data["engines"][0]["outcomes"][1]["rank"] == 2
    assert data["engines"][1]["reason"] == "why"
    assert data["interface"][0]["cold"]["bytes"] == 50_000
    assert data["results"][1]["files"] == 14


def test_a_report_of_failures_alone_says_why() -> None:
    text = report([Failure("pagefind", 10, "no Node")], [], [], "")
    assert text == "pagefind, 10 pages: no Node\n"


def test_a_table_has_columns_of_one_width() -> None:
    lines = table(["a", "bbb"], [["cccc", "d"]]).splitlines()
    assert lines == ["| a    | bbb |", "| ---- | --- |", "| cccc | d   |"]


def test_the_spread_names_the_95th_percentile_by_nearest_rank() -> None:
    assert spread([float(n) for n in range(1, 101)]) == (50.5, 95.0, 100.0)
    assert spread([3.0]) == (3.0, 3.0, 3.0)


def test_the_typed_queries_are_spread_over_every_class() -> None:
    many = [JudgedQuery(str(i), "en", "q", ("a",)) for i in range(20)]
    few = [JudgedQuery(str(i), "zh", "q", ("a",)) for i in range(20, 22)]
    chosen = sample([*many, *few], 8)
    assert [each.id for each in chosen] == ["0", "5", "10", "15", "20", "21"]


SEEN = {
    "typed": [100.0, 200.0, 310.0],
    "frames": [
        {"listed": 205.0, "whole": "", "painted": 215.0},
        {"listed": 205.0, "whole": "", "painted": 312.0},  # still what the second key found
        {"listed": 330.0, "whole": None, "painted": 340.0},
        {"listed": 360.0, "whole": "abc", "painted": 366.0},
        {"listed": 380.0, "whole": "abc"},  # a frame that was never painted
    ],
    "resources": [
        ["/search/app.js", 10.0, 2000],
        ["/assets/perfnotes/site.css", 11.0, 9000],
        ["/search/root.js", 250.0, 3000],
        ["/search/t/1.js", 335.0, 6000],
        ["/search/d/9.js", 350.0, 1000],
    ],
}


def test_what_is_painted_after_the_last_key_is_timed() -> None:
    cold = read_typing("abc", SEEN, cold=True)
    assert (cold.first, cold.whole, cold.slowest_key) == (30.0, 56.0, 110.0)
    assert (cold.requests, cold.bytes) == (3, 11_000)
    assert (cold.whole_requests, cold.whole_bytes) == (4, 12_000)
    assert read_typing("abc", SEEN, cold=False).requests == 2


def test_a_query_without_results_is_answered_when_it_says_so() -> None:
    nothing = {**SEEN, "frames": [{"listed": 0, "whole": "abc", "painted": 350.0}]}
    typing = read_typing("abc", nothing, cold=True)
    assert (typing.first, typing.whole) == (40.0, 40.0)


def test_files_are_served_packed_and_only_from_the_folder(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a b.js").write_text("x" * 5000)
    (tmp_path / "secret.txt").write_text("no")
    files = Files(tmp_path / "site")
    with served(files) as base, urlopen(Request(f"{base}a%20b.js?v=1")) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert len(answer.read()) == files.size("/a%20b.js") < 100
    assert files.asked == ["/a%20b.js?v=1"]
    assert files.get("/../secret.txt") is None
    assert files.get("/missing.js") is None


def test_a_program_that_fails_says_what_it_printed(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"ended with 3 after .* CPU seconds: no such thing"):
        run([sys.executable, "-c", "print('no such thing'); exit(3)"], tmp_path / "log")


@pytest.mark.slow
def test_a_program_may_take_only_so_much(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="took more than 1 CPU seconds"):
        run([sys.executable, "-c", "while True: pass"], tmp_path / "log", limit=1)


def test_what_was_built_is_kept_only_when_asked(tmp_path: Path) -> None:
    folder, made = tmp_path / "index", []

    def make(at: Path) -> Cost:
        made.append(at)
        return Cost(float(len(made)), 1.0)

    assert kept(folder, False, make).cpu == 1
    assert kept(folder, True, make).cpu == 1
    (folder / "old").touch()
    assert kept(folder, False, make).cpu == 2
    assert not (folder / "old").exists()


def test_wrong_use_is_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing, work = str(tmp_path / "nowhere"), str(tmp_path / "work")
    assert main(["--corpus", missing, "--work", work]) == 1
    assert capsys.readouterr().err == f"bench-search: {missing} is no folder\n"
    assert main(["--corpus", missing, "--queries", missing, "--work", work]) == 1
    assert "cannot read" in capsys.readouterr().err
    assert main(["--books", missing, "--work", work]) == 1
    assert "git clone" in capsys.readouterr().err
