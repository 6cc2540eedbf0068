"""Labelling queries again, note by note: what a reader is asked, and what becomes of the labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from benchmarks.search.own_queries import LOADER, OwnQuery, read_queries
from benchmarks.search.relabel import (
    Pool,
    RelabelError,
    judgements,
    main,
    make,
    relabelled,
    with_labels,
)

from perfnotes.graph.site import Site
from perfnotes.search.evaluate import read_judged
from tests.example_notes import read_site, write_notes

QUERY = OwnQuery(
    "en-q-1", "row column", "en", "question", "seen", True,
    ("gpu/warps", "caches/rows#old"), "What?",
)  # fmt: skip
FILE = """\
# Queries.
- id: en-q-1
  query: row column
  lang: en
  kind: question
  half: seen
  meant: What?
  labelled: true
  answers:
    - gpu/warps
    - caches/rows#old
  deeper: [caches/lines]

- id: en-q-2
  query: another
  lang: en
  kind: question
  half: seen
  meant: What else?
  labelled: true
  answers: []
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    text = "Row by row.\n\n## Table\n\nColumn by column.\n"
    return read_site(write_notes(tmp_path_factory.mktemp("site"), {"caches/rows.md": text}))


def pool(page: str, answers: Any, reason: str = "because") -> Pool:
    screens = {page: "Rows", f"{page}#table": "Table"}
    row = {"id": "en-q-1", "lang": "en", "answers": answers, "reason": reason}
    return {"page": page, "screens": {"en": screens}, "queries": [row]}


def test_a_query_is_judged_for_labelled_and_found_notes_which_nothing_tells_apart(
    site: Site,
) -> None:
    pools = {each["page"]: each for each in make(site, [QUERY])}
    assert "caches/rows" in pools  # found; gpu/warps is no note of this site
    rows = pools["caches/rows"]
    assert list(rows["screens"]["en"]) == ["caches/rows", "caches/rows#table"]
    assert "Column by column." in rows["screens"]["en"]["caches/rows#table"]
    (row,) = rows["queries"]
    assert set(row) == {"id", "lang", "query", "meant", "answers", "reason"}
    assert row["answers"] is None
    labelled = replace(QUERY, query="nothing of that kind", answers=("caches/rows",))
    assert [each["page"] for each in make(site, [labelled])] == ["caches/rows"]


def test_the_order_of_queries_says_nothing_about_their_halves(site: Site) -> None:
    many = [replace(QUERY, id=f"en-q-{i}") for i in range(8)]
    orders = [
        [row["id"] for each in make(site, asked) if each["page"] == "caches/rows"
         for row in each["queries"]]
        for asked in (many, many[::-1])
    ]  # fmt: skip
    assert orders[0] == orders[1] != sorted(orders[0])


def test_each_query_must_be_judged_and_each_place_must_exist() -> None:
    assert judgements([pool("a", ["a#table"]), pool("b", [])]) == {
        "en-q-1": {"a": ["a#table"], "b": []}
    }
    for answers, reason, message in (
        (None, "because", "a: en-q-1 is not judged"),
        ([], " ", "a: en-q-1 is not judged"),
        (["a#gone"], "because", "a#gone is no place"),
    ):
        with pytest.raises(RelabelError, match=message):
            judgements([pool("a", answers, reason)])


def test_places_are_replaced_and_a_note_without_a_place_still_answers_further_below() -> None:
    judged = {"caches/rows": [], "caches/lines": ["caches/lines"], "caches/sets": []}
    found = relabelled(QUERY, judged)
    assert found.answers == ("caches/lines", "gpu/warps")
    assert found.deeper == ("caches/rows",)  # caches/sets was no answer before either
    again = relabelled(found, {"caches/rows": ["caches/rows#table"], "gpu/warps": ["gpu/warps"]})
    assert again.answers == ("gpu/warps", "caches/rows#table", "caches/lines")
    assert again.deeper == ()
    assert relabelled(found, {"caches/rows": []}).deeper == ("caches/rows",)


def test_a_page_stays_deeper_while_nobody_judges_it_again() -> None:
    assert relabelled(replace(QUERY, deeper=("caches/lines",)), {}).deeper == ("caches/lines",)


def test_only_labels_of_judged_queries_change_in_the_file() -> None:
    found = with_labels(FILE, {"en-q-1": replace(QUERY, answers=("caches/rows",), deeper=())})
    before = FILE[FILE.index("  answers:") : FILE.index("\n- id: en-q-2")]
    assert found == FILE.replace(before, "  answers: [caches/rows]\n")
    long = tuple(f"caches/rows#a-section-with-a-long-name-{i}" for i in range(4))
    found = with_labels(FILE, {"en-q-2": replace(QUERY, answers=long, deeper=("caches/lines",))})
    first, second = yaml.load(found, Loader=LOADER)
    assert first == yaml.load(FILE, Loader=LOADER)[0]
    assert (second["answers"], second["deeper"]) == ([*long], ["caches/lines"])


def test_the_labels_are_merged_into_the_files_of_queries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own_queries_seen.yml"
    file.write_text(FILE, encoding="utf-8")
    monkeypatch.setattr("benchmarks.search.relabel.HALVES", ("seen",))
    for module in ("relabel", "own_queries"):
        monkeypatch.setattr(f"benchmarks.search.{module}.path_of", lambda *_: file)
    folder = tmp_path / "pools"
    folder.mkdir()
    written = folder / "caches+lines.yml"
    written.write_text(yaml.safe_dump([pool("caches/lines", ["caches/lines"])]), encoding="utf-8")
    assert main(["merge", str(folder)]) == 0
    query, other = read_queries("seen")
    assert query.answers == ("caches/lines", "gpu/warps", "caches/rows#old")
    assert query.deeper == other.answers == ()
    written.write_text(yaml.safe_dump([pool("caches/lines", None)]), encoding="utf-8")
    assert main(["merge", str(folder)]) == 1
    assert "is not judged" in capsys.readouterr().err
    written.write_text("{", encoding="utf-8")
    assert main(["merge", str(folder)]) == 1
    assert "holds no pools" in capsys.readouterr().err


def test_a_deeper_page_is_an_answer_at_whose_places_no_result_lands(tmp_path: Path) -> None:
    file = tmp_path / "queries.yml"
    file.write_text(FILE, encoding="utf-8")
    judged, none = read_judged(file)
    assert judged.pages == {"gpu/warps", "caches/rows", "caches/lines"}
    assert judged.expected == ("gpu/warps", "caches/rows#old")
    assert none.pages == frozenset()
