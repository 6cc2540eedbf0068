"""Notes of your own: a project whose ``mkdocs.yml`` says little, and a folder outside of any."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.build.configuration import configuration
from perfnotes.build.settings import name_of_folder
from perfnotes.cli.main import main
from perfnotes.source.project import UsageError, root_for
from tests.new_project import project
from tests.project import ROOT

__all__ = ["project"]


def test_a_project_that_names_no_theme_has_ours(project: Path) -> None:
    (project / "mkdocs.yml").write_text("site_name: Mine\nplugins: [search]\ntheme: material\n")
    ours, mine = configuration(ROOT), configuration(project)
    assert mine["site_name"] == "Mine"
    assert Path(mine["site_dir"]) == project / "site"
    assert not mine["repo_url"]
    assert not list(mine.plugins)
    assert Path(mine.theme.custom_dir) == ROOT / "tools/perfnotes/site/theme"
    assert mine["markdown_extensions"] == ours["markdown_extensions"]
    assert mine["extra_css"] == ours["extra_css"]


def test_a_theme_that_is_not_used_is_named(project: Path) -> None:
    (project / "mkdocs.yml").write_text("site_name: Mine\ntheme: {name: readthedocs}\n")
    with pytest.raises(UsageError, match=r"mkdocs\.yml: the theme 'readthedocs' is not used"):
        configuration(project)


def test_a_broken_file_is_named(project: Path) -> None:
    (project / "mkdocs.yml").write_text("site_name: [\n")
    with pytest.raises(UsageError, match=r"mkdocs\.yml"):
        configuration(project)


@pytest.mark.usefixtures("project")
def test_a_project_needs_no_docs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_a_project_is_built_again_after_an_edit(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build"]) == 0
    assert "to see it: perfnotes serve, then" in capsys.readouterr().out
    note = next((project / "notes/caches").glob("*.md"))
    note.write_text(note.read_text("utf-8") + "\nOne more sentence stands here.\n", "utf-8")
    assert main(["build"]) == 0
    page = project / "site" / "caches" / note.stem / "index.html"
    assert "One more sentence stands here." in page.read_text("utf-8")


def test_a_folder_outside_of_any_project_has_the_settings_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    notes = tmp_path / "my notes"
    notes.mkdir()
    (notes / "a.md").write_text("# A\n\nSee [b](b.md).\n")
    assert root_for(notes) == tmp_path / "cache/perfnotes/without-project"
    assert main(["check", "--notes", str(notes)]) == 0
    assert "a.md:3:9: PN304 warning: no file at 'b.md'" in capsys.readouterr().out
    assert list(notes.iterdir()) == [notes / "a.md"]
    assert main(["check"]) == 2
    with pytest.raises(UsageError, match=r"no mkdocs\.yml and notes/ here or above"):
        root_for(None)


@pytest.mark.parametrize(
    "command", ["new term page", "fix --yes", "move a b", "lab record rows", "cite a.bib", "build"]
)
def test_a_command_outside_of_any_project_leaves_the_clone_that_it_runs_from(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(command.split()) == 2
    assert "no mkdocs.yml and notes/ here or above" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/home/ann/my-notes", "my-notes"),
        ("/home/ann/project/docs", "project"),
        ("/srv/project/docs/src", "project"),
        ("/srv/project/Content", "project"),
        ("/home/ann/notes", "notes"),
        ("/docs", "docs"),
        ("/", ""),
    ],
)
def test_a_site_is_named_after_the_folder_that_says_most(folder: str, name: str) -> None:
    assert name_of_folder(Path(folder), Path("/home/ann")) == name


def test_the_command_that_shows_a_site_names_its_folder_in_quotes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes, site = tmp_path / "n", tmp_path / "my site"
    notes.mkdir()
    (notes / "a.md").write_text("# A\n")
    assert main(["build", "--notes", str(notes), "--site", str(site)]) == 0
    assert f"http.server -d '{site}'," in capsys.readouterr().out


@pytest.mark.slow
def test_only_a_project_that_says_so_has_a_licence_below_its_pages(
    project: Path, tmp_path: Path
) -> None:
    assert main(["build"]) == 0
    page = project / "site" / "index.html"
    assert "CC BY" not in page.read_text("utf-8")
    (project / "mkdocs.yml").write_text("site_name: Mine\ncopyright: © A & B\n", "utf-8")
    assert main(["build"]) == 0
    assert "© A &amp; B" in page.read_text("utf-8")
    other = tmp_path / "elsewhere"
    assert main(["build", "--notes", str(project / "notes"), "--site", str(other)]) == 0
    assert "©" not in (other / "index.html").read_text("utf-8")


def test_the_settings_that_come_with_the_program_are_those_of_this_project() -> None:
    assert (ROOT / "tools/perfnotes/site/mkdocs.yml").resolve() == ROOT / "mkdocs.yml"
