"""A project to begin something in, and somebody at a terminal who answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from perfnotes.cli.main import main
from tests.example_notes import write_notes
from tests.project import ROOT

NOTE = "note caches/sets --title Sets --tags cache --level introductory".split()
TERM = [
    "term", "memory page", "--zh", "内存页", "--definition", "A unit: of address translation.",
    "--definition-zh", "地址转换的单位。",
]  # fmt: skip
FACT = "fact chip/ways --value 8 --unit way --source drepper2007memory --place".split()
BOOK = [
    "reference", "--type", "book", "--title", "The Art of GPU Caches", "--author", "Doe, J.",
    "--year", "2011", "--venue", "A Press",
]  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The example in a folder that commands take for a project; nobody sits at a terminal."""
    write_notes(tmp_path)
    (tmp_path / "mkdocs.yml").write_text("site_name: Example\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    return tmp_path


def new(*arguments: str, status: int = 0) -> None:
    assert main(["new", *arguments]) == status


def text(project: Path, name: str) -> str:
    return (project / "notes" / name).read_text("utf-8")


def checked(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole of ``perfnotes check`` finds neither errors nor warnings."""
    with monkeypatch.context() as elsewhere:
        elsewhere.chdir(ROOT)
        assert main(["check", "--notes", str(project / "notes"), "--strict"]) == 0


def published(project: Path, name: str) -> None:
    file = project / "notes" / name
    file.write_text(file.read_text("utf-8").replace("draft: true\n", ""))


def answers(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """Somebody at a terminal gives these answers; the questions that were asked."""
    asked: list[str] = []
    left: Iterator[str] = iter(lines)

    def answer(question: str) -> str:
        asked.append(question)
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", answer)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    return asked
