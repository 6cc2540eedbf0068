"""The command line of perfnotes.

The exit status is 0 without errors, 1 with errors, 2 after wrong use or with a broken
configuration, and 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from perfnotes import __version__
from perfnotes.cli.commands import command, names, summary
from perfnotes.source.project import UsageError
from perfnotes.storage.interruption import INTERRUPTED
from perfnotes.storage.system_errors import in_words

_CHOICE = re.compile(r"invalid choice: '(?P<given>[^']*)' \(choose from (?P<known>.*)\)")


class _Parser(argparse.ArgumentParser):
    """Suggests the name that was probably meant where a name is wrong.

    After an unknown option it prints the usage of the command that got it. Argparse would print
    that of the whole program.
    """

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def error(self, message: str) -> NoReturn:
        from perfnotes.text.nearest import nearest  # noqa: PLC0415 - only after wrong use

        choice = _CHOICE.search(message)
        known = re.findall(r"[\w-]+", choice["known"]) if choice else []
        guess = nearest(choice["given"], known, 0.7) if choice else None
        super().error(message + (f": did you mean {guess}?" if guess else ""))


def parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """Return the parser with all commands as subcommands.

    With ``wanted`` only that command gets its arguments, because the modules of the other commands
    take time to import.
    """
    top = _Parser(
        prog="perfnotes",
        description="Makes a site from notes about performance, and checks what the notes say.",
    )
    top.add_argument("--version", action="version", version=f"perfnotes {__version__}")
    below = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names():
        if wanted not in (None, name):
            below.add_parser(name, help=summary(name))
            continue
        module = command(name)
        added = below.add_parser(
            name,
            help=summary(name),
            description=(module.__doc__ or "").strip(),
            epilog=f"example:\n  {module.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(added)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` name (default: ``sys.argv``) and return its exit status.

    Wrong use and errors of the operating system become one line on standard error.
    """
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may follow
        from perfnotes.cli.completion import answer  # noqa: PLC0415

        answer(parser)
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # its encoding may lack Chinese
            stream.reconfigure(errors="backslashreplace")
    try:
        given = list(sys.argv[1:] if arguments is None else arguments)
        options = parser(given[0] if given else "").parse_args(given)
        status = command(options.command).run(options)
        sys.stdout.flush()
        return int(status)
    except UsageError as error:
        print(f"perfnotes: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"perfnotes: {_reason(error)}", file=sys.stderr)
        return 2


def _reason(error: OSError) -> str:
    """Return what an error of the operating system is about; for a removed folder, what to do."""
    if isinstance(error, FileNotFoundError) and not error.filename:
        try:
            Path.cwd()
        except FileNotFoundError:
            return "the current folder was removed: change to another one, then run this again"
    return in_words(error)


def _open_closed_streams() -> None:
    """Open the null device in place of each standard stream that the caller has closed.

    A new file gets the lowest free descriptor. Opening the three in their order ensures that no
    other file gets the descriptors 0, 1 and 2.
    """
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
