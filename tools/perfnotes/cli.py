"""The command line. Exit status: 0 no errors, 1 errors, 2 wrong use or broken configuration."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Sequence

from perfnotes import __version__
from perfnotes.commands import command, names, summary
from perfnotes.project import UsageError


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
        from perfnotes.completion import answer  # noqa: PLC0415

        answer(parser)
    # A kill asks for the same orderly end as Ctrl-C: temporary folders go, the last site stays.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
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
        print("perfnotes: interrupted; what was there before is still there", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        print(f"perfnotes: {error.strerror or error}{where}", file=sys.stderr)
        return 2
