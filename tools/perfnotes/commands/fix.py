"""Write what is mechanical: bound numbers and shown output as they were recorded.

Prints each change. A number is written with as many digits as the text showed; read the sentence
around it again, since its words are yours to mend.
"""

from __future__ import annotations

import argparse
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.commands._project import UsageError, configuration, project_root
from perfnotes.source import decode
from perfnotes.write import write_atomically

if TYPE_CHECKING:
    from perfnotes.mend import Repair

EXAMPLE = "perfnotes fix --dry-run notes/caches"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="only in these files and folders")
    parser.add_argument("--dry-run", action="store_true", help="print the changes, write nothing")


def run(options: argparse.Namespace) -> int:
    from perfnotes.engine.session import Session
    from perfnotes.mend import repairs

    site = Session(quiet=True).read(configuration())
    root = project_root()
    wanted = [Path(p).resolve() for p in options.paths]
    for path in wanted:
        if not path.exists():
            raise UsageError(f"there is no {path}")
    found = sorted(set(repairs(site)))
    count = 0
    for name, group in groupby(found, key=lambda r: r.path):
        file = (root / name).resolve()
        if wanted and not any(w in (file, *file.parents) for w in wanted):
            continue
        edits = list(group)
        count += len(edits)
        _print(site.sources[name].text, edits)
        if not options.dry_run:
            _write(file, edits)
    if not count:
        print("nothing to mend")
    return 0


def _print(text: str, edits: list[Repair]) -> None:
    for edit in edits:
        line = text.count("\n", 0, edit.start) + 1
        if "\n" in edit.old:
            print(f"{edit.path}:{line}: the recorded output")
        else:
            print(f"{edit.path}:{line}: {edit.old} → {edit.new}")


def _write(file: Path, edits: list[Repair]) -> None:
    from perfnotes.mend import like, mended

    original = file.read_bytes()
    source, _ = decode(original, file.name)
    if source is None:
        raise UsageError(f"{file} changed meanwhile; run fix again")
    for edit in edits:
        if source.text[edit.start : edit.end] != edit.old:
            raise UsageError(f"{file} changed meanwhile; run fix again")
    write_atomically(file, like(original, mended(source.text, edits)))
