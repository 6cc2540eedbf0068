"""What ``mkdocs.yml`` says, read by MkDocs itself."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from perfnotes.source.project import UsageError, project_root


def configuration(**overrides: Any) -> Any:
    """MkDocs' configuration of the project, with some settings replaced."""
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's banner
    from mkdocs.config import load_config  # noqa: PLC0415 - after the variable was set
    from mkdocs.exceptions import Abort, ConfigurationError  # noqa: PLC0415

    root = project_root()
    told = _Told()
    log = logging.getLogger("mkdocs")  # what each module of the package logs by its own name
    log.setLevel(logging.WARNING)
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
