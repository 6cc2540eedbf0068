"""First screens: what is on one, what a second reader is asked, and what a judgement counts for."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from benchmarks.search.own_queries import HALVES, OwnQuery, path_of, read_queries
from benchmarks.search.screens import ScreensError, as_yaml, main, make, merged, mixed, places
from benchmarks.search.screens_report import Judged, agreement, judge, row

from perfnotes.cli.main import main as perfnotes
from perfnotes.graph.site import Site
from perfnotes.search.evaluate import JudgedError
from perfnotes.search.query import Engine
from perfnotes.search.screen import WORDS, screen_digest
from perfnotes.search.screenjudgements import (
    ScreenJudgement,
    judgements_beside,
    read_judgements,
)
from perfnotes.search.shards import Shards
from perfnotes.site.searchable.documents import documents
from perfnotes.site.searchable.screens import Screens
from tests.example_notes import read_site, write_notes

LONG = " ".join(f"word{i}" for i in range(300))
ROWS = f"""\
A C array lies in memory row by row ([[lines]]).

## Table

| walk | misses |
|---|--:|
| row | `1` |
| column | [16](lines.md) |

- one
- two

## Program

```c
{"a[i] " * 200}
{"b[i] " * 200}
```

{LONG}

## 汉字

{"行" * 400}
"""
QUERY = OwnQuery(
    "en-q-1",
    "row column misses table",
    "en",
    "question",
    "seen",
    True,
    ("caches/rows#program",),
    "What?",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return read_site(write_notes(tmp_path_factory.mktemp("site"), {"caches/rows.md": ROWS}))


@pytest.fixture(scope="module")
def screens(site: Site) -> Screens:
    return Screens(site)


@pytest.fixture(scope="module")
def engine(site: Site) -> Engine:
    return Engine(dict(Shards().files(documents(site))).get)


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The queries of the seen half, in another folder."""
    file = tmp_path / "own_queries_seen.yml"
    monkeypatch.setattr("benchmarks.search.screens.path_of", lambda _: file)
    return file


def lines(screens: Screens, place: str, lang: str = "en") -> list[str]:
    text = screens.text(place, lang)
    assert text is not None
    return text.splitlines()


def judgement(screens: Screens, place: str, answers: bool) -> ScreenJudgement:
    digest = screen_digest(screens.text(place, "en") or "")
    return ScreenJudgement("en-q-1", place, digest, answers, "because")


def test_a_screen_has_the_heading_and_what_follows_in_plain_words(screens: Screens) -> None:
    top = lines(screens, "caches/rows")
    assert top[:2] == [
        "Rows before columns",
        "A C array lies in memory row by row (Cache lines).",
    ]
    table = ["Table", "walk · misses", "row · 1", "column · 16", "one", "two", "Program"]
    assert lines(screens, "caches/rows#table")[:7] == table
    assert top[2:9] == table


def test_a_screen_ends_where_a_window_does(screens: Screens) -> None:
    program = lines(screens, "caches/rows#program")
    assert program[1].count("a[i]") == program[2].count("b[i]") == 200
    # A line of a program takes the room of a line of text, 12 words, and is not cut.
    assert program[3].endswith(f" word{WORDS - 2 * 12 - 1} …")
    chinese = lines(screens, "caches/rows#汉字")
    assert chinese == ["汉字", "行" * 250 + " …"]


def test_a_screen_is_in_the_language_of_the_result(screens: Screens) -> None:
    assert lines(screens, "caches/lines#size", "zh")[0] == "大小"
    assert lines(screens, "caches/lines#size", "en")[0] == "Size"
    assert lines(screens, "caches/rows#table", "zh")[0] == "Table"
    assert screens.text("caches/rows#gone", "en") is None
    assert screens.text("terms/cache-line", "en") is None


def test_a_judgement_of_a_text_that_changed_is_dropped(screens: Screens) -> None:
    known = judgement(screens, "caches/rows", True)
    judgements = {("en-q-1", "caches/rows"): known}
    assert screens.judged(judgements, "en-q-1", "caches/rows", "en") is True
    assert screens.judged(judgements, "en-q-2", "caches/rows", "en") is None
    other = ScreenJudgement("en-q-1", "caches/rows", screen_digest("other"), True, "because")
    assert screens.judged({("en-q-1", "caches/rows"): other}, "en-q-1", "caches/rows", "en") is None
    assert screen_digest("a  b\nc") == screen_digest("a b c") != screen_digest("a b d")


def test_a_pool_has_where_a_result_opens_the_top_a_section_and_a_label() -> None:
    labels, sections = ["n#c", "other#x", "n#d"], ["a", "b", "c"]
    assert places("n", "n#a", labels, sections) == ["n#a", "n", "n#b", "n#c"]
    assert places("n", "n", labels, sections) == ["n", "n#a", "n#c"]
    assert places("n", "n", ["n"], sections) == ["n", "n#a", "n#b"]
    assert places("n", "n", ["n"], []) == ["n"]
    assert mixed("q", ["n", "n#a", "n#b"]) == mixed("q", ["n#b", "n#a", "n"])
    assert len({tuple(mixed(f"q{i}", ["n", "n#a", "n#b"])) for i in range(40)}) == 6


def test_screens_are_judged_once_unless_they_change(site: Site, screens: Screens) -> None:
    (asked,) = make(site, [QUERY], {})
    assert set(asked) == {"id", "query", "meant", "screens"}
    found = [screen["place"] for screen in asked["screens"]]
    assert sorted(found) == ["caches/rows", "caches/rows#program", "caches/rows#table"]
    assert all(set(screen) == {"place", "text", "answers", "reason"} for screen in asked["screens"])
    with pytest.raises(ScreensError, match="is not judged; say"):
        merged([asked], {})
    for screen in asked["screens"]:
        screen |= {"answers": screen["place"].endswith("table"), "reason": "because"}
    known = merged([asked], {})
    assert known["en-q-1", "caches/rows#table"] == judgement(screens, "caches/rows#table", True)
    assert make(site, [QUERY], known) == []
    changed = known | {("en-q-1", "caches/rows"): ScreenJudgement("", "", "0", True, "because")}
    (again,) = make(site, [QUERY], changed)
    assert [screen["place"] for screen in again["screens"]] == ["caches/rows"]
    assert make(site, [OwnQuery(**{**vars(QUERY), "answers": ("gpu/warps",)})], {}) == []


def test_judgements_are_merged_into_the_file_beside_the_queries(
    seen: Path, screens: Screens, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = seen.with_name("pool.yml")
    screen = {"place": "caches/rows", "text": screens.text("caches/rows", "en"), "answers": False}
    rows = [{"id": "en-q-1", "screens": [screen | {"reason": 'only "names" it'}]}]
    pool.write_text(yaml.safe_dump(rows), encoding="utf-8")
    assert main(["merge", "seen", str(pool)]) == 0
    file = judgements_beside(seen)
    assert file.name == "own_screens_seen.yml"
    known = read_judgements(file)
    assert list(known) == [("en-q-1", "caches/rows")]
    assert known["en-q-1", "caches/rows"].reason == 'only "names" it'
    assert as_yaml("seen", known) == file.read_text(encoding="utf-8")
    pool.write_text("{", encoding="utf-8")
    assert main(["merge", "seen", str(pool)]) == 1
    assert "is no pool" in capsys.readouterr().err


def test_only_a_file_of_judgements_is_read(tmp_path: Path) -> None:
    file = tmp_path / "screens.yml"
    assert read_judgements(file) == {}
    file.write_text("q: [a]\n", encoding="utf-8")
    with pytest.raises(JudgedError, match="holds no judgements"):
        read_judgements(file)
    other = tmp_path / "judged.yml"
    other.write_text("[]\n", encoding="utf-8")
    assert read_judgements(judgements_beside(other)) == {}


def test_search_eval_counts_labels_alone_and_with_judgements(
    tmp_path: Path, screens: Screens, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path, {"caches/rows.md": ROWS})
    file = tmp_path / "queries.yml"
    file.write_text(
        "- {id: en-q-1, kind: a, query: rows before columns, answers: ['caches/rows#program']}\n"
        "- {id: en-q-2, kind: a, query: warps, answers: [gpu/warps]}\n",
        encoding="utf-8",
    )
    command = ["search-eval", str(file), "--notes", str(tmp_path / "notes")]
    assert perfnotes(command) == 0
    head, *_ = capsys.readouterr().out.splitlines()
    assert head.split()[-1] == "said"
    judged = {("en-q-1", "caches/rows"): judgement(screens, "caches/rows", True)}
    no = ScreenJudgement(
        "en-q-2", "gpu/warps", screen_digest(screens.text("gpu/warps", "en") or ""), False, "no"
    )
    known = judged | {("en-q-2", "gpu/warps"): no}
    judgements_beside(file).write_text(as_yaml("seen", known), encoding="utf-8")
    assert perfnotes([*command, "--misses"]) == 0
    head, first, _, *rest = capsys.readouterr().out.splitlines()
    cells = dict(zip(head.split(), first.split(), strict=True))
    assert (cells["lands"], cells["answers"], cells["judged"]) == ("0.500", "1.000", "2")
    assert any(line.startswith("1 expected places") for line in rest)
    assert not any(line.startswith("en-q") for line in rest)


def test_the_report_says_what_labels_miss_and_how_far_readers_agree(
    engine: Engine, screens: Screens
) -> None:
    known = {
        (each.query, each.place): each
        for each in (
            judgement(screens, "caches/rows", False),
            judgement(screens, "caches/rows#table", True),
            judgement(screens, "caches/rows#program", False),
        )
    }
    nobody = OwnQuery("en-q-2", "zzzz", "en", "unanswered", "seen", True, ())
    (found,) = judge(engine, screens, [QUERY, nobody], known)
    assert (found.lands, found.top) == (False, False)
    top = Judged(QUERY, "caches/rows", found.screens)
    assert (top.answers, top.better) == (False, ["caches/rows#table"])
    assert Judged(QUERY, "caches/rows#table", found.screens).answers
    assert agreement([found]) == (
        "3 places: 0 both yes, 1 both no, 1 labelled and judged no, "
        "1 not labelled and judged yes; agree 0.333, kappa -0.500"
    )
    assert row("seen", [top]).split() == "seen 1 0.000 0.000 1 0.000 1 0.000".split()


@pytest.mark.parametrize("half", HALVES)
def test_our_judgements_are_of_queries_and_places_that_exist(half: str, own_site: Site) -> None:
    known = read_judgements(judgements_beside(path_of(half)))
    queries = {query.id: query for query in read_queries(half)}
    screens = Screens(own_site)
    assert len(known) > 400
    assert as_yaml(half, known) == judgements_beside(path_of(half)).read_text(encoding="utf-8")
    for id, place in known:
        labelled = {each.partition("#")[0] for each in queries[id].answers}
        labelled |= {*queries[id].deeper}
        assert place.partition("#")[0] in labelled, id
        assert screens.text(place, queries[id].lang), place
