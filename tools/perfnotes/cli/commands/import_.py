"""Turn existing notes into drafts: text, Markdown of other programs, wikis, HTML.

Reads a file or a folder and writes drafts below notes/<topic>/, with their images. Every guess is
reported with its file and line; guesses of the same kind share one line. What has no place in a
note is kept in comments of its front matter. No file is overwritten. All drafts are written, or
none.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from perfnotes.cli.commands._ask import show
from perfnotes.cli.commands._options import given_path
from perfnotes.source.project import UsageError, project_root

EXAMPLE = "perfnotes import ~/vault --topic caches --dry-run"

_LEVELS = ("h1", "h2", "h3", "h4", "h5", "h6")


def arguments(parser: argparse.ArgumentParser) -> None:
    from perfnotes.contribute.imports.formats import formats

    parser.add_argument("source", type=given_path, metavar="FILE|DIR", help="the notes")
    parser.add_argument(
        "--topic", metavar="TOPIC", help="the topic that the drafts belong to; default: guessed"
    )
    parser.add_argument("--slug", metavar="NAME", help="the slug of the draft of a single file")
    parser.add_argument(
        "--split-at", choices=_LEVELS, help="make a draft of each section at this level"
    )
    parser.add_argument(
        "--from",
        dest="format",
        choices=sorted(formats()),
        help="the format of the notes; default: recognised",
    )
    parser.add_argument("--encoding", metavar="NAME", help="such as gb18030; default: recognised")
    parser.add_argument(
        "--verbose", action="store_true", help="print every guess, not one line for each kind"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the report, write nothing")


def run(options: argparse.Namespace) -> int:
    from perfnotes.contribute.imports import report
    from perfnotes.contribute.imports.options import ImportOptions
    from perfnotes.contribute.imports.place import TakenError, place
    from perfnotes.contribute.imports.plan import plan
    from perfnotes.labs.report import Progress
    from perfnotes.source.read.folder import read_library
    from perfnotes.text.nearest import no_such

    notes = project_root() / "notes"
    source = Path(options.source)
    if not source.exists():
        raise UsageError(f"{options.source} does not exist")
    if notes.resolve() in (source.resolve(), *source.resolve().parents):
        raise UsageError(f"{options.source} lies in the notes already")
    if options.slug and source.is_dir():
        raise UsageError(f"--slug names one note, and {options.source} is a folder")
    if options.slug and not _is_slug(options.slug):
        raise UsageError(f"--slug {options.slug!r}: lower case letters, digits and hyphens")
    _check_encoding(options.encoding or "utf-8")
    if not options.dry_run:
        _clean_up(notes)
    library = read_library(notes, "notes")
    if options.topic and options.topic not in library.topics:
        raise UsageError(no_such("topic", options.topic, library.topics, "notes/topics.yml"))
    level = _LEVELS.index(options.split_at) + 1 if options.split_at else 0
    wanted = ImportOptions(options.topic or "", options.slug or "", level, options.format or "",
                     options.encoding or "")  # fmt: skip
    progress = Progress()
    try:
        made = plan(source, library, wanted, progress.tell)
    finally:
        progress.end()
    lines = report.lines(made.guesses, verbose=options.verbose)
    for line in lines:
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
    if len(lines) < len(made.guesses):
        print(f"guesses of one kind share a line ({len(lines)} lines): --verbose prints each")
    if made.other_files:
        _count_other_files(made.other_files)
    if made.drafts and not options.dry_run:
        print("read each draft, mend wrong guesses, then remove the line draft: true")
    return 1 if made.problems or not made.drafts else 0


def _sum_up(drafts: int, sources: int, brought: int, guesses: int) -> None:
    print(
        f"{_counted(drafts, 'draft')} from {_counted(sources, 'file')}, "
        f"{_counted(brought, 'file')} brought along, {_counted(guesses, 'guess', 'guesses')}"
    )


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _count_other_files(files: list[str]) -> None:
    """Print how many files were no notes, with up to eight of their extensions."""
    found = sorted({Path(file).suffix.lower() for file in files} - {""})
    named = ", ".join(found[:8]) + (", …" if len(found) > 8 else "")
    words = f" ({named})" if named else ""
    were = "were" if len(files) != 1 else "was"
    others = _counted(len(files), "other file")
    show(f"{others} {were} looked at only where a note links them{words}\n")


def _check_encoding(name: str) -> None:
    # Python does not look up the encoding of an empty text, and the byte above 0x7f also rules out
    # encodings of host names, which cannot replace a byte that is wrong.
    try:
        b"a\x80".decode(name, "replace")
    except (LookupError, UnicodeError):
        raise UsageError(f"no text encoding is called {name!r}") from None


def _clean_up(notes: Path) -> None:
    """Remove the files that a killed import left behind, and print their paths.

    A file that was edited since stays.
    """
    from perfnotes.contribute.imports.place import recover

    removed, kept = recover(notes)
    for path in removed:
        show(f"removed notes/{path}: an import that was killed had placed it\n")
    for path in kept:
        show(f"kept notes/{path}: an import that was killed placed it, but it was edited since\n")


def _is_slug(name: str) -> bool:
    import re

    return re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name) is not None
