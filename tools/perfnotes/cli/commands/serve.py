"""Serve the site on this machine and follow every edit.

When a note is saved, the browser shows its new page, and each finding at the line that it is about.
"""

from __future__ import annotations

import argparse
import logging

from perfnotes.cli.commands._options import add_notes
from perfnotes.cli.commands._timestamp import check_timestamp
from perfnotes.source.project import notes_folder, root_for

EXAMPLE = "perfnotes serve --port 8000"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_notes(parser)
    parser.add_argument("--port", type=_port, default=8000, metavar="N", help="default: 8000")
    parser.add_argument("--open", action="store_true", help="open the site in a browser")


def _port(given: str) -> int:
    port = int(given) if given.isdecimal() else -1
    if not 0 <= port < 1 << 16:
        raise argparse.ArgumentTypeError(f"{given} is no port: a number from 0 to 65535")
    return port


def run(options: argparse.Namespace) -> int:
    from perfnotes.serve.run import Serving, open_later

    logging.getLogger("watchdog").setLevel(logging.ERROR)
    notes = notes_folder(options.notes)
    check_timestamp()
    serving = Serving(root_for(notes), notes, options.port)
    serving.run(open_later if options.open else None)
    return 0
