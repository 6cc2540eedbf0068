"""Pooling: what a second reader is shown, and what becomes of the judgements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchmarks.search.pool import (
    POOLED,
    QUERIES,
    accepted,
    first_pages,
    main,
    read_pool,
    with_expected,
)

from perfnotes.search.evaluate import read_judged

TEXT = """\
# A comment.
- id: en-01
  class: en
  half: tune
  query: "why is it slow"
  expected: [a/one]

- id: zh-01
  class: zh
  half: tune
  query: "为什么慢"  # another
  expected:
    - "b/two words"
    - b/three

- id: typo-01
  class: typo
  half: tune
  query: "slwo"
  expected: [a/one]
"""
HEAD = "# What the record is.\n"


class Bench:
    """A report of two engines, and the files that pooling reads and writes."""

    def __init__(self, folder: Path) -> None:
        self.queries, self.pooled = folder / "queries.yml", folder / "pooled.yml"
        self.report, self.pool = folder / "report.json", folder / "pool.yml"
        self.queries.write_text(TEXT, encoding="utf-8")
        self.pooled.write_text(HEAD, encoding="utf-8")
        self.answer({"en-01": ["a/one", "a/good"]}, {"en-01": ["a/bad", "gen/1", "a/good"]})

    def answer(self, *engines: dict[str, list[str]]) -> None:
        rows: list[dict[str, Any]] = [
            {
                "name": f"engine {i}",
                "pages": 9,
                "outcomes": [{"judged": {"id": id}, "found": pages} for id, pages in found.items()],
            }
            for i, found in enumerate(engines)
        ]
        failed = {"name": "other", "pages": 9, "reason": "too slow"}
        self.report.write_text(json.dumps({"engines": [*rows, failed]}), encoding="utf-8")

    def run(self, step: str) -> int:
        files = {"--report": self.report, "--queries": self.queries, "--pooled": self.pooled}
        options = [str(each) for pair in files.items() for each in pair]
        return main([step, str(self.pool), *options])

    def judge(self, verdicts: dict[str, object]) -> None:
        rows = yaml.safe_load(self.pool.read_text(encoding="utf-8"))
        for row in rows:
            row["pages"] = {page: verdicts.get(page) for page in row["pages"]}
        self.pool.write_text(yaml.safe_dump(rows), encoding="utf-8")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_the_first_pages_of_all_engines_are_taken_in_turn() -> None:
    assert first_pages([["a", "b", "c"], ["d", "a"], []]) == ["a", "d", "b", "c"]
    assert first_pages([list("abcdefgh")]) == list("abcde")
    many = [[f"{engine}{rank}" for rank in range(5)] for engine in "pqrs"]
    assert len(first_pages(many)) == 15
    assert {page[1] for page in first_pages(many)[:12]} == {"0", "1", "2"}
    assert first_pages(many) == first_pages(many[::-1])


def test_a_pool_has_the_pages_that_nobody_judged_and_names_no_engine(bench: Bench) -> None:
    assert bench.run("make") == 0
    (row,) = yaml.safe_load(bench.pool.read_text(encoding="utf-8"))
    assert (row["id"], row["query"], row["expected"]) == ("en-01", "why is it slow", ["a/one"])
    assert set(row) == {"id", "query", "expected", "pages"}
    assert row["pages"] == {"a/bad": None, "a/good": None}
    whole = bench.pool.read_text(encoding="utf-8")
    bench.answer({"en-01": ["a/bad", "gen/1", "a/good"]}, {"en-01": ["a/good"]})
    assert bench.run("make") == 0
    assert bench.pool.read_text(encoding="utf-8") == whole


def test_judgements_are_merged_and_not_asked_for_again(bench: Bench) -> None:
    bench.answer({"en-01": ["a/good", "a/bad"], "zh-01": ["b/four words"], "typo-01": ["a/x"]})
    assert bench.run("make") == 0
    bench.judge({"a/good": "explains why", "a/bad": False, "b/four words": "说明原因"})
    assert bench.run("merge") == 0
    assert bench.queries.read_text(encoding="utf-8") == TEXT.replace(
        "  expected: [a/one]\n\n", "  expected: [a/one, a/good]\n\n"
    ).replace(
        '  expected:\n    - "b/two words"\n    - b/three\n',
        '  expected: ["b/two words", b/three, "b/four words"]\n',
    )
    assert bench.pooled.read_text(encoding="utf-8").startswith(HEAD)
    verdicts = read_pool(bench.pooled)
    assert verdicts["en-01"] == {"a/good": "explains why", "a/bad": False}
    assert bench.run("make") == 0
    assert read_pool(bench.pool) == {}
    bench.answer({"en-01": ["a/new", "a/bad"]})
    assert bench.run("make") == 0
    assert read_pool(bench.pool) == {"en-01": {"a/new": None}}


def test_every_engine_is_compared_without_and_with_what_was_added(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.run("make") == 0
    bench.judge({"a/good": "explains why", "a/bad": False})
    assert bench.run("merge") == 0
    bench.answer({"en-01": ["a/bad", "a/good", "a/one"], "zh-01": [], "typo-01": ["a/one"]})
    assert bench.run("compare") == 0
    rows = [line.split("|")[2:6] for line in capsys.readouterr().out.splitlines()]
    found = {
        name.strip(): float(mrr) for name, kind, mrr, _ in rows[2:] if kind.strip() == "MRR@10"
    }
    assert found == {
        "engine 0, without pooled pages": 0.444,
        "engine 0, with pooled pages": 0.5,
    }


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [
        ({"a/good": "yes"}, "en-01: a/bad is not judged"),
        ({"a/good": " ", "a/bad": False}, "en-01: a/good is not judged"),
        ({"a/good": True, "a/bad": False}, "en-01: a/good is not judged"),
    ],
)
def test_a_pool_that_is_not_judged_to_its_end_changes_nothing(
    bench: Bench, capsys: pytest.CaptureFixture[str], verdicts: dict[str, object], message: str
) -> None:
    assert bench.run("make") == 0
    bench.judge(verdicts)
    assert bench.run("merge") == 1
    assert message in capsys.readouterr().err
    assert bench.queries.read_text(encoding="utf-8") == TEXT
    assert bench.pooled.read_text(encoding="utf-8") == HEAD


def test_what_cannot_be_read_is_a_message(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.run("merge") == 1
    assert "is no pool" in capsys.readouterr().err
    bench.report.write_text("[]", encoding="utf-8")
    assert bench.run("make") == 1
    assert "is no report" in capsys.readouterr().err
    bench.pool.write_text("- id: other-01\n  pages: {a/x: no}\n", encoding="utf-8")
    assert bench.run("merge") == 1
    assert "other-01 is no query" in capsys.readouterr().err
    bench.pool.write_text("- id: en-01\n  pages: {a/one: no}\n", encoding="utf-8")
    assert bench.run("merge") == 1
    assert "a/one is expected already" in capsys.readouterr().err


def test_the_queries_are_written_as_they_stand() -> None:
    text = QUERIES.read_text(encoding="utf-8")
    assert with_expected(text, {each.id: each.expected for each in read_judged(QUERIES)}) == text


def test_the_record_and_the_queries_agree() -> None:
    expected = {each.id: set(each.expected) for each in read_judged(QUERIES)}
    for id, verdicts in read_pool(POOLED).items():
        assert expected[id] & set(verdicts) == set(accepted(verdicts)), id
