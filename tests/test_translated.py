"""``perfnotes translated``: what changed, word by word, and the hash that nothing else renews."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from perfnotes.checks import examine
from perfnotes.cli.main import main
from perfnotes.model.translation import text_hash
from perfnotes.text import difference as textdiff
from perfnotes.text.printable import one_line, printable
from tests.example_notes import read_site, write_notes
from tests.project import ROOT, commit, git

LATER = ("Caches hold memory in lines", "Caches hold copies of memory in lines of 64 bytes")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the example notes and the project's settings."""
    write_notes(tmp_path, {"../docs/about.md": "What it is about.\n"})
    shutil.copyfile(ROOT / "mkdocs.yml", tmp_path / "mkdocs.yml")
    (tmp_path / "tools").symlink_to(ROOT / "tools")
    (tmp_path / "build/stage").mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("/tools\n/build\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(project: Path, name: str = "notes/caches/lines.md") -> None:
    file = project / name
    assert LATER[0] in file.read_text("utf-8")
    file.write_text(file.read_text("utf-8").replace(*LATER), "utf-8")


def behind(project: Path) -> bool:
    return read_site(project).library.translations["caches/lines"].is_behind


def test_shows_the_words_that_changed_and_renews(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(project)
    change(project)
    commit(project, "Later")
    twin = project / "notes/caches/lines.zh.md"
    before = twin.read_text("utf-8")
    assert main(["translated", "caches/lines", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "Caches hold{+ copies of+} memory in lines{+ of 64 bytes+} [@drepper2007memory]." in out
    assert "LEVEL1_DCACHE_LINESIZE" not in out  # what did not change
    assert twin.read_text("utf-8") == before
    assert main(["translated", "caches/lines"]) == 0
    assert capsys.readouterr().out.endswith("caches/lines: recorded\n")
    assert not behind(project)
    after = twin.read_text("utf-8")
    assert [a for a, b in zip(after.splitlines(), before.splitlines(), strict=True) if a != b] == [
        next(line for line in after.splitlines() if line.startswith("translates:"))
    ]
    assert main(["translated", "caches/lines"]) == 0
    assert "follows the English text as it is" in capsys.readouterr().out


@pytest.mark.parametrize("history", ["none", "begins later", "shallow"])
def test_without_that_history_it_says_so_plainly(
    project: Path, tmp_path_factory: pytest.TempPathFactory, history: str,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if history == "shallow":
        commit(project)
    change(project)
    folder = project
    if history != "none":
        commit(project, "Later")
    if history == "shallow":
        folder = tmp_path_factory.mktemp("clone") / "shallow"
        git(project, "clone", "--quiet", "--depth=1", project.as_uri(), str(folder))
        (folder / "tools").symlink_to(ROOT / "tools")
        (folder / "build/stage").mkdir(parents=True)
        monkeypatch.chdir(folder)
    assert main(["translated", "caches/lines"]) == 0
    out = capsys.readouterr().out
    expected = "is not in the git history" if history == "begins later" else "no whole git history"
    assert expected in out
    assert "compare the two whole texts" in out
    assert not behind(folder)


def test_a_renamed_note_is_found_under_its_old_name(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(project)
    change(project)
    commit(project, "Later")
    assert main(["move", "caches/lines", "caches/units", "--yes"]) == 0
    commit(project, "Renamed")
    capsys.readouterr()
    assert main(["translated", "caches/units", "--show"]) == 0
    assert "{+ copies of+}" in capsys.readouterr().out


def test_a_page_of_the_sites_own(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "docs/about.zh.md").write_text(
        "---\ntitle: 关于\ndescription: 一篇译文。\n---\n\n说明。\n", "utf-8"
    )
    assert main(["translated", "docs/about"]) == 0
    assert 'description: 一篇译文。\ntranslates: "' in (
        (project / "docs/about.zh.md").read_text("utf-8")
    )
    commit(project)
    about = project / "docs/about.md"
    about.write_text(about.read_text("utf-8").replace("What it is", "All that it is"), "utf-8")
    hints = [f.hint for f in examine(read_site(project)) if f.code == "PN702"]
    assert "run 'perfnotes translated docs/about'" in hints[0]
    capsys.readouterr()
    assert main(["translated", "docs/about.md"]) == 0
    assert "[-What-]{+All that+} it is about." in capsys.readouterr().out


def test_line_ends_and_a_byte_order_mark_stay(project: Path) -> None:
    twin = project / "notes/caches/lines.zh.md"
    twin.write_bytes(b"\xef\xbb\xbf" + twin.read_bytes().replace(b"\n", b"\r\n"))
    before = twin.read_bytes()
    change(project)
    assert main(["translated", "caches/lines"]) == 0
    after = twin.read_bytes()
    assert after.startswith(b"\xef\xbb\xbf---\r\n")
    assert len(after) == len(before)
    assert not behind(project)


def test_wrong_names(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del project
    assert main(["translated", "caches/line"]) == 2
    assert "did you mean caches/lines?" in capsys.readouterr().err
    assert main(["translated", "docs/nothing"]) == 2
    assert "'docs/nothing' has no translation" in capsys.readouterr().err


def test_differences_by_words() -> None:
    assert textdiff.by_words("a b.\n\nsame\n", "a c.\n\nsame\n") == "a [-b-]{+c+}.\n"
    assert textdiff.by_words("same", "same\n") == ""
    assert textdiff.by_words("one\n\ntwo", "one\n\nnew\n\ntwo") == "{+new+}\n"
    assert textdiff.by_words("缓存按行保存。", "缓存按块保存。") == "缓存按[-行-]{+块+}保存。\n"
    long = " ".join(str(i) for i in range(200))
    shown = textdiff.by_words(f"{long} old", f"{long} new")
    assert " … " in shown
    assert shown.endswith("[-old-]{+new+}\n")
    assert len(shown) < 200
    assert "[-abc def ghi-]\n{+xyz uvw rst+}" in textdiff.by_words("abc def ghi", "xyz uvw rst")


def test_what_a_terminal_may_show() -> None:
    assert printable("a\x1b[31m\n\tb\u202e2e") == "a\\x1b[31m\n\tb\\u202e2e"
    assert one_line("\n\u2028\U000e0041") == "\\x0a\\u2028\\U000e0041"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("```text lab=a\n1 s\n```\n", "```text lab=a\n2 s\n```\n"),
        ("````text lab=a\n```\n1 s\n````\n", "````text lab=a\n```\n2 s\n````\n"),
        ("~~~ lab=a\n```\n1 s\n~~~\n", "~~~ lab=a\n```\n2 s\n~~~\n"),
        ("`````text lab=a\n1 s\n```\n", "`````text lab=a\n2 s\n```\n"),  # ended by fewer marks
    ],
)
def test_the_output_of_a_lab_does_not_change_the_hash(one: str, other: str) -> None:
    assert text_hash("", "", f"{one}\nText.\n") == text_hash("", "", f"{other}\nText.\n")
    assert text_hash("", "", f"{one}\nText.\n") != text_hash("", "", f"{one}\nWords.\n")
    open_fence = one.removesuffix("```\n").removesuffix("~~~\n")
    assert text_hash("", "", f"{open_fence}A.\n") != text_hash("", "", f"{open_fence}B.\n")


def test_a_fence_of_thousands_of_marks_is_read_in_one_pass() -> None:
    text = f"{'`' * 50_000} lab=a\n" + "a\n" * 100_000  # took minutes
    assert text_hash("", "", text) != text_hash("", "", f"{text}b")
