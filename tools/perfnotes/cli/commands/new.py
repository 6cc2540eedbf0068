"""Begin a note, a lab, a reference, a glossary term or a fact.

On a terminal it asks for what the options leave open. What it writes passes `perfnotes check`. It
overwrites no file. At the end it says what to do next.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from pathlib import Path

from perfnotes.cli.commands._ask import show
from perfnotes.contribute.new import kinds
from perfnotes.source.project import UsageError, project_root
from perfnotes.text import difference as textdiff

EXAMPLE = (
    'perfnotes new note bash/pipes --title "What a pipe costs" --tags shell --level introductory'
)


def arguments(parser: argparse.ArgumentParser) -> None:
    below = parser.add_subparsers(dest="new", metavar="KIND", required=True)
    for name, module in kinds().items():
        text = (module.__doc__ or "").strip()
        kind = below.add_parser(
            name,
            help=text.splitlines()[0].rstrip("."),
            description=text,
            epilog=f"example:\n  {module.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(kind)
        kind.add_argument(
            "--dry-run", action="store_true", help="print what would be written, write nothing"
        )


def run(options: argparse.Namespace) -> int:
    from perfnotes.contribute.new._answers import Answers
    from perfnotes.contribute.new._creation_plan import NewError
    from perfnotes.fixes.move.apply import apply, new_files
    from perfnotes.fixes.move.changes import MoveError
    from perfnotes.source.yamltext import YamlEditError

    root = project_root()
    try:
        made = kinds()[options.new].planned(root, Answers(options))
        files = new_files(root, made.changes) | made.files
        if not options.dry_run:
            apply(root, made.changes, files)
    except (MoveError, NewError) as error:
        raise UsageError(str(error)) from None
    except YamlEditError as error:
        raise UsageError(f"this YAML cannot be edited in place: {error}") from None
    for old, new in made.changes.moves.items():
        show(f"rename {old} → {new}\n")
    for path, (before, after) in sorted(files.items()):
        show(textdiff.lines(before.decode(), after.decode(), path, made.changes.place(path)))
    for path in made.changes.created:
        show(f"{'would write' if options.dry_run else 'wrote'} {path}\n")
    for remark in made.changes.remarks:
        show(f"{remark}\n")
    show("\nnext:\n")
    lines = [(_as_called(command), what) for command, what in made.next]
    width = min(50, max(len(command) for command, _ in lines))
    for command, what in lines:
        show(f"  {command:<{width}}  # {what}\n")
    return 0


def _as_called(command: str) -> str:
    """Return the command as the user can paste it.

    Where ``perfnotes`` is not on the PATH, the command begins with the path of this program.
    """
    program = Path(sys.argv[0])
    if program.name != "perfnotes" or shutil.which("perfnotes"):
        return command
    return re.sub("^perfnotes ", lambda _: f"{os.path.relpath(program)} ", command)
