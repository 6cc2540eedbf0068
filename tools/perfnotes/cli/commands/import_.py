"""Turn existing notes into drafts: text, Markdown of other houses, wikis, HTML.

Reads a file or a folder and writes drafts in our form below notes/<topic>/, with their images.
Every guess is reported with its file and line, many of a kind as one; what has no place in a note
is kept in the comments of its front matter. Nothing is overwritten, and all is written or nothing.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from perfnotes.cli.commands._ask import show
from perfnotes.source.project import UsageError, project_root

EXAMPLE = "perfnotes import ~/vault --topic caches --dry-run"

_LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")


def arguments(parser: argparse.ArgumentParser) -> None:
    from perfnotes.contribute.imports.formats import formats

    parser.add_argument("source", metavar="FILE|DIR", help="the notes")
    parser.add_argument("--topic", metavar="TOPIC", help="where they go; default: guessed")
    parser.add_argument("--slug", metavar="NAME", help="the name of a single note")
    parser.add_argument("--split-at", choices=_LEVELS, help="a note for each heading of this level")
    parser.add_argument("--from", dest="format", choices=sorted(formats()), help="the format")
    parser.add_argument("--encoding", metavar="NAME", help="such as gb18030; default: found")
    parser.add_argument("--verbose", action="store_true", help="tell each guess, not each kind")
    parser.add_argument("--dry-run", action="store_true", help="report, write nothing")


def run(options: argparse.Namespace) -> int:
    from perfnotes.contribute.imports import report
    from perfnotes.contribute.imports.options import Options
    from perfnotes.contribute.imports.place import TakenError, place
    from perfnotes.contribute.imports.plan import plan
    from perfnotes.labs.report import Progress
    from perfnotes.source.read.folder import read_library

    notes = project_root() / "notes"
    source = Path(options.source)
    if not source.exists():
        raise UsageError(f"{options.source} does not exist")
    if notes.resolve() in (source.resolve(), *source.resolve().parents):
        raise UsageError(f"{options.source} lies in the notes already")
    if options.slug and (source.is_dir() or not _is_slug(options.slug)):
        raise UsageError("--slug names one note: lower case letters, digits and hyphens")
    _check_encoding(options.encoding or "utf-8")
    if not options.dry_run:
        _tidy(notes)
    library = read_library(notes, "notes")
    if options.topic and options.topic not in library.topics:
        raise UsageError(
            f"no topic is called {options.topic!r}: there are {', '.join(library.topics)}"
        )
    level = _LEVELS.index(options.split_at) + 1 if options.split_at else 0
    wanted = Options(options.topic or "", options.slug or "", level, options.format or "",
                     options.encoding or "")  # fmt: skip
    progress = Progress()
    try:
        made = plan(source, library, wanted, progress.tell)
    finally:
        progress.end()
    told = report.lines(made.guesses, verbose=options.verbose)
    for line in told:
        show(f"{line}\n")
    for problem in made.problems:
        print(problem, file=sys.stderr)
    files = made.files()
    if files and not options.dry_run:
        try:
            place(notes, files)
        except TakenError as error:
            raise UsageError(f"{error}; nothing was written, run import again") from None
    verb = "would write" if options.dry_run else "wrote"
    for path in files:
        show(f"{verb} notes/{path}\n")
    _sum_up(len(made.drafts), made.sources, len(files) - len(made.drafts), len(made.guesses))
    if len(told) < len(made.guesses):
        print(f"the guesses are {len(told)} lines, one for many of a kind: --verbose tells each")
    if made.left:
        print(f"{len(made.left)} other files were looked at only where a note links them")
    if made.drafts and not options.dry_run:
        print("read each draft, mend what was guessed, then take draft: true out")
    return 1 if made.problems or not made.drafts else 0


def _sum_up(drafts: int, sources: int, brought: int, guesses: int) -> None:
    print(f"{drafts} drafts from {sources} files, {brought} files brought along, {guesses} guesses")


def _check_encoding(name: str) -> None:
    import codecs

    try:
        codecs.lookup(name)
        b"".decode(name)
    except (LookupError, TypeError):
        raise UsageError(f"no encoding is called {name!r}") from None


def _tidy(notes: Path) -> None:
    """Take back, and tell, what an import that was killed had placed."""
    from perfnotes.contribute.imports.place import recover

    removed, kept = recover(notes)
    for path in removed:
        show(f"removed notes/{path}: an import that was killed had placed it\n")
    for path in kept:
        show(f"kept notes/{path}: an import of this file was killed, and it is another text now\n")


def _is_slug(name: str) -> bool:
    import re

    return re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name) is not None
