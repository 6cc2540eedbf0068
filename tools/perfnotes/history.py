"""History: when each file changed last, as git recorded it. Absent or shallow git is no error."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class History:
    """``dates`` leads from a file (relative to the repository) to its last commit's day.

    ``missing`` says in one sentence what cannot be told, or is empty.
    """

    root: Path | None = None
    dates: dict[str, str] = field(default_factory=dict)
    latest: str = ""  # the day of the newest commit
    timestamp: int = 0  # of the newest commit, seconds since 1970
    missing: str = ""

    def date(self, file: str) -> str:
        return self.dates.get(file, "")

    def versions(self, file: str) -> list[str]:
        """Every text that ``file`` had, newest first; empty where history is missing."""
        if self.root is None or self.missing:
            return []
        hashes = _git(self.root, "log", "--format=%H", "--", file)
        return [_git(self.root, "show", f"{h}:{file}") for h in hashes.split()]


class _GitError(Exception):
    pass


def read_history(folder: Path) -> History:
    """The history of the repository around ``folder``."""
    try:
        root = Path(_git(folder, "rev-parse", "--show-toplevel").strip())
        if _git(folder, "rev-parse", "--is-shallow-repository").strip() == "true":
            return History(
                missing="the git history is shallow, so dates of last changes are left out "
                "(git fetch --unshallow brings them)"
            )
        log = _git(root, "log", "--format=%x01%cs %ct", "--name-only", "-z", "--no-renames")
    except (_GitError, OSError):
        return History(missing="there is no git history here, so dates of last changes are left out")
    dates: dict[str, str] = {}
    latest, timestamp, day = "", 0, ""
    for chunk in log.replace("\n", "\0").split("\0"):
        if chunk.startswith("\x01"):
            day, _, seconds = chunk[1:].partition(" ")
            if not latest:
                latest, timestamp = day, int(seconds)
        elif chunk:
            dates.setdefault(chunk, day)
    return History(root, dates, latest, timestamp)


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-c", "core.quotePath=false", "-c", "log.showSignature=false", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode:
        raise _GitError(done.stderr.decode("utf-8", "replace"))
    return done.stdout.decode("utf-8", "replace")
