"""The linked notes for a command that needs all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.build.configuration import configuration
from perfnotes.source.project import root_for

if TYPE_CHECKING:
    from perfnotes.graph.site import Site


def linked_site(notes: Path | None = None) -> Site:
    """Read and link the folder ``notes``; without it the project's own notes.

    Files that have not changed since an earlier command are not parsed again.
    """
    from perfnotes.build.session import Session
    from perfnotes.source.read.memo import remembered_files

    root = root_for(notes)
    with remembered_files(root) as memo:
        return Session(notes, quiet=True, memo=memo).read(configuration(root))
