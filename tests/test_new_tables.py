"""Beginning an entry of a table: a term, a fact or a reference stands where it belongs."""

from __future__ import annotations

import argparse
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfnotes.contribute.new._answers import Answers
from perfnotes.contribute.new._term import planned_term
from perfnotes.source.project import UsageError
from tests.example_notes import NOTES
from tests.new_project import BOOK, FACT, TERM, answers, new, project, text
from tests.project import tree

__all__ = ["project"]  # the fixture


class TestTables:
    def test_a_term_stands_beside_its_neighbours_and_all_else_stays(self, project: Path) -> None:
        (project / "notes/glossary.yml").write_text(
            f"# By topic.\n\n{NOTES['glossary.yml']}# End\n"
        )
        before = text(project, "glossary.yml")
        new(*TERM, "--note", "caches/rows")
        entry = (
            "\n- id: memory-page\n  en: memory page\n  zh: 内存页\n  definition:\n"
            '    en: "A unit: of address translation."\n    zh: 地址转换的单位。\n'
            "  note: caches/rows\n"
        )
        behind = "  note: caches/lines\n"
        assert text(project, "glossary.yml") == before.replace(behind, behind + entry)

    def test_a_fact_stands_behind_those_of_its_entity(self, project: Path) -> None:
        file = project / "notes/facts/chips.yml"
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n") + b"  # End\r\n")
        before = file.read_bytes()
        new(*FACT, "sec. 3.3, figure 3.4")
        source = "[@drepper2007memory, sec. 3.3, figure 3.4]"
        line = f'      ways: {{value: 8, unit: way, source: "{source}"}}'
        behind = b"unit: GB/s}\r\n"
        assert file.read_bytes() == before.replace(behind, behind + f"{line}\r\n".encode())

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (TERM[:2], "--zh is missing"),
            (["term", "Cache Line"], "'Cache Line' is the term cache-line already"),
            ([*TERM, "--aliases", "warp"], "--aliases: 'warp' is the term warp already"),
            ([*TERM, "--note", "caches/row"], "did you mean caches/rows?"),
            ([*TERM, "--id", "warp"], "there is a term 'warp' already"),
            ([*TERM, "--id", "../x"], "is no id"),
            (["term", "页", *TERM[2:]], "--id: its id"),
            ([*FACT[:1], "chip"], "write entity/name"),
            ([*FACT[:1], "chip/rate"], "chip/rate is there already, in notes/facts/chips.yml"),
            ([*FACT[:3], "1e9"], "is no number"),
            ([*FACT[:5], "KB"], "may mean 1000 or 1024"),
            ([*FACT[:5], "GiBs"], "is no unit"),
            ([*FACT[:7], "drepper2007memori"], "did you mean drepper2007memory?"),
            ([*FACT, "a; @b, c"], "is no citation with one place"),
            ([*FACT, '"]'], "is no citation with one place"),
            (["fact", "chip/x", "--formula", "rate *", "--unit", "B"], "nothing is written"),
            (
                ["fact", "chip/x", "--formula", "bandwith * 2", "--unit", "B"],
                "did you mean bandwidth",
            ),
            (["fact", "chip/x", "--formula", "rate * 2", "--unit", "B"], "does not convert to B"),
            (["fact", "disk/x", *FACT[2:], "p. 1"], "--file is missing"),
            (["fact", "disk/x", "--file", "chip"], "did you mean chips?"),
            (BOOK[:3], "--title is missing"),
            ([*BOOK[:7], "--year", "20111"], "--year: '20111' is no year: four digits"),
            ([*BOOK[:9], "--key", "a b"], "--venue is missing"),
            ([*BOOK, "--key", "a b"], "is no key"),
            ([*BOOK, "--key", "Drepper2007Memory"], "is taken"),
            ([*BOOK, "--doi", "11.1/x"], "--doi"),
            ([*BOOK, "--url", "ftp://x"], "--url"),
            ([*BOOK, "--topic", "cache"], "did you mean caches?"),
            (["lab"], "NOTE is missing"),
            (["lab", "caches/row"], "did you mean caches/rows?"),
            (["lab", "caches/steps"], "notes/caches/steps/lab is there already"),
        ],
    )
    def test_what_is_wrong_is_said_and_nothing_written(
        self, project: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = tree(project)
        new(*arguments, status=2)
        assert said in capsys.readouterr().err
        assert tree(project) == before

    def test_a_reference_that_is_there_is_named(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        same = "What every programmer should know about memory"
        new("reference", "--type", "misc", "--title", same, status=2)
        assert "[@drepper2007memory]: the same title; --distinct" in capsys.readouterr().err
        where = ("--url", "https://mail.example/talk")
        new("reference", "--type", "misc", "--title", same, "--distinct", *where)
        assert "@misc{anonymous_programmer,\n" in text(project, "references.bib")

    def test_a_reference_that_nobody_can_find_is_refused(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = tree(project)
        talk = ("reference", "--type", "misc", "--title", "Of Rows")
        for little in ((), ("--author", "Doe, Jane"), ("--year", "2011")):
            new(*talk, *little, status=2)
            assert "nothing says where a reader finds this work: give" in capsys.readouterr().err
        assert tree(project) == before
        for enough in (
            ("--isbn", "9780123838728"),
            ("--venue", "Talk at a place", "--year", "2011"),
        ):
            new(*talk, *enough, "--dry-run")
        asked = answers(monkeypatch, "misc", "Of Rows", *[""] * 6, "https://mail.example/rows", "")
        new("reference", "--dry-run")
        assert asked.count("its address on the web: ") == 2, "an answer is needed"

    def test_questions_of_a_reference(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = answers(
            monkeypatch, "article", "On 100 % of {caches}", "a, b, c, d", "Doe, Jane", "1999",
            "J. Caches", "10.1145/1", "", "", "gpu",
        )  # fmt: skip
        new("reference")
        assert "the journal: " in asked
        entry = text(project, "references.bib").rpartition("\n@")[2]
        assert entry.startswith("article{doe1999caches,\n")
        assert "keywords     = {gpu}" in entry

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(st.lists(st.text(min_size=1), min_size=4, max_size=4), st.sampled_from(["", "warps"]))
    def test_any_words_are_written_as_given_or_refused(
        self, project: Path, words: list[str], note: str
    ) -> None:
        options = argparse.Namespace(
            WORDS=words[0], zh=words[1], definition=words[2], definition_zh=words[3], id="x",
            abbr=words[0], aliases=words[2], aliases_zh=None, note=note and f"gpu/{note}",
        )  # fmt: skip
        table = NOTES["glossary.yml"]
        with suppress(UsageError):
            (edit,) = planned_term(project, Answers(options)).changes.edits["notes/glossary.yml"]
            after = yaml.safe_load(table[: edit.start] + edit.new + table[edit.end :])
            assert [e for e in after if e["id"] != "x"] == yaml.safe_load(table)
            (made,) = (e for e in after if e["id"] == "x")
            assert [made["en"], made["zh"]] == [" ".join(w.split()) for w in words[:2]]
            assert made["definition"]["zh"] == " ".join(words[3].split())

    def test_tables_that_are_not_there_yet(self, project: Path) -> None:
        for name in ("references.bib", "glossary.yml"):
            (project / "notes" / name).unlink()
        new(*BOOK)
        new(*TERM)
        assert text(project, "references.bib").startswith("@book{doe2011art,\n")
        assert text(project, "glossary.yml").startswith("- id: memory-page\n")
