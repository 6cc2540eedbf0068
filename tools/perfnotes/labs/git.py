"""Which files git has in a revision: to tell whether a lab's code is trusted, and unchanged."""

from __future__ import annotations

import hashlib
from pathlib import Path

from perfnotes.source.git import ORIGINAL_OBJECTS, GitError
from perfnotes.source.git import git as ask

__all__ = ["GitError", "git", "object_name", "tree"]


def git(folder: Path, *arguments: str) -> bytes:
    """What git prints when run in ``folder``, without ``git replace``; raises ``GitError``."""
    return ask(folder, *arguments, variables=ORIGINAL_OBJECTS)


def tree(folder: Path, revision: str) -> dict[str, tuple[str, str]]:
    """The mode and object name of each file of a revision below ``folder``, by relative path."""
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
