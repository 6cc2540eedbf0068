"""What git knows of the labs: the commit at hand, and what is not committed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from perfnotes.lab import Lab

# Set inside a hook of git, where they lead to that repository.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")


def commit(root: Path) -> str:
    """The short hash of the commit at hand; ends in + where the tree has changes.

    Results are no change: they are what recording makes. Empty outside git.
    """
    head = _git(root, "rev-parse", "--short=10", "HEAD")
    if not head:
        return ""
    rest = (":/", ":(top,exclude,glob)**/lab/results/**")
    changes = _git(root, "status", "--porcelain", "--untracked-files=normal", "--", *rest)
    return head.strip() + ("+" if changes is None or changes.strip() else "")


def uncommitted(root: Path, lab: Lab) -> list[str] | None:
    """The lab's files that are not as committed; None where git cannot tell."""
    shown = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignored", "--no-renames")
    told = _git(root / lab.folder, *shown, "--", ".")
    prefix = _git(root / lab.folder, "rev-parse", "--show-prefix")
    head = _git(root / lab.folder, "rev-parse", "HEAD")
    if told is None or prefix is None or head is None:
        return None
    names = {entry[3:].removeprefix(prefix.strip()) for entry in told.split("\0") if entry}
    own = {"lab.yml", *lab.files}
    folders = tuple(name for name in names if name.endswith("/"))
    return sorted(n for n in own if n in names or (folders and n.startswith(folders)))


def _git(folder: Path, *arguments: str) -> str | None:
    environment = {k: v for k, v in os.environ.items() if k not in _ELSEWHERE}
    environment |= {"LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    environment |= {"GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, check=False,
        )  # fmt: skip
    except OSError:
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
