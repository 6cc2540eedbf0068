"""History: when each file changed last, as git recorded it. Absent or shallow git is no error."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class History:
    """``dates`` leads from a file (relative to ``root``) to the day of its last commit.

    ``missing`` says in one sentence what cannot be told, or is empty.
    """

    root: Path | None = None
    dates: dict[str, str] = field(default_factory=dict)
    latest: str = ""  # the day of the newest commit
    timestamp: int = 0  # of the newest commit, seconds since 1970
    missing: str = ""

    def date(self, file: str) -> str:
        """The day of the file's last commit, or nothing."""
        return self.dates.get(file, "")

    def versions(self, file: str) -> list[str]:
        """Every text that ``file`` had, newest first; empty where history is missing."""
        if self.root is None or self.missing:
            return []
        texts = []
        for commit in _git(self.root, "log", "--format=%H", "--", file).split():
            # Not there where the commit removed it, nor in a clone without old texts.
            with suppress(_GitError):
                texts.append(_git(self.root, "show", f"{commit}:./{file}"))
        return texts


# What a user's settings could change, so that every clone tells the same.
_FIXED = ("--no-renames", "--no-show-signature", "--diff-merges=off", "--no-ext-diff")
_SETTINGS = ("-c", "log.showRoot=true", "-c", "log.follow=false")
# Set inside a hook of git, where they lead to that repository.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")


class _GitError(Exception):
    pass


def read_history(folder: Path) -> History:
    """The history of ``folder``, which may be a repository or lie inside one."""
    try:
        if _git(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            return _without("the git history is shallow", "git fetch --unshallow brings them")
        how = ("--format=%x01%cs %ct", "--name-only", "-z", "--relative", *_FIXED)
        log = _git(folder, "log", *how, "--", ".")
    except FileNotFoundError:
        return _without("git is not installed", "install git and build again")
    except _GitError as error:
        if "dubious ownership" in str(error):
            return _without(
                "git does not trust this folder, whose owner is somebody else",
                "git config --global --add safe.directory with its path tells git to",
            )
        return _without("there is no git history here", "a clone has one")
    dates: dict[str, str] = {}
    latest, timestamp, day = "", 0, ""
    for chunk in log.replace("\n", "\0").split("\0"):
        if chunk.startswith("\x01"):
            day, _, seconds = chunk[1:].partition(" ")
            if not latest:
                latest, timestamp = day, int(seconds)
        elif chunk:
            dates.setdefault(chunk, day)
    if not dates:
        return _without("nothing here is in git yet", "git commit records it")
    return History(folder, dates, latest, timestamp)


def _without(reason: str, hint: str) -> History:
    return History(missing=f"{reason}, so dates of last changes are left out ({hint})")


def git_environment() -> dict[str, str]:
    """What git is started with: the folder decides on the repository, and no host is asked."""
    environment = {k: v for k, v in os.environ.items() if k not in _ELSEWHERE}
    # Old texts that a clone left out are not asked for: a build talks to no other host.
    return environment | {"LC_ALL": "C", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", *_SETTINGS, *arguments]
    environment = git_environment()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    if done.returncode:
        raise _GitError(done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace")
