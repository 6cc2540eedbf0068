"""Lists the files of a notes folder, without following symbolic links that lead out of it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from perfnotes.text.findings import Finding
from perfnotes.text.printable import one_line

_VAULT = ".obsidian"  # where Obsidian keeps the settings of a vault
_SKIPPED_FOLDERS = {"node_modules", "__pycache__", "_site", "venv"}
_UNSAFE = re.compile(r"[^\w.+,~@-]+")


class Walk(Struct, frozen=True):
    """Relative POSIX paths of the notes (``.md``) and of every other file, both sorted."""

    markdown: tuple[str, ...]
    others: tuple[str, ...]
    findings: tuple[Finding, ...]

    def still_holds(self, root: str, file: str) -> bool:
        """Return whether a walk below ``root`` would list the path ``file`` as this one does."""
        if file != root and not file.startswith(f"{root}/"):
            return True  # it lies elsewhere
        path, found = file.removeprefix(f"{root}/"), Path(file)
        is_listed = path in self.markdown or path in self.others
        return is_listed and found.is_file() and not found.is_symlink()


def walk(root: Path, shown: str) -> Walk:
    """List every file below ``root``, which findings call ``shown``.

    Hidden files and some folders such as ``node_modules`` are left out.
    """
    markdown: list[str] = []
    others: list[str] = []
    findings: list[Finding] = []
    real_root = Path(os.path.realpath(root))
    for path in _files(root, "", real_root, shown, findings):
        (markdown if path.lower().endswith((".md", ".markdown")) else others).append(path)
    return Walk(tuple(sorted(markdown)), tuple(sorted(others)), tuple(findings))


def is_vault(folder: Path) -> bool:
    """Return whether a folder is a vault of Obsidian or lies in one."""
    place = folder.absolute()
    return any((each / _VAULT).is_dir() for each in (place, *place.parents))


def _files(
    folder: Path, prefix: str, real_root: Path, shown: str, findings: list[Finding]
) -> Iterator[str]:
    """Yield the files below ``folder``; ``prefix`` is its path below the root, with a slash."""
    try:
        entries = sorted(os.scandir(folder), key=lambda e: e.name)
    except OSError as error:
        name = f"{shown}/{prefix}".rstrip("/")
        findings.append(Finding(name, 1, 1, "PN103", f"cannot read the folder: {error.strerror}"))
        return
    if repository := _repository(entries, is_root=not prefix):
        where, message = f"{shown}/{one_line(prefix + repository)}", "a git repository in the notes"
        findings.append(Finding(where, 1, 1, "PN110", message, "remove it, or move it elsewhere"))
    for entry in entries:
        if entry.name.startswith("."):
            continue
        path = f"{prefix}{entry.name}"
        if not entry.name.isprintable():  # so it is no half of a surrogate pair
            message = "the file name is not printable UTF-8"
            where = f"{shown}/{one_line(path)}"
            findings.append(Finding(where, 1, 1, "PN105", message, "rename the file"))
            continue
        if entry.is_symlink() and not _leads_to_file(Path(entry.path), real_root):
            message = "a symbolic link that does not lead to a file of the notes is not followed"
            findings.append(
                Finding(f"{shown}/{path}", 1, 1, "PN106", message, "copy the file here")
            )
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _SKIPPED_FOLDERS:
                yield from _files(Path(entry.path), f"{path}/", real_root, shown, findings)
        elif entry.is_file():
            yield path


def _repository(entries: Iterable[os.DirEntry[str]], *, is_root: bool) -> str:
    """Return the name of the file by which git takes a folder for a repository; "" if it does not.

    The notes themselves may be a clone, with a ``.git`` at the root.
    """
    # Some file systems do not tell capital letters from small ones.
    names = {entry.name.lower(): entry.name for entry in entries}
    if ".git" in names and not is_root:
        return names[".git"]
    # With the file commondir, objects and refs are in the folder that it names.
    is_bare = "head" in names and ({"objects", "refs"} <= names.keys() or "commondir" in names)
    return names["head"] if is_bare else ""


def _leads_to_file(path: Path, real_root: Path) -> bool:
    target = Path(os.path.realpath(path))
    try:
        return real_root in target.parents and target.is_file()
    except OSError:
        return False


@lru_cache(maxsize=50_000)
def safe_id(path: str) -> str:
    """Return an address for a path: characters that are unsafe in it become hyphens."""
    parts = []
    for part in unicodedata.normalize("NFC", path).split("/"):
        clean = _UNSAFE.sub("-", part).strip("-.")[:100] or "note"
        parts.append(clean)
    return "/".join(parts)
