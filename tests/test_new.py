"""Beginning something: it passes check as it is written, and nothing is lost or half written."""

from __future__ import annotations

import argparse
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfnotes.cli.main import main
from perfnotes.contribute.new._answers import Answers
from perfnotes.contribute.new._author import author
from perfnotes.contribute.new._names import slug_of, why_not
from perfnotes.contribute.new._note import planned_note
from perfnotes.fixes.move import apply as applying
from perfnotes.model.translation import original_hash
from perfnotes.source.project import UsageError
from perfnotes.source.read.folder import read_library
from perfnotes.source.twin import skeleton
from perfnotes.storage.write import write_atomically
from tests.example_notes import NOTES, write_notes
from tests.new_project import (
    BOOK,
    FACT,
    NOTE,
    TERM,
    answers,
    checked,
    new,
    project,
    published,
    text,
)
from tests.project import ROOT, tree

__all__ = ["project"]  # the fixture


def test_the_first_note_of_a_topic_that_is_wanted_begins_the_topic(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """So each command that the page "help wanted" names works."""
    wanted = "topics:\n  disks: {en: Disks, zh: 磁盘}\nsubjects:\n- id: disks/blocks\n"
    wanted += "  title: {en: Blocks, zh: 块}\n  question: {en: How large?, zh: 多大？}\n"
    write_notes(project, {"wanted.yml": wanted})
    new("note", "disks/blocks", "--title", "Blocks", "--tags", "cache", "--level", "introductory")
    assert text(project, "topics.yml").endswith(
        "\n\n- id: disks\n  title: {en: Disks, zh: 磁盘}\n"
        "  description: {en: Disks, zh: 磁盘}\n  notes: [blocks]\n"
    )
    assert "say what the new topic is about" in capsys.readouterr().out
    checked(project, monkeypatch)


def test_the_author_is_who_the_project_names_or_who_commits(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(project / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parent))
    new(*NOTE)
    assert "authors" not in text(project, "caches/sets.md")
    (project / "gitconfig").write_text('[user]\nname = "Doe: Ann <ann@example.org>"\n')
    new("note", "caches/ways", "--title", "Ways", *NOTE[4:])
    assert 'authors: ["Doe: Ann"]\n' in text(project, "caches/ways.md")
    (project / "mkdocs.yml").write_text("site_name: Example\nsite_author: All of us\n")
    new("note", "caches/tags", "--title", "Tags", *NOTE[4:])
    assert "authors: [All of us]\n" in text(project, "caches/tags.md")


def test_our_own_notes_are_by_all_contributors() -> None:
    assert author(ROOT) == "perfnotes contributors"


def test_every_kind_passes_check_as_it_is_written(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    new(*NOTE, "--twin", "--requires", "caches/lines")
    new(*BOOK)
    new(*TERM, "--abbr", "MP", "--aliases-zh", "页，页面", "--note", "caches/sets")
    new(*FACT, "sec. 3.3")
    new("fact", "chip/rate-each", "--formula", "rate / ways", "--unit", "GT/s",
        "--qualifier", "of one: way", "--qualifier-zh", "每路")  # fmt: skip
    new("fact", "disk/block", "--value", "4", "--unit", "KiB", "--source", "doe2011art", "--place",
        "p. 4", "--file", "chips", "--entity", "A disk", "--kind", "storage")  # fmt: skip
    new("lab", "caches/rows")
    capsys.readouterr()
    checked(project, monkeypatch)
    published(project, "caches/sets.md")
    published(project, "caches/sets.zh.md")
    assert "translates" not in text(project, "caches/sets.zh.md")  # there was no text to follow
    sentence = "A set is a row of the cache.\n"
    with (project / "notes/caches/sets.md").open("a", encoding="utf-8") as file:
        file.write(f"\n{sentence}")
    assert main(["check"]) == 1
    assert "PN202 error: `translates` is missing" in (told := capsys.readouterr().out)
    assert "perfnotes translated" in told
    assert main(["translated", "caches/sets"]) == 0
    capsys.readouterr()
    assert capsys.readouterr().out == ""
    with monkeypatch.context() as elsewhere:
        elsewhere.chdir(ROOT)
        assert main(["check", "--notes", str(project / "notes"), "--strict"]) == 1
    found = capsys.readouterr().out.splitlines()
    assert all(" PN805 " in line for line in found)
    assert sum("/caches/sets.md:" in line for line in found) == 4
    # Its description, and the headings of several words; all is as the English text has it.
    assert sum("/caches/sets.zh.md:" in line for line in found) == 6
    library = read_library(project / "notes")
    assert library.notes["caches/sets"].meta.requires == ("caches/lines",)
    assert library.topics["caches"].order[-1] == "sets"
    assert not library.translations["caches/sets"].is_behind
    assert library.references["doe2011art"].title == "The Art of GPU Caches"
    assert library.terms["memory-page"].aliases_zh == ("页", "页面")
    assert library.facts.value("chip/rate-each").median == 0.4
    assert library.facts.by_id["disk/block"].keys == ("doe2011art",)
    assert library.labs["caches/rows"].claims.keys() == {"comparisons", "slowdown"}


class TestNotes:
    def test_what_is_missing_or_wrong_is_named(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write_notes(project, {"caches/rows.md": "---\naliases: [line]\n---\n"})
        before = tree(project)
        for arguments, said in (
            (["note"], "TOPIC/SLUG is missing"),
            (NOTE[:2], "--title is missing"),
            (["note"], "--tags is missing: give tags from notes/tags.yml, with commas\n--level is"),
            (["note"], "--title is missing: give the title, as readers see it\n--tags"),
            (NOTE[:4], "--tags is missing"),
            ([*NOTE[:5], "cahce,cache,x"], "did you mean cache?; no tag is called 'x'"),
            (["note", "cache/x"], "did you mean caches?\na new topic begins with an entry there"),
            (["note", "caches/Sets"], "did you mean sets?"),
            (["note", "caches/rows"], "notes/caches/rows.md is there already"),
            (["note", "caches/steps"], "notes/caches/steps is there already"),
            (["note", "gpu/line"], "notes/caches/rows.md is known as 'line'"),
            (["note", "caches/con"], "on Windows"),
            (["note", "caches/index"], "'index'"),
            (["note", "../docs/x"], "is no id"),
            (["note", "/etc/x"], "is no id"),
            (["note", "notes/caches/x.md"], "write caches/x"),
            (["note", "notes/caches"], "write caches, without notes/"),
            ([*NOTE[:3], "cache LINES"], "notes/caches/lines.md has this title"),
            ([*NOTE[:3], "x" * 121], "at most 120"),
            ([*NOTE[:3], "a\x1b[31mb"], "U+001B"),
            ([*NOTE[:3], "a\nb"], "U+000A"),
            ([*NOTE, "--description", "x" * 201], "--description: 201 characters"),
            ([*NOTE, "--requires", "caches/row"], "did you mean caches/rows?"),
            ([*NOTE, "--requires", "row,lines"], "--requires: no note is called 'row': did you"),
            (["note", "gp/x"], "no topic is called 'gp': there are caches, gpu"),
            (["lab", "lines,rows"], "NOTE: no note is called 'lines,rows'"),
            (
                ["note", "caches", "--title", "缓存组", "--tags", "cache", "--level", "advanced"],
                "the title has letters that are not Latin, so no slug can be made from the title; "
                "write one: perfnotes new note caches/my-slug",
            ),
            (["note", "caches", "--title", "Index"], "no slug can be made from the title; write"),
            (
                ["note", "caches", "--title", "Rows"],
                "notes/caches/rows.md is there already; write one: perfnotes new note caches/my-s",
            ),
            (["note", "caches/row", "--lang", "zh"], "did you mean caches/rows?"),
            (["note", "caches/lines", "--lang", "zh"], "perfnotes translated caches/lines"),
            (["note", "caches/rows", "--lang", "zh", "--tags", "cache"], "leave the option out"),
        ):
            new(*arguments, status=2)
            out = capsys.readouterr()
            assert said in out.err, arguments
            assert out.out == ""
        assert tree(project) == before

    def test_questions_are_asked_again_until_the_answer_is_right(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        asked = answers(
            monkeypatch, "", "gpus", "gpu", " 线程束 ", "warp-size", "caches", "cache", "easy",
            "advanced", "", "How many threads a warp has.", "rows, notes/gpu/warps.md",
        )  # fmt: skip
        new("note")
        assert len(asked) == 12
        assert "description: How many threads a warp has.\n" in text(project, "gpu/warp-size.md")
        out = capsys.readouterr().out
        for word in ("an answer is needed", "did you mean gpu?", "did you mean cache?", "one of"):
            assert word in out
        assert "title: 线程束\n" in text(project, "gpu/warp-size.md")
        assert "requires: [caches/rows, gpu/warps]\n" in text(project, "gpu/warp-size.md")
        assert "  notes: [warp-size]\n" in text(project, "topics.yml")
        assert "$EDITOR notes/gpu/warp-size.md" in out

    def test_what_may_be_left_out_is_not_asked_for_alone(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked = answers(monkeypatch)
        new(*NOTE)
        assert asked == []
        assert text(project, "caches/sets.md").endswith("## Where to read on\n")

    def test_the_input_ends_or_ctrl_c(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = tree(project)
        answers(monkeypatch, "caches/sets")
        new("note", status=2)
        assert "nothing is written" in capsys.readouterr().err

        def interrupt(_: str) -> str:
            raise KeyboardInterrupt

        monkeypatch.setattr("builtins.input", interrupt)
        new("note", status=130)
        assert tree(project) == before

    def test_dry_run_writes_nothing(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = tree(project)
        for arguments in (NOTE, BOOK, TERM, [*FACT, "p. 1"], ["lab", "caches/rows"]):
            new(*arguments, "--dry-run")
        assert tree(project) == before
        assert "would write notes/caches/sets.md" in capsys.readouterr().out

    def test_a_file_that_differs_in_case_or_a_link_out_is_met(
        self, project: Path, tmp_path_factory: pytest.TempPathFactory,
        capsys: pytest.CaptureFixture[str],
    ) -> None:  # fmt: skip
        (project / "notes/caches/SETS.MD").write_text("Text.\n")
        new(*NOTE, status=2)
        assert "notes/caches/SETS.MD is there already" in capsys.readouterr().err
        outside = tmp_path_factory.mktemp("outside")
        shutil.rmtree(project / "notes/gpu")
        (project / "notes/gpu").symlink_to(outside)
        new("note", "gpu/sets", *NOTE[2:], status=2)
        assert "leads out of notes/" in capsys.readouterr().err
        assert list(outside.iterdir()) == []

    def test_half_of_it_is_never_written(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = tree(project)
        for limit in range(3):  # topics.yml, the note, its twin
            left = [limit]

            def failing(file: Path, data: bytes, left: list[int] = left) -> None:
                left[0] -= 1
                if left[0] == -1:
                    raise KeyboardInterrupt
                write_atomically(file, data)

            monkeypatch.setattr(applying, "write_atomically", failing)
            new(*NOTE, "--twin", status=130)
            assert tree(project) == before
        assert "interrupted" in capsys.readouterr().err

    def test_the_skeleton_of_a_twin(self, project: Path) -> None:
        shutil.copy(project / "notes/caches/lines.md", project / "notes/caches/other.md")
        new("note", "caches/other", "--lang", "zh", "--title", "另一篇：“缓存行”")
        note = read_library(project / "notes").notes["caches/other"]
        assert text(project, "caches/other.zh.md") == (
            "---\ntitle: 另一篇：“缓存行”\ndescription: The unit in which caches hold memory.\n"
            f"translates: {original_hash(note)}\ndraft: true\n---\n\n## Size\n\n## Alignment\n"
        )
        assert skeleton(note).startswith("---\ntitle: Cache lines\n")

    @given(st.text())
    def test_a_slug_from_any_title_is_right_or_not_guessed(self, title: str) -> None:
        slug = slug_of(title)
        assert slug == "" or why_not(slug) == ""

    def test_slugs(self) -> None:
        assert (
            slug_of("What a “pipe” costs: I/O & C++'s price") == "what-a-pipe-costs-i-o-c-s-price"
        )
        assert slug_of("Straße, naïveté, Łódź") == "strasse-naivete-lodz"
        assert slug_of("缓存行 cache lines") == slug_of("Кэш") == slug_of("µops") == ""
        assert slug_of("CON") == slug_of("!?") == ""
        assert len(slug_of("long " * 40)) <= 60

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(title=st.text(min_size=1), words=st.text())
    def test_any_title_is_written_as_given_or_refused(
        self, project: Path, title: str, words: str
    ) -> None:
        options = argparse.Namespace(
            **{"TOPIC/SLUG": "caches/sets"},
            title=title, description=words, tags="cache", level="advanced", requires=None,
            twin=True, lang=None,
        )  # fmt: skip
        with suppress(UsageError):  # naming the option; NewError or a traceback would not pass
            made = planned_note(project, Answers(options)).changes.created
            for front in made.values():
                assert yaml.safe_load(front.split("---\n")[1])["title"] == " ".join(title.split())


class TestLabs:
    def test_the_note_moves_into_a_folder_and_links_follow(self, project: Path) -> None:
        overlay = {
            "caches/lines.zh.md": NOTES["caches/lines.zh.md"] + "\n![图](pic.svg)\n",
            "caches/pic.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
            "gpu/warps.md": NOTES["gpu/warps.md"] + "\nAlso [lines](../caches/lines.md#size).\n",
        }
        write_notes(project, overlay)
        new("lab", "caches/lines")
        assert not (project / "notes/caches/lines.md").exists()
        assert "(../rows.md)" in text(project, "caches/lines/index.md")
        assert "(../pic.svg)" in text(project, "caches/lines/index.zh.md")
        assert "(../caches/lines/index.md#size)" in text(project, "gpu/warps.md")
        library = read_library(project / "notes", "notes")
        assert library.findings == []
        assert not library.translations["caches/lines"].is_behind

    def test_interrupted(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        before = tree(project)

        def failing(file: Path, data: bytes) -> None:
            if file.name == "search.c" and project in file.parents:
                raise KeyboardInterrupt
            write_atomically(file, data)

        monkeypatch.setattr(applying, "write_atomically", failing)
        new("lab", "caches/rows", status=130)
        assert tree(project) == before
        assert not (project / "notes/caches/rows").exists()

    @pytest.mark.slow
    def test_it_runs_and_its_result_is_recorded(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert shutil.which("gcc"), "gcc is missing: `make test` installs it"
        new("lab", "caches/rows")
        assert main(["lab", "record", "caches/rows", "--trust"]) == 0
        assert "2 hold" in capsys.readouterr().out
        with (project / "notes/caches/rows/index.md").open("a") as note:
            note.write("\nThat is [2,074×](lab:comparisons) as many.\n")
        checked(project, monkeypatch)
        assert list((project / "notes/caches/rows/lab/results").iterdir())
