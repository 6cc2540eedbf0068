"""Labs that differ from the trusted branch, or that may do more than others, are asked about."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perfnotes.cli.main import main
from perfnotes.labs import sandbox
from perfnotes.labs.revision import commit
from perfnotes.labs.trust import trusted_branch
from perfnotes.review.revision import RevisionError, resolve
from perfnotes.source.history import read_history
from tests.lab_notes import CLAIM, ROWS, write_lab
from tests.test_lab_commands import Cli, cli, git

__all__ = ["cli"]
pytestmark = pytest.mark.slow

COMMANDS = [
    ("lab", "run", "rows"),
    ("lab", "verify"),
    ("lab", "record", "rows"),
    ("reproduce", "rows"),
]


@pytest.fixture
def repository(cli: Cli) -> Cli:
    """A repository on its branch main, which holds the lab."""
    write_lab(cli.folder)
    git(cli.folder, "init", "-q", "-b", "main")
    (cli.folder / ".git/info/exclude").write_text("/tmp/\n")
    git(cli.folder, "add", "notes")
    git(cli.folder, "commit", "-qm", "m")
    return cli


def rows(cli: Cli) -> Path:
    return cli.folder / "notes/caches/rows/lab"


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_what_differs_is_asked_about_by_every_command(
    repository: Cli, words: tuple[str, ...]
) -> None:
    git(repository.folder, "checkout", "-qb", "pull-request")
    (rows(repository) / "rows.py").write_text(ROWS + "\n")
    git(repository.folder, "commit", "-qam", "changed")  # committed, but not on main
    assert repository(*words, trust=False) == 2
    assert "not as on the trusted branch, main:\n  caches/rows: rows.py" in repository.err
    assert "add --trust" in repository.err
    assert not repository.results
    assert repository(*words) == 0


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_what_is_as_on_the_trusted_branch_runs(repository: Cli, words: tuple[str, ...]) -> None:
    git(repository.folder, "checkout", "-qb", "other")
    assert repository(*words, trust=False) == 0


def test_every_kind_of_difference_counts(repository: Cli) -> None:
    lab = rows(repository)
    (lab / "more.py").write_text("")
    (lab / "rows.py").chmod(0o755)
    (lab / "lab.yml").write_text(CLAIM + "\n")
    assert repository("lab", "run", "rows", trust=False) == 2
    assert "caches/rows: lab.yml, more.py, rows.py" in repository.err
    git(repository.folder, "checkout", "-q", ".")
    (lab / "more.py").unlink()
    (repository.folder / ".gitignore").write_text("ignored.py\n")
    (lab / "ignored.py").write_text("")
    assert repository("lab", "run", "rows", trust=False) == 2
    assert "caches/rows: ignored.py" in repository.err
    (lab / "ignored.py").unlink()
    assert repository("lab", "record", "rows", trust=False) == 0
    assert repository("lab", "run", "rows", trust=False) == 0  # results are no code


def test_outside_git_everything_is_asked_about(cli: Cli) -> None:
    write_lab(cli.folder)
    assert cli("lab", "run", "rows", trust=False) == 2
    assert "this is no git repository" in cli.err
    git(cli.folder, "init", "-q", "-b", "topic")
    git(cli.folder, "add", "notes")
    git(cli.folder, "commit", "-qm", "m")
    assert cli("lab", "run", "rows", trust=False) == 2
    assert "no branch main or master" in cli.err


def test_a_repository_committed_into_the_notes_trusts_nothing(repository: Cli) -> None:
    notes, bare = repository.folder / "notes", repository.folder / "tmp/bare"
    (rows(repository) / "rows.py").write_text(ROWS + "\n")
    git(notes, "init", "-q", "-b", "main")
    git(notes, "add", ".")
    git(notes, "commit", "-qm", "forged")
    git(repository.folder, "clone", "-q", "--bare", str(notes), str(bare))
    shutil.rmtree(notes / ".git")
    shutil.copytree(bare, notes, dirs_exist_ok=True)
    assert "HEAD, objects and refs" in trusted_branch(notes).problem
    assert repository("lab", "run", "rows", trust=False) == 2
    assert "caches/rows: lab.yml, rows.py" in repository.err
    assert "git repository as plain files" in read_history(notes).missing
    with pytest.raises(RevisionError, match="HEAD, objects and refs"):
        resolve(notes, "main")


def test_the_default_branch_names_the_trusted_one(repository: Cli) -> None:
    folder = repository.folder
    settings = folder / "mkdocs.yml"
    git(folder, "checkout", "-qb", "evil")
    settings.write_text("extra:\n  trusted_branch: evil\n")
    (rows(repository) / "rows.py").write_text(ROWS + "\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "m")
    assert trusted_branch(folder / "notes").name == "main"
    assert repository("lab", "run", "rows", trust=False) == 2
    git(folder, "checkout", "-q", "main")
    settings.write_text("extra:\n  trusted_branch: stable\nx: !!python/name:os.system\n")
    git(folder, "add", "mkdocs.yml")
    git(folder, "commit", "-qm", "m")
    assert "'stable', which mkdocs.yml trusts" in trusted_branch(folder / "notes").problem
    git(folder, "branch", "stable")
    assert trusted_branch(folder / "notes").name == "stable"


def test_the_branch_of_origin_counts_too(repository: Cli, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(repository.folder), str(clone))
    git(clone, "checkout", "-q", "--detach")
    git(clone, "branch", "-qD", "main")
    assert main(["lab", "run", "rows", "--notes", str(clone / "notes")]) == 0


def test_nothing_that_a_checkout_sets_is_started(repository: Cli) -> None:
    folder, trap = repository.folder, repository.folder / "tmp" / "trap"
    touch = f"touch {trap}; cat"
    for key, value in (
        ("core.fsmonitor", touch), ("core.hooksPath", str(folder)), ("core.pager", touch),
        ("filter.x.clean", touch), ("filter.x.process", touch), ("filter.x.smudge", touch),
        ("diff.x.textconv", touch), ("core.sshCommand", touch), ("log.showSignature", "true"),
        ("gpg.program", touch),
    ):  # fmt: skip
        git(folder, "config", key, value)
    (folder / ".gitattributes").write_text("* filter=x diff=x\n")
    for hook in ("post-index-change", "post-checkout", "reference-transaction"):
        (folder / hook).write_text(f"#!/bin/sh\ntouch {trap}\n")
        (folder / hook).chmod(0o755)
    (rows(repository) / "rows.py").write_text(ROWS)  # a new time stamp: git would look again
    assert repository("lab", "record", "rows", trust=False) == 0
    assert commit(folder / "notes").endswith("+")
    assert not trap.exists()


@pytest.mark.parametrize("permission", ["perf", "sys", "namespaces", "unconfined"])
def test_a_permission_is_asked_for_even_on_the_trusted_branch(
    repository: Cli, permission: str
) -> None:
    (rows(repository) / "lab.yml").write_text(f"permissions: [{permission}]\n{CLAIM}")
    git(repository.folder, "commit", "-qam", "m")
    assert repository("reproduce", "rows", trust=False) == 2
    assert f"asks for {permission}: to " in repository.out
    assert f"caches/rows asks for {permission}: to " in repository.err
    assert "not as on" not in repository.err
    assert repository("reproduce", "rows") == 0
    is_confined = "ran in a sandbox (bubblewrap" in repository.out
    assert is_confined == (permission != "unconfined")


def test_an_unknown_permission_is_a_finding(cli: Cli) -> None:
    write_lab(cli.folder, "permissions: [everything]\n" + CLAIM)
    assert cli("lab", "run", "rows") == 2
    assert "lab.yml:1:" in cli.err


def test_without_a_sandbox_it_is_said_and_asked(
    repository: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = os.environ["PATH"]
    sandbox.find.cache_clear()
    try:
        monkeypatch.setenv("PATH", "/nowhere")
        sandbox.find()  # which is remembered
        monkeypatch.setenv("PATH", path)
        assert repository("lab", "run", "rows", trust=False) == 2
        assert "no sandbox: bubblewrap is not installed: install bubblewrap" in repository.err
        assert repository("lab", "run", "rows") == 0
        assert "no sandbox: bubblewrap is not installed" in repository.err
        assert "ran without a sandbox" in repository.out
    finally:
        sandbox.find.cache_clear()


@pytest.mark.parametrize(("answer", "status"), [("n", 1), ("", 1), ("y", 0)])
def test_on_a_terminal_the_answer_decides(repository: Cli, answer: str, status: int) -> None:
    # The lab tries to read the terminal, so that an answer is nothing that it could see.
    text = (
        "import os\ntry:\n    os.open('/dev/tty', os.O_RDWR); n = 0\nexcept OSError:\n    n = 2\n"
    )
    (rows(repository) / "rows.py").write_text(
        text + "import json; print(json.dumps({'slow': 8, 'fast': n}))\n"
    )
    pid, terminal = pty.fork()
    if pid == 0:
        words = ["lab", "run", "rows", "--notes", str(repository.folder / "notes")]
        environment = {**os.environ, "PYTHONPATH": "tools"}
        os.execve(sys.executable, [sys.executable, "-m", "perfnotes", *words], environment)
    said = ""
    until = time.monotonic() + 60
    has_answered = False
    while time.monotonic() < until:
        ready, _, _ = select.select([terminal], [], [], 1.0)
        try:
            said += os.read(terminal, 4096).decode() if ready else ""
        except OSError:
            break
        if "[y/N]" in said and not has_answered:
            os.write(terminal, f"{answer}\n".encode())
            has_answered = True
    _, ended = os.waitpid(pid, 0)
    assert "caches/rows: rows.py" in said
    assert os.waitstatus_to_exitcode(ended) == status, said
    assert ("holds" in said) == (answer == "y")
    assert ("nothing was run" in said) == (answer != "y")
    os.close(terminal)


def test_make_verify_trusts() -> None:
    text = (Path(__file__).parents[1] / "Makefile").read_text("utf-8")
    assert "lab verify --trust" in text
    assert subprocess.run(["bwrap", "--version"], check=True, capture_output=True).stdout
