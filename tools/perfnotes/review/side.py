"""A Side: one of the two states of the notes that are compared, read and linked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from perfnotes.graph.graph import link
from perfnotes.graph.site import Settings, Site
from perfnotes.review.export import export
from perfnotes.review.revision import Revision, working_files
from perfnotes.source.git import blob_hash
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.memo import Memo
from perfnotes.source.read.site import read_site_pages
from perfnotes.storage.temporary import temporary_folder


class Side(Struct, frozen=True):
    """One state. ``root`` holds ``notes/`` and ``docs/``; ``objects`` maps paths to git hashes."""

    name: str
    root: Path
    site: Site
    objects: dict[str, str]

    def has(self, path: str) -> bool:
        """Return whether this side has a file at ``path``, readable as a note or not."""
        return path in self.objects


@contextmanager
def side_of(revision: Revision, memo: Memo | None = None) -> Iterator[Side]:
    """Read a commit into a temporary folder, which is removed at the end of the context.

    ``memo`` has what an earlier run read from the same files.
    """
    files = revision.files()
    with temporary_folder() as folder:
        export(revision, files, folder)
        objects = {path: blob.object for path, blob in files.items()}
        yield Side(_shown_name(revision), folder, _read(folder, memo), objects)


def working_side(root: Path, like: str, memo: Memo | None = None) -> Side:
    """Read the working tree with its uncommitted edits.

    ``like`` is any hash of the repository, for ``blob_hash``; ``memo`` as in ``side_of``.
    """
    objects = {}
    for path in working_files(root):
        file = root / path
        if file.is_file() and not file.is_symlink():
            objects[path] = blob_hash(file.read_bytes(), like)
        elif file.is_symlink():
            objects[path] = blob_hash(str(file.readlink()).encode("utf-8", "replace"), like)
    return Side("the working tree", root, _read(root, memo), objects)


def _read(root: Path, memo: Memo | None) -> Site:
    library = read_library(root / "notes", "notes", memo, own=True)
    read_site_pages(library, root / "docs", "docs", memo)
    return Site(link(library), Settings(name=""))


def _shown_name(revision: Revision) -> str:
    short = revision.commit[:10]
    return short if revision.commit.startswith(revision.name) else f"{revision.name} ({short})"
