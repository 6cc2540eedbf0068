"""Rename a note, tag, glossary term or reference key, and mend every link to it.

OLD is a note's id, slug or file, a tag, a term's id or a key. Where a word means several of them,
write tag:WORD, term:WORD, note:WORD or @KEY. A note's translation, lab, results and figures move
with it, to another topic as well. The old name stays as an alias, so old links still work. Shows
the changes and asks; writes all of them or none.
"""

from __future__ import annotations

import argparse

from perfnotes.cli.commands._ask import agreed, show
from perfnotes.source.project import UsageError, project_root
from perfnotes.text import difference as textdiff
from perfnotes.text.source import decode

EXAMPLE = "perfnotes move caches/row-order caches/loop-order"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="the present name")
    parser.add_argument("new", metavar="NEW", help="the new name")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--yes", action="store_true", help="write without asking")
    how.add_argument("--dry-run", action="store_true", help="print the changes, write nothing")


def run(options: argparse.Namespace) -> int:
    from perfnotes.fixes.move.apply import apply, new_files
    from perfnotes.fixes.move.changes import MoveError
    from perfnotes.fixes.move.project import read_project
    from perfnotes.fixes.move.rename import planned
    from perfnotes.source.read.memo import remembered_files

    root = project_root()
    try:
        with remembered_files(root) as memo:
            changes = planned(read_project(root, memo), options.old, options.new)
        files = new_files(root, changes)
        for old, new in changes.moves.items():
            show(f"rename {old} → {new}\n")
        for path, (before, after) in sorted(files.items()):
            show(textdiff.lines(_text(before), _text(after), path, changes.place(path)))
        for remark in changes.remarks:
            show(f"{remark}\n")
        count = len(files.keys() | changes.moves.keys())
        if not options.dry_run and agreed(f"Change {count} files?", options.yes):
            apply(root, changes, files)
            print(f"changed {count} files")
    except MoveError as error:
        raise UsageError(str(error)) from None
    return 0


def _text(data: bytes) -> str:
    source, _ = decode(data, "")
    return source.text if source else ""
