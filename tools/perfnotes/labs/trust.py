"""Whether a lab's code is the same as on the trusted branch. Any other code is untrusted.

``extra.trusted_branch`` in ``mkdocs.yml`` names the trusted branch. This setting is read from the
repository's default branch, because a pull request could change it in its own files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from perfnotes.labs.git import GitError, PlantedRepositoryError, blob_hash, git, tree
from perfnotes.model.lab import Lab

_REMOTE = "refs/remotes/origin"
_USUAL = ("main", "master")
_NAME = re.compile(r"[A-Za-z0-9][\w./-]*")
_PROGRAM = "100755"
_RESULTS = "results/"


class TrustedBranch(Struct, frozen=True):
    """The trusted branch and its files below the notes folder.

    ``trees`` has one tree for the branch in this clone and one for the branch as last fetched from
    ``origin``, if they exist: mode and hash by path. If there is no trusted branch, no lab
    is trusted, and ``problem`` says why there is none.
    """

    name: str = ""
    trees: tuple[Mapping[str, tuple[str, str]], ...] = ()
    problem: str = ""


def trusted_branch(root: Path) -> TrustedBranch:
    """The trusted branch of the repository that contains the notes folder ``root``."""
    try:
        git(root, "rev-parse", "--git-dir")
    except PlantedRepositoryError as error:
        return TrustedBranch(problem=str(error))
    except GitError as error:
        if "dubious ownership" in str(error):
            return TrustedBranch(problem="git does not trust this folder: its owner is not you")
        return TrustedBranch(problem="this is no git repository")
    default = _default_branch(root)
    if not default:
        return TrustedBranch(problem="there is no branch main or master to compare with")
    name = _configured_branch(root, default) or default
    references = list(_references(root, name))
    if not references:
        problem = f"the branch {name!r}, which mkdocs.yml trusts, is not known here"
        return TrustedBranch(name, problem=problem)
    return TrustedBranch(name, tuple(tree(root, reference) for reference in references))


def differences(branch: TrustedBranch, root: Path, lab: Lab) -> list[str]:
    """The lab's files that differ from the trusted branch; all of them if there is no such branch.

    A file that exists only on the branch differs too. Results are not compared: they are not code.
    If the branch has two trees, those with fewer differences count.
    """
    files = {"lab.yml": (root / lab.folder / "lab.yml").read_bytes(), **lab.files}
    compared = [_changed_files(files, known, root, lab.folder) for known in branch.trees]
    return min(compared, key=len, default=sorted(files))


def _default_branch(root: Path) -> str:
    with suppress(GitError):
        head = git(root, "symbolic-ref", "--quiet", f"{_REMOTE}/HEAD").decode().strip()
        if head.startswith(f"{_REMOTE}/"):
            return head.removeprefix(f"{_REMOTE}/")
    return next((name for name in _USUAL if any(_references(root, name))), "")


def _references(root: Path, branch: str) -> Iterator[str]:
    for reference in (f"refs/heads/{branch}", f"{_REMOTE}/{branch}"):
        with suppress(GitError):
            git(root, "rev-parse", "--verify", "--quiet", f"{reference}^{{tree}}")
            yield reference


def _configured_branch(root: Path, default: str) -> str:
    """The branch that ``mkdocs.yml`` of the default branch names, or "" if it names none."""
    for reference in _references(root, default):
        with suppress(GitError, yaml.YAMLError):
            text = git(root, "cat-file", "blob", f"{reference}:mkdocs.yml")
            settings: Any = yaml.load(text, yaml.BaseLoader)  # all values are text
            extra = settings.get("extra") if isinstance(settings, dict) else None
            name = extra.get("trusted_branch", "") if isinstance(extra, dict) else ""
            if isinstance(name, str) and _NAME.fullmatch(name):
                return name
    return ""


def _changed_files(
    files: Mapping[str, bytes], known: Mapping[str, tuple[str, str]], root: Path, folder: str
) -> list[str]:
    there = root / folder
    changed = []
    for name, data in files.items():
        mode, recorded = known.get(f"{folder}/{name}", ("", ""))
        is_program = bool((there / name).stat().st_mode & 0o100)
        if blob_hash(data, recorded) != recorded or is_program != (mode == _PROGRAM):
            changed.append(name)
    expected = (path.removeprefix(f"{folder}/") for path in known if path.startswith(f"{folder}/"))
    gone = [n for n in expected if not n.startswith(_RESULTS) and not (there / n).exists()]
    return sorted([*changed, *gone])
