"""Build the site from the notes."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from perfnotes.cli.commands._build_task import BuildTask
from perfnotes.cli.commands._options import add_notes
from perfnotes.cli.commands._timestamp import check_timestamp
from perfnotes.source.project import UsageError, notes_folder, root_for
from perfnotes.storage.write import NewFolder

EXAMPLE = "perfnotes build --notes ~/my-notes --site /tmp/my-site"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_notes(parser)
    parser.add_argument("--site", metavar="DIR", help="where the site goes; default: site/")
    parser.add_argument(
        "--stage",
        metavar="DIR",
        help="keep the Markdown that the engine reads in DIR, a new folder",
    )
    parser.add_argument(
        "--archive",
        metavar="FILE",
        help="pack the site into FILE as well, a .tar.gz or .zip to unpack and read anywhere",
    )
    parser.add_argument("--strict", action="store_true", help="warnings stop the build as well")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    parser.add_argument("--verbose", action="store_true", help="say why each page is made again")
    parser.add_argument("--no-cache", action="store_true", help="ignore what earlier runs kept")
    parser.add_argument(
        "--profile", action="store_true", help="print where the time went, on standard error"
    )


def run(options: argparse.Namespace) -> int:
    from perfnotes.build.clock import Clock, terminal

    clock = Clock(None if options.quiet else terminal())
    task = _task(options)
    task.stored_site.finish_interrupted()
    up_to_date = None if options.stage else task.stored_site.up_to_date()
    if up_to_date:
        site, pages = Path(up_to_date.folder), up_to_date.pages
        task.refuse_archive_in(site)
        NewFolder(site).remove_abandoned()  # of builds that were killed
        if not options.quiet:
            sys.stderr.write(up_to_date.messages)
    else:
        try:
            site, pages = task.build_edited(clock) or task.build(clock)
        except Exception as error:
            from mkdocs.exceptions import Abort  # takes long to load and is seldom needed

            if not isinstance(error, Abort):
                raise
            print(error, file=sys.stderr)
            return 1
    size = _packed(site, task.archive) if task.archive else 0
    if options.profile:
        sys.stderr.write(clock.table())
    if options.quiet:
        return 0
    print(f"{pages} pages in {site}{', as before: nothing has changed' if up_to_date else ''}")
    if task.archive:
        print(f"{size / 1e6:.1f} MB in {task.archive}")
    has_targets = (task.root / "Makefile").is_file()
    how = "make serve" if has_targets else "perfnotes serve"
    if options.site:
        how = f"python3 -m http.server -d {shlex.quote(str(site))}"
    print(f"to see it: {how}, then http://127.0.0.1:8000/")
    return 0


def _packed(site: Path, archive: Path) -> int:
    from perfnotes.storage.archive import pack

    return pack(site, archive)


def _task(options: argparse.Namespace) -> BuildTask:
    notes = notes_folder(options.notes)
    if notes and not options.site:
        raise UsageError("--notes needs --site DIR: the project's own site stays as it is")
    check_timestamp()
    site = _site_folder(options.site, notes) if options.site else None
    archive = _archive_file(options.archive) if options.archive else None
    return BuildTask(options, root_for(notes), notes, site, archive)


def _site_folder(given: str, notes: Path | None) -> Path:
    """Return the absolute path of the folder that the site goes to.

    Raises ``UsageError`` if the folder holds anything but a site of perfnotes, because a build
    replaces all of it, or if it lies in the notes or the notes lie in it.
    """
    from perfnotes.storage.replaceable import is_replaceable

    site = Path(given).resolve()
    if notes:
        source = notes.resolve()
        if site == source or source in site.parents or site in source.parents:
            raise UsageError(
                "--site and --notes must not lie inside each other: "
                f"name another folder than {given}"
            )
    if not is_replaceable(site):
        raise UsageError(
            f"{given} holds something else than a site of perfnotes, and a build replaces all of "
            "it: empty it or name another folder"
        )
    return site


def _archive_file(given: str) -> Path:
    from perfnotes.storage.archive import KINDS

    if not Path(given).name.endswith(KINDS) or Path(given).name in KINDS:
        raise UsageError(f"{given}: an archive's name ends in {', '.join(KINDS)}")
    file = Path(given).resolve()
    if file.is_dir():
        raise UsageError(f"{given} is a folder: name a file for --archive")
    return file
