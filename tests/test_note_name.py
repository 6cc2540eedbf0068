"""Naming a note on a command line: the same names mean the same note to every command."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from perfnotes.cli.commands._texts import text_named
from perfnotes.cli.commands.translated import run as translated
from perfnotes.cli.main import main
from perfnotes.fixes.move.project import read_project
from perfnotes.fixes.move.rename import kind_and_id
from perfnotes.labs.find import find_labs
from perfnotes.source.note_name import nearest_note, notes_named
from perfnotes.text.nearest import nearest, no_such
from tests.example_notes import read_site, write_notes
from tests.new_project import project

__all__ = ["project"]

IDS = {"caches/rows", "caches/lines", "gpu/rows"}
OF_LINES = [
    "caches/lines", "lines", "notes/caches/lines", "notes/caches/lines/", "./notes/caches/lines.md",
    "notes/caches/lines/index.md", "notes/caches/lines/index.zh.md", "notes/caches/lines.zh.md",
    "notes/caches/lines/lab", "notes/caches/lines/lab/lab.yml", "notes/caches/lines.review.yml",
]  # fmt: skip


@pytest.mark.parametrize("name", OF_LINES)
def test_an_id_a_slug_or_a_path(name: str, tmp_path: Path) -> None:
    assert notes_named(name, IDS, tmp_path) == ["caches/lines"]


def test_what_is_no_name_or_that_of_several(tmp_path: Path) -> None:
    assert notes_named("rows", IDS, tmp_path) == ["caches/rows", "gpu/rows"]
    for name in ("", "caches", "caches/", "line", "lines/lines", "/", "..", "a\0b", "x" * 5000):
        assert notes_named(name, IDS, tmp_path) == []
    assert nearest_note("line", IDS, tmp_path) == "lines"
    assert nearest_note("notes/cache/line", IDS, tmp_path) == "caches/lines"


def test_a_path_is_seen_from_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = write_notes(tmp_path) / "notes"
    monkeypatch.chdir(notes / "caches")
    for name in ("rows.md", "../caches/rows.md", str(notes / "caches/rows.md")):
        assert notes_named(name, IDS, notes) == ["caches/rows"], name


def test_every_command_takes_the_same_names(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = read_site(project)
    labs = find_labs(project / "notes", "notes")
    renaming = read_project(project)
    steps = ("caches/steps", "steps", "notes/caches/steps", "notes/caches/steps/index.md")
    for name in steps:
        assert text_named(site, name, "en").of.id == "caches/steps"
        assert labs.find_id(name) == "caches/steps"
        assert kind_and_id(renaming, name) == ("note", "caches/steps")
    assert text_named(site, "notes/caches/lines.zh.md", "en").of.lang == "zh"
    assert text_named(site, "lines", "zh").of.lang == "zh"
    for name in ("lines", "caches/lines", "notes/caches/lines.md"):
        translated(argparse.Namespace(note=[name], dry_run=True))
        assert capsys.readouterr().out.startswith("caches/lines: ")
    assert main(["translated", "rows"]) == 2
    assert "'rows' has no translation" in capsys.readouterr().err
    assert main(["new", "lab", "lines", "--dry-run"]) == 0
    assert "would write notes/caches/lines/lab/lab.yml" in capsys.readouterr().out


def test_a_common_folder_does_not_make_names_alike() -> None:
    known = ["caches/storage", "caches/row-order", "gpu/nope-sled"]
    assert nearest("caches/nope", known, 0.6) is None
    assert nearest("caches/row-ordr", known) == "caches/row-order"
    assert nearest("cahces/row-order", known) == "caches/row-order"


def test_a_word_of_three_letters_is_guessed_if_one_is_missing() -> None:
    topics = ["bash", "gpu", "cpu", "caches"]
    assert nearest("bsh", topics) == nearest("bas", topics, 0.6) == "bash"
    for other in ("gup", "xpu", "abc", "ba"):
        assert nearest(other, topics, 0.6) is None
    assert no_such("topic", "bsh", topics, "") == "no topic is called 'bsh': did you mean bash?"
