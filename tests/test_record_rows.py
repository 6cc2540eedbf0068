"""A record has texts and the blocks of notes in rows of their own, read when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from perfnotes.build.record_rows import RecordRows
from perfnotes.cli import main as cli
from perfnotes.storage.codec import RECORD
from perfnotes.storage.store import FOLDER, Store, StoreSection
from tests.oracle import build_without_cache
from tests.project import differences

SENTENCE = "\nA sentence about cache lines that says nothing new.\n"


@pytest.fixture
def project(edited_example: Path) -> Path:
    """The example, built."""
    return edited_example


def rows(project: Path) -> tuple[Store, StoreSection, dict[str, bytes]]:
    """The record's rows of texts and blocks: their keys, each with its stamp."""
    store = Store(project / FOLDER)
    section = store.section("record", RECORD)
    keys = [*section.keys(f"text {project}\0"), *section.keys(f"blocks {project}\0")]
    return store, section, {key: section.get(key)[0] for key in keys}


def edit(project: Path, note: str, change: Callable[[str], str]) -> None:
    file = project / "notes" / note
    file.write_text(change(file.read_text("utf-8")), "utf-8")


def assert_as_without_cache(project: Path) -> None:
    assert build_without_cache(project / "fresh", "--quiet") == 0
    assert differences(project / "site", project / "fresh") == []


@pytest.mark.slow
def test_an_edit_reads_few_rows(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    really = RecordRows.get

    def noted(self: RecordRows, kind: str, key: str, stamp: bytes) -> object:
        read.append(f"{kind} {key}")
        return really(self, kind, key, stamp)

    monkeypatch.setattr(RecordRows, "get", noted)
    edit(project, "caches/rows.md", lambda text: text + SENTENCE)
    assert cli.main(["build", "--quiet"]) == 0
    texts = {each for each in read if each.startswith("text ")}
    # The page of the note before and after it, and texts that the home page shows.
    assert "text notes/gpu/warps.md" not in texts
    assert len(texts) < 6, texts
    assert_as_without_cache(project)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["text", "blocks"])
def test_a_row_that_another_build_has_replaced_makes_everything_be_built(
    project: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    store, section, stamps = rows(project)
    for key in stamps:
        if key.startswith(f"{kind} "):
            section.put(key, (b"another!", section.get(key)[1]))
    store.save()
    edit(project, "caches/rows.md", lambda text: text.replace("row by row", "line by line"))
    assert cli.main(["build", "--quiet"]) == 0
    assert "cannot be read" not in capsys.readouterr().err
    assert_as_without_cache(project)
    stamped = set(rows(project)[2].values())
    assert b"another!" not in stamped  # everything was built, and stored again
    edit(project, "caches/rows.md", lambda text: text + SENTENCE)
    assert cli.main(["build", "--quiet"]) == 0
    assert_as_without_cache(project)


@pytest.mark.slow
def test_rows_come_and_go_with_notes_and_the_others_stay(project: Path) -> None:
    before = rows(project)[2]
    new = f"text {project}\0notes/caches/new.md"
    note = project / "notes/caches/new.md"
    head = "---\ntitle: New\ndescription: A new note.\ntags: [cache]\nlevel: introductory\n"
    note.write_text(f"{head}date: 2026-01-31\n---\n\nSee [[lines]].\n", "utf-8")
    assert cli.main(["build", "--quiet"]) == 0
    there = rows(project)[2]
    texts = {key for key in before if key.startswith("text ")}
    assert new in there
    assert {key: there[key] for key in texts} == {key: before[key] for key in texts}
    note.unlink()
    assert cli.main(["build", "--quiet"]) == 0
    after = rows(project)[2]
    assert new not in after
    assert {key: after[key] for key in texts} == {key: before[key] for key in texts}
    assert_as_without_cache(project)
