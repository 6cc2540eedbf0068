"""Where the project is and what ``mkdocs.yml`` says, for every command that needs it."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any


class UsageError(Exception):
    """Wrong use or broken configuration; the message says how to mend it."""


def project_root() -> Path:
    """The folder with ``mkdocs.yml``: here or above, else the clone that this code lies in."""
    here = Path.cwd()
    own = Path(__file__).resolve().parents[3]
    for folder in (here, *here.parents, own):
        if (folder / "mkdocs.yml").is_file() and (folder / "docs" / "theme").is_dir():
            return folder
    raise UsageError("no mkdocs.yml here or above: run this inside a clone of perfnotes")


def configuration(**overrides: Any) -> Any:
    """MkDocs' configuration of the project, with some settings replaced."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's banner
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, ConfigurationError

    logging.getLogger("mkdocs").setLevel(logging.WARNING)
    logging.getLogger("mkdocs.commands.build").addFilter(_is_no_system_error)
    root = project_root()
    told = _Told()
    log = logging.getLogger("mkdocs.config")
    log.addHandler(told)
    log.propagate = False
    try:
        found = load_config(str(root / "mkdocs.yml"), **overrides)
    except ConfigurationError as error:
        raise UsageError(f"mkdocs.yml: {_one_line(str(error))}") from None
    except Abort:  # what is wrong was logged before
        raise UsageError(f"mkdocs.yml: {_one_line('; '.join(told.messages))}") from None
    finally:
        log.removeHandler(told)
        log.propagate = True
    for message in told.messages:
        print(f"perfnotes: mkdocs.yml: {_one_line(message)}", file=sys.stderr)
    return found


class _Told(logging.Handler):
    """Keeps what MkDocs says about its configuration."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_no_system_error(record: logging.LogRecord) -> bool:
    """Keep MkDocs from announcing a full disk: the command line says it once."""
    del record
    return not isinstance(sys.exc_info()[1], OSError)


def notes_folder(given: str | None) -> Path | None:
    """The folder of ``--notes``, or None for the project's own."""
    if given is None:
        return None
    folder = Path(given)
    if not folder.is_dir():
        raise UsageError(f"{given} is no folder")
    return folder
