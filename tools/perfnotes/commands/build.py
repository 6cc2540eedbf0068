"""Build the site from the notes."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from perfnotes.commands._project import UsageError, configuration, notes_folder

EXAMPLE = "perfnotes build --notes ~/my-notes --site /tmp/my-site"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--notes", metavar="DIR", help="any folder of Markdown; without it the project's own notes"
    )
    parser.add_argument("--site", metavar="DIR", help="where the site goes; default: site/")
    parser.add_argument("--strict", action="store_true", help="warnings stop the build as well")
    parser.add_argument("--quiet", action="store_true", help="print errors only")


def run(options: argparse.Namespace) -> int:
    from mkdocs.exceptions import Abort

    from perfnotes.engine.run import build

    notes = notes_folder(options.notes)
    if notes and not options.site:
        raise UsageError("--notes needs --site DIR: the project's own site stays as it is")
    site = Path(options.site).resolve() if options.site else None
    if site and notes and (site == notes.resolve() or notes.resolve() in site.parents):
        raise UsageError("--site must not lie inside --notes")
    if site and site.is_dir() and any(site.iterdir()) and not _is_site(site):
        raise UsageError(f"{options.site} holds files that are no site: empty it or name another")
    with tempfile.TemporaryDirectory(prefix="perfnotes-") as scratch:
        overrides = {"site_dir": str(site)} if site else {}
        if notes:
            overrides["docs_dir"] = scratch
            overrides["site_name"] = notes.resolve().name
            overrides["site_url"] = ""
            overrides["repo_url"] = ""
        config = configuration(**overrides)
        try:
            done = build(config, notes, strict=options.strict, quiet=options.quiet)
        except Abort as abort:
            print(abort)
            return 1
    if not options.quiet:
        print(f"{done.pages} pages in {done.site}")
        print(f"to see them: open {done.site}/index.html or run 'make serve'")
    return 0


def _is_site(folder: Path) -> bool:
    return (folder / "index.html").is_file() or (folder / "404.html").is_file()
