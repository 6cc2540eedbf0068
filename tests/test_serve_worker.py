"""The process that builds for ``perfnotes serve``: after an edit, what is different alone."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perfnotes.build import edited_build
from perfnotes.build.build_record import RecordParts
from perfnotes.cli import main as cli
from perfnotes.serve.worker import Worker, main
from tests.oracle import build_without_cache
from tests.project import differences


@pytest.fixture
def project(edited_example: Path) -> Path:
    """The example, built; a server begins with the site of that build."""
    return edited_example


@pytest.mark.slow
def test_an_edit_makes_what_is_different_and_an_error_does_not_stop_it(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site, fresh = tmp_path / "served", tmp_path / "fresh"
    worker = Worker(project, site, None)
    pages = worker.build()["pages"]
    file = project / "notes/caches/lines.md"
    text = file.read_text("utf-8")

    def assert_made(name: str, new: str, most: int) -> None:
        file.write_text(new, "utf-8")
        made = worker.build()
        assert "caches/lines/" in made["made"], name
        assert len(made["made"]) <= most, name

    def assert_as_built() -> None:
        assert build_without_cache(fresh, "--quiet") == 0
        assert differences(site, fresh) == []

    assert_made("a sentence", f"{text}\nA sentence more.\n", most=8)
    assert_as_built()
    assert_made("a title", re.sub("(?m)^title: .*$", "title: Another title", text), pages)
    assert_as_built()
    assert_made("an error", f"{text}\nA link to [nothing](nothing.md).\n", pages)
    assert "nothing.md" not in capsys.readouterr().err, "the server prints the findings"
    assert "A link to" in (site / "caches/lines/index.md").read_text("utf-8")
    assert_made("it is mended", text, pages)
    assert_as_built()
    assert_made("a sentence after that", f"{text}\nOne more.\n", most=8)
    assert_as_built()


@pytest.mark.slow
def test_two_servers_of_the_same_notes_make_each_its_own_site(
    project: Path, tmp_path: Path
) -> None:
    sites = [tmp_path / "one", tmp_path / "other"]
    workers = [Worker(project, site, None) for site in sites]
    for worker in workers:
        worker.build()
    file = project / "notes/caches/lines.md"
    file.write_text(f"{file.read_text('utf-8')}\nA sentence more.\n", "utf-8")
    workers[0].build()
    assert differences(*sites) != []
    workers[1].build()
    assert differences(*sites) == []


@pytest.mark.slow
def test_a_file_that_is_saved_during_a_build_is_in_the_next_one(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, fresh = tmp_path / "served", tmp_path / "fresh"
    worker = Worker(project, site, None)
    worker.build()
    files = [project / "notes/caches" / name for name in ("lines.md", "rows.md")]
    really = edited_build.build_edited

    def saved_meanwhile(*given: Any) -> Any:
        files[1].write_text(f"{files[1].read_text('utf-8')}\nSaved meanwhile.\n", "utf-8")
        return really(*given)

    files[0].write_text(f"{files[0].read_text('utf-8')}\nA sentence more.\n", "utf-8")
    with monkeypatch.context() as patched:
        patched.setattr("perfnotes.serve.worker.build_edited", saved_meanwhile)
        worker.build()
    made = worker.build()["made"]
    assert "caches/rows/" in made
    assert len(made) <= 8, "this is no whole build"
    assert build_without_cache(fresh, "--quiet") == 0
    assert differences(site, fresh) == []


@pytest.mark.slow
def test_a_setting_that_changes_before_the_server_has_begun_anew_is_in_the_next_build(
    project: Path, tmp_path: Path
) -> None:
    site, fresh = tmp_path / "served", tmp_path / "fresh"
    worker = Worker(project, site, None)
    worker.build()
    settings = project / "mkdocs.yml"
    text = settings.read_text("utf-8")
    settings.write_text(re.sub("(?m)^site_name: .*$", "site_name: Another", text), "utf-8")
    worker.build()
    assert build_without_cache(fresh, "--quiet") == 0
    assert differences(site, fresh) == []


@pytest.mark.slow
def test_a_new_note_is_answered_before_its_record_is_stored(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, fresh = tmp_path / "served", tmp_path / "fresh"
    answers, stored = io.StringIO(), []
    really = RecordParts.store

    def store(*given: Any) -> None:
        stored.append(answers.getvalue().count("\n"))
        really(*given)

    def asked() -> Iterator[str]:
        yield "build\n"
        lines = (project / "notes/caches/lines.md").read_text("utf-8")
        new = lines.replace("title: ", "title: More on ").partition("\n---\n")[0]
        (project / "notes/caches/more.md").write_text(f"{new}\n---\nMore.\n", "utf-8")
        yield "build\n"

    monkeypatch.setattr(RecordParts, "store", store)
    monkeypatch.setattr("os.nice", lambda _: 0)
    main([str(project), str(site)], asked(), answers)
    assert stored == [2]
    assert "caches/more/" in answers.getvalue()
    assert build_without_cache(fresh, "--quiet") == 0
    assert differences(site, fresh) == []


def _whole_build(*_: object) -> None:
    raise AssertionError("this is a whole build")


@pytest.mark.slow
@pytest.mark.parametrize("earlier", ["serve", "build"])
def test_a_server_begins_with_the_site_that_was_made_last(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: str
) -> None:
    site, fresh = tmp_path / "served", tmp_path / "fresh"
    file, other = (project / "notes/caches" / name for name in ("lines.md", "rows.md"))
    if earlier == "serve":
        before = Worker(project, tmp_path / "before", None)
        before.build()
        file.write_text(f"{file.read_text('utf-8')}\nA sentence more.\n", "utf-8")
        before.build()
    else:
        assert cli.main(["build", "--quiet"]) == 0
        file.write_text(f"{file.read_text('utf-8')}\nA sentence more.\n", "utf-8")
        assert cli.main(["build", "--quiet"]) == 0
    other.write_text(re.sub("(?m)^title: .*$", "title: Another title", other.read_text("utf-8")))
    with monkeypatch.context() as patched:
        patched.setattr(Worker, "_build_whole", _whole_build)
        worker = Worker(project, site, None)
        worker.build()
        file.write_text(f"{file.read_text('utf-8')}\nAnd one more.\n", "utf-8")
        assert len(worker.build()["made"]) <= 8, "this is no whole build"
    assert build_without_cache(fresh, "--quiet") == 0
    assert differences(site, fresh) == []


@pytest.mark.slow
def test_a_server_makes_everything_where_settings_differ_or_a_kept_file_is_gone(
    project: Path, tmp_path: Path
) -> None:
    fresh, kept = tmp_path / "fresh", project / ".perfnotes-cache/pages"
    Worker(project, tmp_path / "first", None).build()
    settings = project / "mkdocs.yml"
    text = settings.read_text("utf-8")
    settings.write_text(re.sub("(?m)^site_name: .*$", "site_name: Another", text), "utf-8")
    second, third = tmp_path / "second", tmp_path / "third"
    Worker(project, second, None).build()
    page = (second / "caches/lines/index.html").read_bytes()
    next(file for file in kept.iterdir() if file.read_bytes() == page).unlink()
    Worker(project, third, None).build()
    assert build_without_cache(fresh, "--quiet") == 0
    for site in (second, third):
        assert differences(site, fresh) == []
