"""``perfnotes search`` of the project's own notes: in the built site, or in the notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from perfnotes.cli.main import main
from perfnotes.search.document import SearchDocument
from perfnotes.search.shards import Shards
from tests.project import copy_built, perfnotes, run

pytestmark = pytest.mark.slow


@pytest.fixture
def project(built_example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example, built where it is."""
    project = copy_built(built_example, tmp_path / "project")
    run(project, perfnotes("build", "--quiet"))
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Shards]:
    """The indexes that are made."""
    found: list[Shards] = []
    files = Shards.files

    def noted(shards: Shards, texts: Iterable[SearchDocument]) -> Iterator[tuple[str, bytes]]:
        found.append(shards)
        return files(shards, texts)

    monkeypatch.setattr(Shards, "files", noted)
    return found


@pytest.mark.usefixtures("project")
def test_a_search_reads_the_index_of_a_site_that_is_up_to_date(
    made: list[Shards], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", "rows"]) == 0
    in_site = capsys.readouterr().out
    assert "[caches/rows]" in in_site
    assert not made
    assert main(["search", "--notes", "notes", "rows"]) == 0
    assert made
    assert capsys.readouterr().out.splitlines()[0] == in_site.splitlines()[0]


def test_after_an_edit_a_search_reads_the_notes(
    project: Path, made: list[Shards], capsys: pytest.CaptureFixture[str]
) -> None:
    with (project / "notes/caches/rows.md").open("a", encoding="utf-8") as note:
        note.write("\nThe zebroid strides along.\n")
    assert main(["search", "zebroid"]) == 0
    assert "[caches/rows]" in capsys.readouterr().out
    assert made


def test_a_search_neither_trusts_nor_mends_a_site_that_somebody_changed(
    project: Path, made: list[Shards], capsys: pytest.CaptureFixture[str]
) -> None:
    root = project / "site/search/root.js"
    root.write_text("nothing", "utf-8")
    assert main(["search", "rows"]) == 0
    assert "[caches/rows]" in capsys.readouterr().out
    assert made
    assert root.read_text("utf-8") == "nothing"
