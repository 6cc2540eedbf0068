"""Reads ``mkdocs.yml`` by MkDocs itself."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from perfnotes.source.project import UsageError, project_root


def configuration(**overrides: Any) -> Any:
    """Return MkDocs' configuration of the project, with ``overrides`` in the place of settings.

    Prints MkDocs' warnings. Raises ``UsageError`` if the configuration is broken.
    """
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's banner
    from mkdocs.config import load_config  # noqa: PLC0415 - after the variable was set
    from mkdocs.exceptions import Abort, ConfigurationError  # noqa: PLC0415

    root = project_root()
    heard = _MessageCollector()
    log = logging.getLogger("mkdocs")  # the parent of the loggers of all its modules
    log.setLevel(logging.WARNING)
    log.addHandler(heard)
    log.propagate = False
    try:
        found = load_config(str(root / "mkdocs.yml"), **overrides)
    except ConfigurationError as error:
        raise UsageError(f"mkdocs.yml: {_one_line(str(error))}") from None
    except Abort:  # MkDocs has logged the reason before
        raise UsageError(f"mkdocs.yml: {_one_line('; '.join(heard.messages))}") from None
    finally:
        log.removeHandler(heard)
        log.propagate = True
    for message in heard.messages:
        print(f"perfnotes: mkdocs.yml: {_one_line(message)}", file=sys.stderr)
    return found


class _MessageCollector(logging.Handler):
    """Collects what MkDocs logs about its configuration."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _one_line(text: str) -> str:
    return " ".join(text.split())
