"""Build the site, serve it on this machine and follow every edit.

The page in the browser reloads by itself when a note changes.
"""

from __future__ import annotations

import argparse

from perfnotes.commands._project import UsageError, configuration, project_root

EXAMPLE = "perfnotes serve --port 8000"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="default: 8000")
    parser.add_argument("--open", action="store_true", help="open the site in a browser")


def run(options: argparse.Namespace) -> int:
    from mkdocs.commands.serve import serve
    from mkdocs.exceptions import Abort, ConfigurationError

    import logging

    configuration()  # a broken one is reported before anything starts
    logging.getLogger("mkdocs").setLevel(logging.INFO)
    try:
        serve(
            config_file=str(project_root() / "mkdocs.yml"),
            open_in_browser=options.open,
            dev_addr=f"127.0.0.1:{options.port}",
        )
    except ConfigurationError as error:
        raise UsageError(str(error)) from None
    except Abort as abort:
        print(abort)
        return 1
    return 0
