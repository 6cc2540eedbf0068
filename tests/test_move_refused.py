"""Renaming that cannot be: refused with a reason, or undone as a whole; the command asks first."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from perfnotes.cli.main import main
from perfnotes.fixes.move import apply as applying
from perfnotes.fixes.move.apply import apply, copy_project, new_files
from perfnotes.fixes.move.changes import MoveError
from perfnotes.fixes.move.project import read_project
from perfnotes.fixes.move.rename import planned
from perfnotes.storage.store import FOLDER as CACHE
from perfnotes.storage.write import write_atomically
from tests.moving import make, move
from tests.project import tree


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make(tmp_path)


def test_the_copy_of_read_only_notes_can_be_changed(project: Path, tmp_path: Path) -> None:
    topic = project / "notes" / "caches"
    topic.chmod(0o555)
    copy_project(project, tmp_path / "copy")
    topic.chmod(0o755)
    assert (tmp_path / "copy" / "notes" / "caches").stat().st_mode & 0o200


def test_a_pipe_in_the_notes_is_left_out_of_the_copy(project: Path, tmp_path: Path) -> None:
    os.mkfifo(project / "notes" / "caches" / "pipe")
    copy_project(project, tmp_path / "copy")
    assert (tmp_path / "copy" / "notes" / "caches" / "rows.md").is_file()
    assert not (tmp_path / "copy" / "notes" / "caches" / "pipe").exists()


class TestRefused:
    @pytest.mark.parametrize(
        ("old", "new", "why"),
        [
            ("caches/rows", "caches/lines", "notes/caches/lines.md is there already"),
            ("caches/rows", "caches/steps", "notes/caches/steps is there already"),
            ("caches/rows", "caches/Rows", "is no note's id"),
            ("caches/rows", "a/b/c", "is no note's id"),
            ("caches/rows", "../x", "lies outside of notes/"),
            ("caches/rows", "/etc/x.md", "lies outside of notes/"),
            ("caches/rows", "other/rows", "no topic is called 'other': there are caches, gpu"),
            ("caches/rows", "cache/rows", "no topic is called 'cache': did you mean caches?"),
            ("cachs/x", "caches/y", "no topic is called 'cachs': did you mean caches?"),
            ("caches/rows", "rows", "has this name already"),
            ("caches/rows", "tag:rows", "another kind of thing"),
            ("caches/row", "caches/x", "did you mean caches/rows?"),
            ("../secret.md", "caches/x", "lies outside of notes/"),
            ("notes/tags.yml", "caches/x", "is no note"),
            ("tag:cache", "Cache", "is no id"),
            ("term:warp", "cache-line", "there is a term 'cache-line' already"),
            ("@drepper2007memory", "two words", "is no key"),
            ("@drepper2007memory", "Drepper2007Memory", None),
            ("caches/rows", "caches/warp", "a link to"),
        ],
    )
    def test_with_a_reason_and_before_a_byte(
        self, project: Path, old: str, new: str, why: str | None
    ) -> None:
        before = tree(project)
        if why is None:  # only its case: the same key to BibTeX, another to a citation
            move(project, old, new)
            return
        with pytest.raises(MoveError, match=re.escape(why)):
            move(project, old, new)
        assert tree(project) == before

    def test_a_word_that_means_several_things(self, project: Path) -> None:
        move(project, "tag:cache", "warp")
        with pytest.raises(MoveError, match="'warp' may be tag:warp or term:warp: say which"):
            move(project, "warp", "other")

    def test_another_notes_alias(self, project: Path) -> None:
        move(project, "caches/rows", "caches/order")
        with pytest.raises(MoveError, match="an alias of caches/order"):
            move(project, "caches/steps", "caches/rows")

    def test_a_project_that_cannot_be_read(self, project: Path) -> None:
        (project / "notes/gpu/draft.md").write_text("---\ndraft: [true\n---\n[[rows]]\n")
        with pytest.raises(MoveError, match=r"notes/gpu/draft.md:2:8: PN104"):
            move(project, "caches/rows", "caches/order")

    def test_a_result_that_was_changed_by_hand(self, project: Path) -> None:
        file = project / "notes/caches/steps/lab/results/example-cpu.json"
        file.write_text(file.read_text().replace('"unfit": []', '"unfit": ["busy"]'))
        with pytest.raises(MoveError, match="digest of this result is wrong"):
            move(project, "caches/steps", "caches/strides")

    def test_a_symbolic_link(self, project: Path) -> None:
        file = project / "notes/caches/rows.md"
        file.rename(project / "notes/caches/real.md")
        file.symlink_to("real.md")
        with pytest.raises(MoveError, match="is a symbolic link"):
            move(project, "caches/rows", "caches/order")


class TestAllOrNothing:
    def test_an_error_on_the_way_leaves_all_as_it_was(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        changes = planned(read_project(project), "caches/steps", "gpu/strides")
        files = new_files(project, changes)
        before = tree(project)
        for path in ("caches/links.zh.md", "caches/links.md"):
            with monkeypatch.context() as patch:
                _fail_at(patch, path)
                with pytest.raises(OSError, match="no space"):
                    apply(project, changes, files)
            assert tree(project) == before
        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", _no_rename)
            with pytest.raises(KeyboardInterrupt):
                apply(project, changes, files)
        assert tree(project) == before
        assert not (project / "notes/gpu/strides").exists()

    def test_a_file_that_changed_meanwhile(self, project: Path) -> None:
        changes = planned(read_project(project), "caches/rows", "caches/order")
        files = new_files(project, changes)
        (project / "notes/glossary.yml").touch()
        (project / "notes/caches/links.md").write_text("other\n")
        before = tree(project)
        with pytest.raises(MoveError, match="changed meanwhile"):
            apply(project, changes, files)
        assert tree(project) == before

    def test_a_last_note_takes_its_topics_folder_along(self, project: Path) -> None:
        move(project, "gpu/draft", "caches/draft")
        assert (project / "notes/gpu").is_dir()
        move(project, "gpu/warps", "caches/warps")
        assert not (project / "notes/gpu").exists()
        move(project, "caches/warps", "gpu/warps")


def _fail_at(patch: pytest.MonkeyPatch, path: str) -> None:
    failed: list[Path] = []

    def write(file: Path, data: bytes) -> None:
        if file.as_posix().endswith(path) and not failed:
            failed.append(file)
            raise OSError(28, "no space left on device")
        write_atomically(file, data)

    patch.setattr(applying, "write_atomically", write)


def _no_rename(self: Path, target: Path) -> Path:
    del self, target
    raise KeyboardInterrupt


def without_cache(project: Path) -> dict[str, str]:
    """Return the digest of every file, but for what commands keep of the files they read."""
    return {p: d for p, d in tree(project).items() if not p.startswith(f"{CACHE}/")}


class TestCommand:
    def test_shows_first_and_writes_with_yes(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = without_cache(project)
        assert main(["move", "caches/rows", "gpu/order", "--dry-run"]) == 0
        assert main(["move", "caches/rows", "gpu/order"]) == 2  # nobody to ask
        out, err = capsys.readouterr()
        assert "rename notes/caches/rows.md → notes/gpu/order.md" in out
        assert "+requires: [gpu/order]" in out
        assert "nothing written" in err
        assert "add --yes" in err
        assert without_cache(project) == before
        assert main(["move", "caches/rows", "gpu/order", "--yes"]) == 0
        assert "changed " in capsys.readouterr().out
        assert without_cache(project) != before

    def test_wrong_use(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        del project
        assert main(["move", "nothing", "caches/x"]) == 2
        assert "no note, tag, term or reference is called 'nothing'" in capsys.readouterr().err
