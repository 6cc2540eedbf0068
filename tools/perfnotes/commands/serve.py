"""Build the site, serve it on this machine and follow every edit.

The page in the browser reloads by itself when a note changes.
"""

from __future__ import annotations

import argparse
import logging
import sys

from perfnotes.commands._project import UsageError, configuration, project_root

EXAMPLE = "perfnotes serve --port 8000"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="default: 8000")
    parser.add_argument("--open", action="store_true", help="open the site in a browser")


def run(options: argparse.Namespace) -> int:
    from mkdocs.exceptions import Abort, ConfigurationError

    from perfnotes.engine.run import serve

    configuration()  # a broken one is reported before anything starts
    log = logging.getLogger("mkdocs")
    log.setLevel(logging.INFO)
    log.addHandler(logging.StreamHandler(sys.stderr))
    try:
        serve(project_root() / "mkdocs.yml", options.port, open_in_browser=options.open)
    except ConfigurationError as error:
        raise UsageError(f"mkdocs.yml: {error}") from None
    except Abort as abort:
        print(abort, file=sys.stderr)
        return 1
    return 0
