"""The command line. Exit status: 0 no errors, 1 errors, 2 wrong use or broken configuration."""

from __future__ import annotations

import argparse
import io
import os
import signal
import sys
from collections.abc import Iterable, Sequence

from perfnotes import __version__
from perfnotes.commands import commands, names
from perfnotes.commands._project import UsageError


def parser(wanted: Iterable[str] | None = None) -> argparse.ArgumentParser:
    """The parser with the wanted commands below it, or with all."""
    top = argparse.ArgumentParser(
        prog="perfnotes", description="Notes about performance become a site that can be traced."
    )
    top.add_argument("--version", action="version", version=f"perfnotes {__version__}")
    below = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, module in commands(wanted).items():
        text = (module.__doc__ or "").strip()
        command = below.add_parser(
            name,
            help=text.splitlines()[0].rstrip("."),
            description=text,
            epilog=f"example:\n  {module.EXAMPLE}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.arguments(command)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status; no error ends in a traceback."""
    # A kill asks for the same orderly end as Ctrl-C: temporary folders go, the last site stays.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal may know no Chinese
            stream.reconfigure(errors="backslashreplace")
    try:
        given = sys.argv[1:] if arguments is None else list(arguments)
        # A command that is named needs no other: each brings what it imports.
        wanted = given[:1] if given[:1] and given[0] in names() else None
        options = parser(wanted).parse_args(given)
        status = commands([options.command])[options.command].run(options)
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
