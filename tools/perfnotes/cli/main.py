"""The command line. Exit status: 0 no errors, 1 errors, 2 wrong use or broken configuration."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from perfnotes import __version__
from perfnotes.cli.commands import command, names, summary
from perfnotes.source.project import UsageError
from perfnotes.storage.interruption import INTERRUPTED


def parser(wanted: str | None = None) -> argparse.ArgumentParser:
    """The parser with all commands below it.

    With ``wanted``, only that command has its arguments: what others import takes no time.
    """
    top = argparse.ArgumentParser(
        prog="perfnotes", description="Notes about performance become a site that can be traced."
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
    """Run a command and give its exit status; no error ends in a traceback."""
    if "_ARGCOMPLETE" in os.environ:  # a shell asks what may follow
        from perfnotes.cli.completion import answer  # noqa: PLC0415

        answer(parser)
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may know no Chinese
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
        where = f": {error.filename}" if error.filename else ""
        print(f"perfnotes: {error.strerror or error}{where}", file=sys.stderr)
        return 2


def _open_what_is_closed() -> None:
    """A caller may have closed a standard stream: what is written there then goes nowhere.

    In this order, so that no other file gets the number of one of them.
    """
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
