"""Copies of the project, and its commands as a user starts them.

A copy holds the files that git tracks or would track; committed to a new repository it is like a
clone. Nothing here depends on the folder in which the tests run, which may be no git repository.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from perfnotes.checks._rule import Files
from tests.example_notes import write_notes

ROOT = Path(__file__).resolve().parents[1]

# The files that `.gitignore` leaves out, for a folder that is no git repository.
_BUILT = (
    ".git .venv .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .perfnotes-cache "
    "__pycache__ node_modules site *.egg-info *.pyc"
).split()

_DAY = "2026-02-03T12:00:00+00:00"

# Seconds. What takes so long hangs; to build our own notes takes minutes on a busy machine.
LONGEST_RUN = 900


def project_files() -> list[str]:
    """Return the paths of the project's files relative to its root, sorted."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    if (ROOT / ".git").exists():
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
        return sorted(f for f in listed.decode().split("\0") if f and (ROOT / f).is_file())
    ignore = shutil.ignore_patterns(*_BUILT)
    found: list[str] = []
    for base, folders, names in os.walk(ROOT):
        left_out = ignore(base, [*folders, *names])
        folders[:] = [f for f in folders if f not in left_out]
        if Path(base) == ROOT:
            folders[:] = [f for f in folders if f != "build"]
        found += [(Path(base) / n).relative_to(ROOT).as_posix() for n in names if n not in left_out]
    return sorted([*found, "build/stage/.gitkeep"])


def copy_project(target: Path, notes: Files | None = None) -> Path:
    """Copy the project to ``target`` and return ``target``.

    With ``notes`` the copy has the example notes, overlaid with ``notes``, instead of our own.
    Bytecode comes along, with the times by which Python knows it: to compile perfnotes takes a
    third as long as a small build.
    """
    target.mkdir(parents=True, exist_ok=True)
    names = [name for name in project_files() if notes is None or not _is_text(name)]
    _copy(ROOT, names, target)
    _copy_code(ROOT, target)
    if notes is not None:
        write_notes(target, notes)
    return target


def _is_text(name: str) -> bool:
    """Whether a file of a project is a note, belongs to one, or is a page of ``docs/``."""
    return name.startswith("notes/") or (name.startswith("docs/") and name.endswith(".md"))


def _copy_code(project: Path, target: Path) -> None:
    """Copy the modules that have bytecode, with it and the times by which Python knows it."""
    code = (project / "tools" / "perfnotes").rglob("*.py")
    pairs = [(file, Path(cache_from_source(file))) for file in code]
    files = [file for pair in pairs if pair[1].exists() for file in pair]
    _copy(project, [str(file.relative_to(project)) for file in files], target, "--preserve")


def _copy(folder: Path, names: Iterable[str], target: Path, *options: str) -> None:
    """Copy files below a folder. A program does it in a third of the time that Python takes."""
    command = ["cp", "--parents", *options, "--target-directory", str(target), "--"]
    if files := list(names):
        subprocess.run([*command, *files], cwd=folder, check=True)


def copy_built(
    built: Path, target: Path, *, without: Sequence[str] = (), notes: Files | None = None
) -> Path:
    """Copy a built project to ``target`` and return ``target``.

    Its cache comes along, and the times of its files, so that the next build makes little anew.
    ``without`` names files and folders at its top that the copy lacks. With ``notes`` the copy has
    the example notes, overlaid with these. The code in ``tools`` is a link, since no command writes
    there: it is half of the files.
    """
    left_out = {*without, "tools", "tests", "benchmarks"}
    target.mkdir(parents=True, exist_ok=True)
    names = [str(entry) for entry in built.iterdir() if entry.name not in left_out]
    subprocess.run(["cp", "--archive", *names, str(target)], check=True)
    (target / "tools").symlink_to(built / "tools")
    if notes is not None:
        write_notes(target, notes)
    return target


def clone(project: Path, target: Path, *options: str) -> Path:
    """Clone a project to ``target`` and return ``target``. Bytecode comes along, as in a copy."""
    git(project, "clone", "--quiet", *options, project.as_uri(), str(target))
    _copy_code(project, target)
    return target


def git(folder: Path, *arguments: str, **variables: str) -> str:
    env = environment(
        GIT_AUTHOR_NAME="Ada Example",
        GIT_AUTHOR_EMAIL="ada@mail.example",
        GIT_COMMITTER_NAME="Ada Example",
        GIT_COMMITTER_EMAIL="ada@mail.example",
        GIT_AUTHOR_DATE=_DAY,
        GIT_COMMITTER_DATE=_DAY,
    )
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**env, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(folder: Path, message: str = "Notes", **variables: str) -> None:
    """Commit everything in ``folder`` to its repository, which is made if there is none."""
    if not (folder / ".git").exists():
        git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all", **variables)
    git(folder, "commit", "--quiet", "--message", message, **variables)


def environment(**variables: str) -> dict[str, str]:
    """Return the environment without variables that change what perfnotes or git does.

    ``variables`` are added to it. Python keeps its bytecode: a command of a copied project would
    otherwise compile every module again, which takes longer than a small build.
    """
    ours = {"PYTHONPATH", "SOURCE_DATE_EPOCH", "NO_MKDOCS_2_WARNING", "PYTHONHASHSEED",
            "PYTHONDONTWRITEBYTECODE"}  # fmt: skip
    env = {k: v for k, v in os.environ.items() if k not in ours and not k.startswith("GIT_")}
    env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "NO_MKDOCS_2_WARNING": "1"}
    return {**env, **variables}


def perfnotes(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "perfnotes", *arguments]


def mkdocs(*arguments: str) -> list[str]:
    """Return a command that runs MkDocs with the requirements only: it cannot import perfnotes."""
    packages = sysconfig.get_path("purelib")
    code = f"import sys, runpy; sys.path.append({packages!r}); sys.argv[0] = 'mkdocs'; "
    return [sys.executable, "-S", "-c", f"{code}runpy.run_module('mkdocs', run_name='__main__')",
            *arguments]  # fmt: skip


def properdocs(*arguments: str) -> list[str]:
    """Return a command that runs ProperDocs, the maintained continuation of MkDocs 1.x."""
    return [sys.executable, "-m", "properdocs", *arguments]


def zensical(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "zensical", *arguments]


def without_link_report(file: Path) -> None:
    """Switch the validation of links off in an ``mkdocs.yml``.

    Zensical reads the text of every page once more to report broken links, which takes a third of
    its time.
    """
    pattern, text = r"(?m)^validation:\n(?:  .*\n)+", file.read_text("utf-8")
    text, found = re.subn(pattern, "validation: false\n", text)
    assert found == 1
    file.write_text(text, "utf-8")


def run(
    project: Path,
    command: list[str],
    *,
    status: int = 0,
    before: Callable[[], Any] | None = None,
    env: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command in the project; fail unless its exit status is ``status``."""
    done = subprocess.run(
        command,
        cwd=project,
        env=_environment_of(project, command, env or {}),
        preexec_fn=before,
        capture_output=True,
        encoding="utf-8",
        timeout=LONGEST_RUN,
        check=False,
    )
    assert done.returncode == status, f"{done.returncode}: {done.stdout}\n{done.stderr}"
    return done


def start(
    project: Path, command: list[str], log: Path, env: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a command in a process group of its own, with its output in ``log``."""
    with log.open("wb") as out:
        return subprocess.Popen(
            command,
            cwd=project,
            env=_environment_of(project, command, {"PYTHONUNBUFFERED": "1", **(env or {})}),
            # A shell makes background jobs ignore Ctrl-C. The command must not inherit that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
            start_new_session=True,
            stdout=out,
            stderr=out,
        )


def end(child: subprocess.Popen[bytes]) -> None:
    """Kill a started command and all processes of its group."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _environment_of(
    project: Path, command: list[str], variables: Mapping[str, str]
) -> dict[str, str]:
    env = environment(**variables)
    if command[1:3] == ["-m", "perfnotes"]:  # run the copy's own perfnotes, not the installed one
        paths = [str(project / "tools"), variables.get("PYTHONPATH", "")]
        env["PYTHONPATH"] = os.pathsep.join(p for p in paths if p)
    return env


def tree(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file below a folder, by its path."""
    return {
        file.relative_to(folder).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def differences(one: Path, other: Path) -> list[str]:
    """Return the paths of the files that differ between two folders, or exist in one only."""
    a, b = tree(one), tree(other)
    assert a, f"{one} is empty"
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))


def set_address(project: Path, site: str, repository: str = "") -> None:
    """Write the addresses of site and repository into the project's ``mkdocs.yml``."""
    settings = {"site_url": site, "repo_url": repository}
    change_settings(project / "mkdocs.yml", settings)


def change_settings(file: Path, settings: Mapping[str, str], target: Path | None = None) -> Path:
    """Change top-level keys of an ``mkdocs.yml``, in place or as the copy ``target``."""
    text = file.read_text("utf-8")
    for name, value in settings.items():
        line = f"{name}: {value}" if value else f'{name}: ""'
        text, found = re.subn(rf"(?m)^{name}:.*$", line, text)
        assert found == 1, name
    target = target or file
    target.write_text(text, "utf-8")
    return target


def without_hooks(file: Path) -> None:
    """Remove the hooks from an ``mkdocs.yml``, as another engine reads it."""
    text, found = re.subn(r"(?m)^hooks:\n(?:  - .*\n)+", "", file.read_text("utf-8"))
    assert found == 1
    file.write_text(text, "utf-8")
