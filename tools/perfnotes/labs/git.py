"""Asking git about a checkout without running any program that the checkout's settings name.

Only commands that read objects, references and file names are used. None of them runs a hook or a
filter or fetches anything.
"""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from perfnotes.source.history import git_environment

_SETTINGS = ("core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never")


class GitError(Exception):
    """Git failed or cannot be started; the text is git's message."""


def git(folder: Path, *arguments: str) -> bytes:
    """What git prints when run in ``folder``; ``GitError`` if it fails or is not installed."""
    settings = [part for setting in _SETTINGS for part in ("-c", setting)]
    environment = git_environment()
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_PAGER": "cat"}
    try:
        done = subprocess.run(
            ["git", *settings, *arguments], cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, capture_output=True, check=False,
        )  # fmt: skip
    except OSError as error:
        raise GitError(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        raise GitError(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout


def tree(folder: Path, revision: str) -> dict[str, tuple[str, str]]:
    """The files of a revision below ``folder``: by path from there, mode and object name."""
    listed = git(folder, "ls-tree", "-r", "-z", revision).decode("utf-8", "surrogateescape")
    found = {}
    for entry in filter(None, listed.split("\0")):
        about, _, path = entry.partition("\t")
        mode, _, name = about.split(" ")
        found[path] = (mode, name)
    return found


def object_name(data: bytes, like: str) -> str:
    """The object name that git gives to a file's bytes.

    ``like`` is an object name of the same repository; its length tells SHA-1 from SHA-256.
    """
    algorithm = hashlib.sha1 if len(like) == 40 else hashlib.sha256
    return algorithm(b"blob %d\0" % len(data) + data).hexdigest()
