"""Build the site from the notes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from perfnotes.commands._project import UsageError, configuration, notes_folder

EXAMPLE = "perfnotes build --notes ~/my-notes --site /tmp/my-site"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--notes", metavar="DIR", help="any folder of Markdown; without it the project's own notes"
    )
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
    parser.add_argument(
        "--profile", action="store_true", help="print where the time went, on standard error"
    )


def run(options: argparse.Namespace) -> int:
    from mkdocs.exceptions import Abort

    from perfnotes.archive import pack
    from perfnotes.engine.clock import Clock, terminal
    from perfnotes.engine.run import build

    clock = Clock(None if options.quiet else terminal())

    notes = notes_folder(options.notes)
    if notes and not options.site:
        raise UsageError("--notes needs --site DIR: the project's own site stays as it is")
    site = _site_folder(options.site, notes) if options.site else None
    archive = _archive_file(options.archive) if options.archive else None
    with tempfile.TemporaryDirectory(prefix="perfnotes-") as scratch:
        overrides = {"site_dir": str(site)} if site else {}
        if notes:
            overrides["docs_dir"] = scratch
            overrides["site_name"] = notes.resolve().name
            overrides["site_url"] = ""
            overrides["repo_url"] = ""
        if options.stage:
            overrides["docs_dir"] = str(_stage_folder(options.stage))
        config = configuration(**overrides)
        for name in without_part(config):
            print(f"perfnotes: {name} of mkdocs.yml works in `mkdocs build` only", file=sys.stderr)
        if archive and Path(config["site_dir"]).resolve() in archive.parents:
            raise UsageError("--archive must not lie inside the site that it holds")
        try:
            done = build(
                config,
                notes,
                strict=options.strict,
                quiet=options.quiet,
                keep_stage=not notes or bool(options.stage),
                clock=clock,
            )
        except Abort as abort:
            print(abort, file=sys.stderr)
            return 1
    size = pack(done.site, archive) if archive else 0
    if options.profile:
        sys.stderr.write(clock.table())
    if not options.quiet:
        print(f"{done.pages} pages in {done.site}")
        if archive:
            print(f"{size / 1e6:.1f} MB in {archive}")
        how = f"python3 -m http.server -d {done.site}" if options.site else "make serve"
        print(f"to see it: {how}, then http://127.0.0.1:8000/")
    return 0


def without_part(config: Any) -> list[str]:
    """The plugins and hooks of ``mkdocs.yml`` that are not asked: all but our own hook."""
    return [name for name in config.plugins if not name.endswith("perfnotes/engine/hook.py")]


def _site_folder(given: str, notes: Path | None) -> Path:
    """A folder that a site may replace as a whole."""
    from perfnotes.engine.session import is_replaceable

    site = Path(given).resolve()
    if notes:
        source = notes.resolve()
        if site == source or source in site.parents or site in source.parents:
            raise UsageError("--site and --notes must not lie inside each other")
    if not is_replaceable(site):
        raise UsageError(
            f"{given} holds something else than a site of perfnotes, and a build replaces all of "
            "it: empty it or name another folder"
        )
    return site


def _archive_file(given: str) -> Path:
    from perfnotes.archive import KINDS

    if not Path(given).name.endswith(KINDS) or Path(given).name in KINDS:
        raise UsageError(f"{given}: an archive's name ends in {', '.join(KINDS)}")
    file = Path(given).resolve()
    if file.is_dir():
        raise UsageError(f"{given} is a folder: name a file for --archive")
    return file


def _stage_folder(given: str) -> Path:
    stage = Path(given).resolve()
    if stage.exists() and (not stage.is_dir() or any(stage.iterdir())):
        raise UsageError(f"{given} is not an empty folder: name a new one for --stage")
    stage.mkdir(parents=True, exist_ok=True)
    return stage
