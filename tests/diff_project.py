"""A repository with the example notes, and what ``perfnotes diff`` says of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from perfnotes.cli.main import main
from tests.example_notes import write_notes
from tests.project import ROOT, commit

Diff = Callable[..., str]
HOSTILE = (
    "@octocat #1 GH-1 <img src=x onerror=alert(1)> [x](https://evil.example) ![](//evil.example) "
    "``` `tick` </details> <!-- --> :tada: $x$ | www.evil.example ::error::x ##[add-mask]x \\` "
    "\x1b[31m \u202e \u2028 {} {0}"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the example notes, committed."""
    folder = tmp_path / "project"
    write_notes(folder, {"../docs/about.md": "What it is about.\n"})
    shutil.copyfile(ROOT / "mkdocs.yml", folder / "mkdocs.yml")
    (folder / "build/stage").mkdir(parents=True)
    (folder / ".gitignore").write_text("/tools\n/build\n")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def diff(project: Path, capsys: pytest.CaptureFixture[str]) -> Diff:
    """What the command prints, since the first commit if nothing else is asked for."""
    del project

    def told(*arguments: str, status: int = 0) -> str:
        capsys.readouterr()
        assert main(["diff", *(arguments or ("HEAD",))]) == status
        out = capsys.readouterr()
        return out.err if status else out.out

    return told


def edit(project: Path, name: str, old: str, new: str) -> None:
    file = project / "notes" / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def write(project: Path, name: str, text: str) -> None:
    write_notes(project / "other", {name: text})
    file = project / "notes" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(project / "other/notes" / name, file)
    shutil.rmtree(project / "other")
