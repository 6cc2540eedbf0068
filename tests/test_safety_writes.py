"""A site is written whole or not at all: after errors, a full disk and refused writes, the last one
stands as it was, and nothing half done lies beside it."""

from __future__ import annotations

import errno
import os
import resource
from pathlib import Path

import pytest

from perfnotes.cli.main import main
from tests.project import copy_built, copy_project, mkdocs, perfnotes, run, tree
from tests.safe_builds import (
    BUILDS,
    ROWS,
    assert_nothing_changed,
    assert_says_once,
    edit,
    project,
    run_on_full_disk,
)

__all__ = ["project"]  # the fixture

slow = pytest.mark.slow
both = pytest.mark.parametrize("command", BUILDS, ids=["perfnotes", "mkdocs"])


@slow
@both
def test_an_error_in_a_note_leaves_the_last_site(
    project: Path, built_example: Path, command: list[str]
) -> None:
    edit(project, "See [[linse]].")
    done = run(project, command, status=1)
    assert f"{ROWS}:14:5: PN301 " in done.stderr
    assert "Traceback" not in done.stderr
    assert_nothing_changed(project, built_example)


@slow
@both
def test_an_unsafe_page_leaves_the_last_site(
    project: Path, built_example: Path, command: list[str]
) -> None:
    edit(project, "A *word*{onclick=alert(1)}.")
    done = run(project, command, status=1)
    assert f"{ROWS}:14:9: PN606 " in done.stderr
    if command == BUILDS[0]:  # MkDocs converts no page of notes that have errors
        assert f"{ROWS}:14:10: PN601 " in done.stderr
    assert_nothing_changed(project, built_example)


FULL = [(BUILDS[1], "build/stage", 1)]
FULL += [(command, ".site.", count) for command in BUILDS for count in (1, 70)]


@slow
@pytest.mark.parametrize(("command", "folder", "count"), FULL)
def test_a_full_disk_leaves_the_last_site(
    project: Path, built_example: Path, command: list[str], folder: str, count: int
) -> None:
    done = run_on_full_disk(project, command, folder, count)
    assert_says_once(done, os.strerror(errno.ENOSPC))
    if command == BUILDS[0]:
        assert f"{os.strerror(errno.ENOSPC)}: {project}/site/" in done.stderr
    assert_nothing_changed(project, built_example)


@slow
def test_a_server_on_a_full_disk_ends_and_names_the_file(project: Path) -> None:
    command = perfnotes("serve", "--port", "0")
    done = run_on_full_disk(project, command, ".perfnotes-cache/served", 1)
    assert_says_once(done, os.strerror(errno.ENOSPC))
    assert "/site/" in done.stderr


@slow
@both
def test_a_write_that_the_system_refuses_leaves_the_last_site(
    project: Path, built_example: Path, command: list[str]
) -> None:
    def limit_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    done = run(project, command, status=2, before=limit_size)
    assert_says_once(done, os.strerror(errno.EFBIG))
    assert_nothing_changed(project, built_example)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("usual") / "project", notes={})


@slow
@pytest.mark.parametrize("kept", ["index.html", "photo.jpg", ".git/config"])
def test_a_folder_with_something_else_is_not_replaced(
    usual: Path, tmp_path: Path, kept: str
) -> None:
    file = tmp_path / "site" / kept
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    if kept.startswith("."):  # beside a site of ours
        (tmp_path / "site" / "assets" / "perfnotes").mkdir(parents=True)
    before = tree(tmp_path)
    done = run(usual, perfnotes("build", "--site", str(tmp_path / "site")), status=2)
    assert len(done.stderr.splitlines()) == 1
    assert "holds something else than a site" in done.stderr
    assert tree(tmp_path) == before


@slow
def test_mkdocs_replaces_nothing_else_either(usual: Path, tmp_path: Path) -> None:
    (tmp_path / "site" / ".git").mkdir(parents=True)
    (tmp_path / "site" / ".git" / "config").write_text("mine")
    before = tree(tmp_path)
    done = run(usual, mkdocs("build", "--site-dir", str(tmp_path / "site")), status=1)
    assert "holds something else than a site" in done.stdout
    assert tree(tmp_path) == before


@slow
def test_wrong_folders_are_named_in_one_line(
    usual: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(usual)
    (tmp_path / "file").write_text("x")
    (tmp_path / "notes" / "below").mkdir(parents=True)
    (tmp_path / "notes" / "note.md").write_text("# Note\n")
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / ".gitkeep").touch()
    (tmp_path / "link").symlink_to("kept")
    notes, site = f"--notes={tmp_path}/notes", f"--site={tmp_path}/site"
    wrong = [
        [f"--notes={tmp_path}/missing", site],
        [f"--notes={tmp_path}/file", site],
        [notes],
        [notes, f"--site={tmp_path}/notes/below"],
        [notes, f"--site={tmp_path}"],
        [notes, f"--site={tmp_path}/file"],
        [notes, site, f"--stage={tmp_path}/notes"],
        [notes, site, f"--stage={tmp_path}/link"],
        [notes, site, f"--stage={tmp_path}/site"],
        [notes, site, f"--stage={tmp_path}/site/staged"],
    ]
    before = tree(tmp_path)
    for options in wrong:
        assert main(["build", *options]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1, err
        assert err.startswith("perfnotes: ")
    assert tree(tmp_path) == before


@slow
@pytest.mark.parametrize(
    "line", ["site_url: no address", "site_url: [1", "theme: nosuchtheme", "\tsite_name: x"]
)
def test_a_broken_configuration_is_named_in_one_line(
    usual: Path, tmp_path: Path, line: str
) -> None:
    project = copy_built(usual, tmp_path / "project")
    with (project / "mkdocs.yml").open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = run(project, perfnotes("build"), status=2)
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("perfnotes: mkdocs.yml: ")
    assert len(done.stderr.splitlines()) == 1
    assert not (project / "site").exists()
