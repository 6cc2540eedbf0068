"""Revisions of the repository, read from git's objects.

Nothing is checked out, so no hook, filter or submodule runs. No object is fetched from another
host.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from perfnotes.source.git import ORIGINAL_OBJECTS, GitError, NoGitError, PlantedRepositoryError, git

REGULAR = ("100644", "100755", "100664")
SYMLINK = "120000"


class RevisionError(Exception):
    """A revision cannot be read; the message says why and what helps."""


class Blob(Struct, frozen=True):
    """A file of a revision: git's mode, such as ``100644``, and the hash of its content."""

    mode: str
    object: str


class Revision(Struct, frozen=True):
    """A commit of the repository in which ``folder`` lies; ``name`` is what the user typed."""

    folder: Path
    name: str
    commit: str

    def files(self) -> dict[str, Blob]:
        """Return every file of the commit below ``folder``, by its path relative to ``folder``."""
        listed = _git(self.folder, "ls-tree", "-r", "-z", self.commit, "--", ".")
        found = {}
        for entry in listed.split(b"\0"):
            head, tab, path = entry.partition(b"\t")
            if tab:
                mode, _, object = head.decode().split(" ")
                found[path.decode("utf-8", "surrogateescape")] = Blob(mode, object)
        return found

    def contents(self, objects: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the hash and content of each object, read by one git process.

        Raises ``RevisionError`` if the clone lacks an object.
        """
        names = list(dict.fromkeys(objects))
        request = "".join(f"{name}\n" for name in names).encode()
        out = _git(self.folder, "cat-file", "--batch", given=request)
        at = 0
        for name in names:
            end = out.index(b"\n", at)
            words = out[at:end].split()
            if len(words) != 3:
                raise RevisionError(
                    f"{self.name}: the clone lacks some of its files; `git fetch` with "
                    "`--refetch` and without `--filter` brings them"
                )
            at = end + 1 + int(words[2])
            yield name, out[end + 1 : at]
            at += 1  # the line feed after the content


def resolve(folder: Path, name: str, merge_base_with: str = "") -> Revision:
    """Return the commit that ``name`` means, or the last one it shares with ``merge_base_with``.

    Raises ``RevisionError`` if there is none.
    """
    commit = _commit(folder, name)
    if merge_base_with:
        other = _commit(folder, merge_base_with)
        try:
            commit = _git(folder, "merge-base", commit, other).decode().split()[0]
        except _GitError:
            raise RevisionError(
                f"{name} and {merge_base_with} share no commit here" + _hint_if_shallow(folder)
            ) from None
    return Revision(folder, name, commit)


def working_files(folder: Path) -> list[str]:
    """Return the files below ``folder`` that git tracks or would track, deleted ones too."""
    listed = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
    return sorted({p.decode("utf-8", "surrogateescape") for p in listed.split(b"\0") if p})


def _rev_parse(folder: Path, name: str) -> str:
    wanted = f"{name}^{{commit}}"
    found = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
    return found.decode().split()[-1]


def _commit(folder: Path, name: str) -> str:
    """Return the hash of the commit that ``name`` means; ``RevisionError`` if it means none."""
    try:
        return _rev_parse(folder, name)
    except _GitError as error:
        if "dubious ownership" in str(error):
            raise RevisionError(
                "git does not trust this folder, because somebody else owns it: "
                "git config --global --add safe.directory with its path makes git trust it"
            ) from None
        if "not a git repository" in str(error):
            raise RevisionError(
                "there is no git history here: use a clone of the repository"
            ) from None
        try:
            # A fresh clone has a local branch only for what is checked out; the others are remote.
            return _rev_parse(folder, f"refs/remotes/origin/{name}")
        except _GitError:
            pass
        hint = _hint_if_shallow(folder)
        raise RevisionError(f"{name!r} is no revision that this clone knows{hint}") from None


def _hint_if_shallow(folder: Path) -> str:
    """Return a hint to add to a message if the clone is shallow, else ""."""
    if _git(folder, "rev-parse", "--is-shallow-repository").strip() == b"true":
        return "; the clone is shallow: `git fetch --unshallow` may bring it"
    return ""


class _GitError(RevisionError):
    """A command of git failed; the message is git's."""


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    try:
        whole = ("--literal-pathspecs", *arguments)
        return git(folder, *whole, given=given, variables=ORIGINAL_OBJECTS)
    except NoGitError:
        raise RevisionError("git is not installed") from None
    except PlantedRepositoryError as error:
        raise RevisionError(str(error)) from None
    except GitError as error:
        raise _GitError(str(error)) from None
