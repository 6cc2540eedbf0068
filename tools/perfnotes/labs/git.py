"""Which files git has in a revision: to tell whether a lab's code is trusted, and unchanged."""

from __future__ import annotations

from pathlib import Path

from perfnotes.source.git import ORIGINAL_OBJECTS, GitError, PlantedRepositoryError, blob_hash
from perfnotes.source.git import git as ask

__all__ = ["GitError", "PlantedRepositoryError", "blob_hash", "git", "tree"]


def git(folder: Path, *arguments: str) -> bytes:
    """What git prints when run in ``folder``, without ``git replace``; raises ``GitError``."""
    return ask(folder, *arguments, variables=ORIGINAL_OBJECTS)


def tree(folder: Path, revision: str) -> dict[str, tuple[str, str]]:
    """The mode and the hash of each file of a revision below ``folder``, by relative path."""
    listed = git(folder, "ls-tree", "-r", "-z", revision).decode("utf-8", "surrogateescape")
    found = {}
    for entry in filter(None, listed.split("\0")):
        about, _, path = entry.partition("\t")
        mode, _, hash = about.split(" ")
        found[path] = (mode, hash)
    return found
