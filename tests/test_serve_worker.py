"""The process that builds for ``perfnotes serve``: after an edit, what is different alone."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from perfnotes.cli import main as cli
from perfnotes.serve.worker import Worker
from tests.project import differences


@pytest.mark.slow
def test_an_edit_makes_what_is_different_and_an_error_does_not_stop_it(
    built_example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = shutil.copytree(built_example, tmp_path / "project", symlinks=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
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
        assert cli.main(["build", "--quiet", "--no-cache", "--site", str(fresh)]) == 0
        assert differences(site, fresh) == []

    assert_made("a sentence", f"{text}\nA sentence more.\n", most=8)
    assert_as_built()
    assert_made("a title", re.sub("(?m)^title: .*$", "title: Another title", text), pages)
    assert_as_built()
    assert_made("an error", f"{text}\nA link to [nothing](nothing.md).\n", pages)
    assert "A link to" in (site / "caches/lines/index.md").read_text("utf-8")
    assert_made("it is mended", text, pages)
    assert_as_built()
    assert_made("a sentence after that", f"{text}\nOne more.\n", most=8)
    assert_as_built()
