"""Mend what a program can: bound numbers, output, names in another case, headings, white space.

Shows a diff first and asks. A number is written with as many digits as the text had. Read the
sentence around it again: only you can tell whether its words still fit. The hash that a
translation records of its English text stays as it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.cli.commands._ask import agreed, show
from perfnotes.cli.commands._options import given_path
from perfnotes.cli.commands._site import linked_site
from perfnotes.source.project import UsageError
from perfnotes.storage.write import write_atomically
from perfnotes.text import difference as textdiff
from perfnotes.text.source import decode

if TYPE_CHECKING:
    from perfnotes.model.repair import Repair

EXAMPLE = "perfnotes fix --dry-run notes/caches"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", type=given_path, metavar="PATH", help="only in these files and folders"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--yes", action="store_true", help="write without asking")
    how.add_argument("--dry-run", action="store_true", help="print the changes, write nothing")


def run(options: argparse.Namespace) -> int:
    from perfnotes.fixes.mend import repairs

    wanted = [Path(p).resolve() for p in options.paths]
    for path in wanted:
        if not path.exists():
            raise UsageError(f"there is no {path}")
    found = repairs(linked_site())
    changes = _changes(found, wanted)
    if not changes:
        print("nothing to mend")
        return 0
    for change in changes:
        show(textdiff.lines(change.before, change.after, change.name, change.name))
    many = f"{len(changes)} file{'s' if len(changes) > 1 else ''}"
    if not options.dry_run and agreed(f"Mend {many}?", options.yes):
        for change in changes:
            change.write()
        print(f"mended {many}")
    return 0


class _Change:
    """One file before and after its repairs; ``UsageError`` if it changed since they were found."""

    def __init__(self, file: Path, name: str, edits: list[Repair]) -> None:
        from perfnotes.fixes.mend import repaired

        self.file, self.name = file, name
        self.original = file.read_bytes()
        source, _ = decode(self.original, name)
        self.before = source.text if source else ""
        if any(self.before[e.start : e.end] != e.old for e in edits):
            raise UsageError(f"{name} changed meanwhile; run fix again")
        self.after = repaired(self.before, edits)

    def write(self) -> None:
        from perfnotes.fixes.mend import encoded_like

        if self.file.read_bytes() != self.original:
            raise UsageError(f"{self.name} changed meanwhile; run fix again")
        write_atomically(self.file, encoded_like(self.original, self.after))


def _changes(found: Iterable[Repair], wanted: list[Path]) -> list[_Change]:
    """Return the changes of each file, or only of files in the ``wanted`` files and folders."""
    changes = []
    for name, group in groupby(found, key=lambda r: r.path):
        file = Path(name).resolve()
        if not wanted or any(w in (file, *file.parents) for w in wanted):
            changes.append(_Change(file, name, list(group)))
    return changes
