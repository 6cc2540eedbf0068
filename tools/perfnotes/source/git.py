"""Asking git about a checkout without running any program that the checkout's settings name.

Every call of git goes through here. Only commands that read objects, references and file names are
used: none of them runs a hook or a filter, and none fetches anything. A repository whose files lie
in a working tree, where a pull request can add them, is never read.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

# git sets these variables for its hooks. They would make git read the hook's repository.
_HOOK_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR")
_ENVIRONMENT = {
    "LC_ALL": "C",
    # A partial clone must not fetch missing texts: a build does not use the network.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
}
_OPTIONS = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never",
    # A folder with HEAD, objects/ and refs/ is a bare repository for git. Since these are ordinary
    # files, anybody can commit them. With this setting (git 2.38) git fails in such a folder.
    "-c", "safe.bareRepository=explicit",
    "--no-pager",
)  # fmt: skip
# Environment variables with which git reads objects as they are, not what `git replace` put in
# their place.
ORIGINAL_OBJECTS = {"GIT_NO_REPLACE_OBJECTS": "1"}


class GitError(Exception):
    """Git failed; the text is git's message."""


class NoGitError(GitError):
    """Git cannot be started; the text says why."""


class PlantedRepositoryError(GitError):
    """The folder lies in a repository that is not in a ``.git``; the text says how to mend it."""


def git(
    folder: Path, *arguments: str, given: bytes = b"", variables: dict[str, str] | None = None
) -> bytes:
    """Return what git prints when run in ``folder``, with ``given`` as its standard input.

    git reads the repository that the folder lies in, also when a hook has named another one.
    ``variables`` are added to the environment. Raises ``GitError`` if git cannot be started
    (``NoGitError``), if files beside the notes look like a repository of their own
    (``PlantedRepositoryError``), or if git fails.
    """
    environment = {k: v for k, v in os.environ.items() if k not in _HOOK_VARIABLES}
    environment |= _ENVIRONMENT | (variables or {})
    command = ["git", *_OPTIONS, *arguments]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, input=given, capture_output=True, check=False
        )
    except OSError as error:
        raise NoGitError(f"git cannot be started: {error.strerror}") from error
    if done.returncode:
        message = done.stderr.decode("utf-8", "replace").strip()
        if "safe.bareRepository" in message:
            raise PlantedRepositoryError(
                "HEAD, objects and refs in a folder make git take it for a repository: "
                "remove or rename them"
            )
        raise GitError(message or "git failed")
    return done.stdout


def blob_hash(data: bytes, like: str) -> str:
    """Return the hash that git gives to a file's content.

    ``like`` is any hash of the repository: its length tells SHA-1 from SHA-256.
    """
    hash = hashlib.sha1(usedforsecurity=False) if len(like) == 40 else hashlib.sha256()
    hash.update(b"blob %d\0" % len(data) + data)
    return hash.hexdigest()


def objects(folder: Path, names: Sequence[str]) -> list[bytes | None]:
    """Return the contents of objects such as ``COMMIT:./FILE``, by one git process.

    None stands for an object that is not there. Raises ``GitError``.
    """
    if any("\n" in name for name in names):
        raise GitError("git reads one name a line, so a name holds no line break")
    given = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
    printed = git(folder, "cat-file", "--batch", given=given) if names else b""
    found: list[bytes | None] = []
    at = 0
    for _ in names:
        end = printed.index(b"\n", at)
        size = printed[at:end].rpartition(b" ")[2]  # or a word such as "missing"
        at = end + len("\n")
        found.append(printed[at : at + int(size)] if size.isdigit() else None)
        at += int(size) + len("\n") if size.isdigit() else 0
    return found
