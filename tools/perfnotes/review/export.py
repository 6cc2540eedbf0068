"""Writes the notes and pages of a revision into a folder, from which they are read.

A stranger chose the names and symbolic links of a revision. Nothing is written outside the folder.
A symbolic link that leads out of it is replaced by a broken one, which the reader reports.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from perfnotes.review.revision import REGULAR, SYMLINK, Blob, Revision

_FOLDERS = ("notes/", "docs/")
_LEFT_OUT = ("docs/theme/",)  # the folder of templates in old revisions
_NOWHERE = ".leads-out-of-the-tree"


def export(revision: Revision, files: Mapping[str, Blob], folder: Path) -> None:
    """Write the notes and the site's own pages among ``files`` below ``folder``."""
    known = (*REGULAR, SYMLINK)  # submodules are left out
    wanted = {p: b for p, b in files.items() if _is_wanted(p) and b.mode in known}
    for name in _FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    contents = dict(revision.contents(b.object for b in wanted.values()))
    # Symbolic links are made last, so that no file is written through one.
    for path, blob in wanted.items():
        if blob.mode in REGULAR:
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(contents[blob.object])
    links = {folder / p: contents[b.object] for p, b in wanted.items() if b.mode == SYMLINK}
    for link, target in links.items():
        link.parent.mkdir(parents=True, exist_ok=True)
        if target and b"\0" not in target and not os.path.lexists(link):
            link.symlink_to(os.fsdecode(target))
    real = Path(os.path.realpath(folder))
    for link in links:
        if link.is_symlink() and real not in Path(os.path.realpath(link)).parents:
            link.unlink()
            link.symlink_to(_NOWHERE)


def _is_wanted(path: str) -> bool:
    parts = path.split("/")
    is_safe = not any(part in ("", ".", "..") or "\0" in part for part in parts)
    return is_safe and path.startswith(_FOLDERS) and not path.startswith(_LEFT_OUT)
