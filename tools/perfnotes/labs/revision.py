"""The commit that a result was measured at."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from perfnotes.labs.git import GitError, blob_hash, git, tree

_LINK, _PROGRAM, _REPOSITORY = "120000", "100755", "160000"


def commit(root: Path) -> str:
    """The short hash of the checked-out commit, with ``+`` if files differ from it; "" outside git.

    Changed results do not count, because recording itself writes them.
    """
    try:
        head = git(root, "rev-parse", "--short=10", "HEAD").decode().strip()
        top = Path(os.fsdecode(git(root, "rev-parse", "--show-toplevel").rstrip(b"\n")))
        return head + ("+" if _has_changes(top) else "")
    except GitError:
        return ""


def _has_changes(top: Path) -> bool:
    """Whether files differ from HEAD, or new ones are not ignored.

    ``git status`` is not used, because it would run filters that the repository's settings name.
    """
    known = tree(top, "HEAD")
    changed = any(
        not _is_unchanged(top / path, *known[path]) for path in known if not _is_result(path)
    )
    listed = git(top, "ls-files", "-z", "--others", "--exclude-standard")
    new = filter(None, os.fsdecode(listed).split("\0"))
    return changed or any(not _is_result(path) and path not in known for path in new)


def _is_result(path: str) -> bool:
    return "/lab/results/" in f"/{path}"


def _is_unchanged(file: Path, mode: str, hash: str) -> bool:
    """Whether a file has the mode and the hash that git has recorded."""
    if mode == _REPOSITORY:
        return True
    try:
        status = file.lstat()
        if stat.S_ISLNK(status.st_mode):
            data = os.fsencode(file.readlink())
            return mode == _LINK and blob_hash(data, hash) == hash
        is_program = bool(status.st_mode & 0o100)
        return mode != _LINK and is_program == (mode == _PROGRAM) and (
            blob_hash(file.read_bytes(), hash) == hash
        )  # fmt: skip
    except OSError:
        return False
