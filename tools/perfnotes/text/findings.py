"""A Finding: one thing that is wrong, where it is, and how to mend it.

Errors are values here: readers and checks return findings, and only the command line prints
them. A finding's one-line form is ``path:line:col: CODE message (hint)``. Commands also print its
severity (see ``perfnotes.report.text``).
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """How bad a finding is: an error fails the build, a warning only with ``--strict``."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Finding(Struct, frozen=True, order=True):
    """What is wrong at ``path:line:column`` (both counted from 1), and a hint how to mend it."""

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str = ""
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.path}:{self.line}:{self.column}: {self.code} {self.message}{hint}"
