"""Which states ``perfnotes diff`` compares: revisions, clones, notes that cannot be read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.diff_project import Diff, diff, edit, project, write
from tests.example_notes import NOTES
from tests.project import commit, git

__all__ = ["diff", "project"]  # the fixtures


@pytest.mark.parametrize("now", [True, False])
def test_notes_that_cannot_be_read_on_one_side(project: Path, diff: Diff, now: bool) -> None:
    file = project / "notes/caches/rows.md"
    good = file.read_bytes()
    bad = good + b"\xff"
    file.write_bytes(good if now else bad)
    git(project, "commit", "--quiet", "--allow-empty", "--all", "--message", "x")
    file.write_bytes(bad if now else good)
    out = diff()
    if now:
        assert "unreadable: caches/rows\n    - the file is there, but cannot be read" in out
        assert "PN101" in out
    else:
        assert "added: caches/rows" in out
        assert "before, it could not be read" in out


@pytest.mark.parametrize(
    "file", ["topics.yml", "glossary.yml", "references.bib", "facts/chips.yml"]
)
def test_tables_that_do_not_parse(project: Path, diff: Diff, file: str) -> None:
    (project / "notes" / file).write_text("{[ @misc{", "utf-8")
    assert "new error" in diff()
    commit(project, "Broken")
    (project / "notes" / file).write_text(NOTES[file], "utf-8")
    assert "error gone" in diff()


def test_before_there_were_notes(project: Path, diff: Diff) -> None:
    git(project, "checkout", "--quiet", "--orphan", "empty")
    git(project, "rm", "--quiet", "--cached", "-r", ".")
    git(project, "commit", "--quiet", "--allow-empty", "--message", "Empty")
    assert "added: caches/rows" in diff()
    assert "removed: caches/rows" in diff("main", "HEAD")


def test_two_revisions_leave_the_working_tree_aside(project: Path, diff: Diff) -> None:
    edit(project, "caches/rows.md", "row by row", "row for row")
    commit(project, "Later")
    edit(project, "caches/lines.md", "needs two", "needs both")
    out = diff("HEAD~1", "HEAD")
    assert "caches/rows" in out
    assert "caches/lines" not in out


def test_a_branch_that_is_behind(project: Path, diff: Diff) -> None:
    git(project, "checkout", "--quiet", "-b", "mine")
    edit(project, "caches/rows.md", "row by row", "row for row")
    commit(project, "Mine")
    git(project, "checkout", "--quiet", "main")
    write(project, "gpu/blocks.md", "Blocks hold warps.\n")
    commit(project, "Theirs")
    git(project, "checkout", "--quiet", "mine")
    assert "removed: gpu/blocks" in diff("main")
    out = diff("--merge-base", "main")
    assert "gpu/blocks" not in out
    assert "changed: caches/rows" in out


def test_unknown_revisions_are_said_plainly(project: Path, diff: Diff) -> None:
    assert "'nosuch' is no revision that this clone knows" in diff("nosuch", status=2)
    assert "'HEAD:notes' is no revision" in diff("HEAD:notes", status=2)
    assert "'no^{such' is no revision" in diff("no^{such", status=2)
    shutil.rmtree(project / ".git")
    assert "no git history" in diff("HEAD", status=2)


def test_a_branch_that_only_the_origin_has(project: Path, diff: Diff) -> None:
    git(project, "update-ref", "refs/remotes/origin/trunk", "HEAD")
    write(project, "caches/more.md", "")
    assert "from trunk (" in diff("trunk")
    assert "'more' is no revision" in diff("more", status=2)


def test_a_shallow_clone(
    project: Path, diff: Diff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = git(project, "rev-parse", "HEAD").strip()
    edit(project, "caches/rows.md", "row by row", "row for row")
    commit(project, "Later")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    assert "git fetch --unshallow" in diff(first, status=2)
    assert "Nothing changes" in diff("HEAD")


def test_a_clone_without_its_old_files(
    project: Path, diff: Diff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(project, "caches/rows.md", "row by row", "row for row")
    commit(project, "Later")
    git(project, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", f"file://{project}", "partial")
    monkeypatch.chdir(tmp_path / "partial")
    assert "perfnotes: " in diff("HEAD~1", status=2)


def test_nothing_of_the_repository_runs(project: Path, diff: Diff) -> None:
    trap = project / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {project}/sprung\ncat\n")
    trap.chmod(0o755)
    (project / ".gitattributes").write_text("*.md filter=trap diff=trap\n")
    for name in (
        "filter.trap.smudge",
        "filter.trap.clean",
        "diff.trap.textconv",
        "diff.trap.command",
    ):
        git(project, "config", name, str(trap))
    git(project, "config", "core.fsmonitor", str(trap))
    hooks = project / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        shutil.copy(trap, hooks / name)
    git(project, "config", "core.hooksPath", str(hooks))
    (project / "sprung").unlink(missing_ok=True)
    edit(project, "caches/rows.md", "row by row", "row for row")
    assert "changed: caches/rows" in diff()
    assert not (project / "sprung").exists()


def test_symbolic_links_and_submodules_of_a_revision(
    project: Path, diff: Diff, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.yml"
    secret.write_text("- id: secret-topic\n  title: Secret\n  description: Secret.\n")
    (project / "notes/topics.yml").unlink()
    (project / "notes/topics.yml").symlink_to(secret)
    (project / "notes/gpu/far.md").symlink_to("../../../../../../../../etc/hostname")
    (project / "notes/gpu/up").symlink_to("..")
    (project / "notes/gpu/round.md").symlink_to("up/../../../secret.yml")
    head = git(project, "rev-parse", "HEAD").strip()
    git(project, "add", "--all")
    git(project, "update-index", "--add", "--cacheinfo", f"160000,{head},notes/module")
    git(project, "commit", "--quiet", "--message", "Links")
    out = diff("HEAD~1", "HEAD")
    assert "secret" not in out.replace("secret.yml", "").lower()
    assert "PN106" in out
