"""The search engine for a command: over a built site's index, or over one made from the notes.

Making an index of our own notes takes some seconds. So the index of the project's site is taken if
that site is what a build of the notes would make now.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.cli.commands._build_task import BuildTask
from perfnotes.cli.commands._options import add_notes
from perfnotes.cli.commands._site import linked_site
from perfnotes.source.project import UsageError, notes_folder, root_for

if TYPE_CHECKING:
    from perfnotes.graph.site import Site
    from perfnotes.search.query import Engine

Read = Callable[[str], bytes | None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose the index: ``--notes`` or ``--site``."""
    which = parser.add_mutually_exclusive_group()
    add_notes(which)
    which.add_argument("--site", metavar="DIR", help="a built site")


def notes(options: argparse.Namespace) -> Site | None:
    """Return the site of the notes to search; None if ``--site`` names a built one."""
    if options.site:
        return None
    return linked_site(notes_folder(options.notes))


def reader(options: argparse.Namespace, site: Site | None = None) -> Read:
    """Return a function that reads a file of the index by its name below ``search/``.

    That function returns None for a file that the index does not have. ``site`` is what ``notes``
    returned, for a caller who needs it as well.
    """
    if options.site:
        return _of_site(Path(options.site))
    built = None if site or options.notes else _current_site()
    if built:
        return _of_site(built)
    site = site or linked_site(notes_folder(options.notes))
    from perfnotes.search.shards import Shards
    from perfnotes.site.searchable.documents import documents

    return dict(Shards().files(documents(site))).get


def engine(read: Read, where: str | None) -> Engine:
    """Return the engine over the index that ``read`` gives; ``UsageError`` if there is none."""
    from perfnotes.search.query import Engine

    try:
        return Engine(read)
    except ValueError:
        raise UsageError(f"{where or 'the site'} holds no search index: build it again") from None


def _current_site() -> Path | None:
    """Return the folder of the project's site if it was built from the notes as they are now."""
    as_usual = argparse.Namespace(stage=None, strict=False, no_cache=False, verbose=False)
    task = BuildTask(as_usual, root_for(None), notes=None, site=None, archive=None)
    return task.stored_site.current_folder()


def _of_site(folder: Path) -> Read:
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder")

    def read(name: str) -> bytes | None:
        try:
            return (folder / "search" / name).read_bytes()
        except OSError:
            return None

    return read
