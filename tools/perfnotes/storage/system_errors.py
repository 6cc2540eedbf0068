"""Errors of the operating system: they name the file, and become one line for people."""

from __future__ import annotations

from pathlib import Path


def in_words(error: OSError) -> str:
    """Return the reason, and the file if the error names one."""
    where = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error}{where}"


def write_file(file: Path, data: bytes) -> None:
    """Write ``data`` to ``file``. An error names the file; the system's own often does not."""
    try:
        file.write_bytes(data)
    except OSError as error:
        error.filename = error.filename or str(file)
        raise
