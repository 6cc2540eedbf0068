"""A Finding: one thing that is wrong, where it is, and how to mend it.

Errors are values here: readers and checks return findings, and only the command line prints
them. Its one-line form is ``path:line:col: CODE message (hint)``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is: an error fails the build, a warning only with ``--strict``."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, order=True, slots=True)
class Finding:
    """What is wrong at ``path:line:column`` (both counted from 1) and the hint that mends it."""

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


def as_text(findings: Sequence[Finding]) -> str:
    """One line for each finding."""
    return "".join(f"{_one_line(str(f))}\n" for f in findings)


def as_json(findings: Sequence[Finding]) -> str:
    """A JSON array of objects with the keys that scripts rely on."""
    return json.dumps([_as_dict(f) for f in findings], ensure_ascii=False, indent=2) + "\n"


def as_github(findings: Sequence[Finding]) -> str:
    """GitHub Actions' workflow commands, which show each finding at its line of the diff."""
    levels = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
    lines = []
    for f in findings:
        text = f.message + (f" ({f.hint})" if f.hint else "")
        text = _one_line(text).replace("%", "%25")
        path = _one_line(f.path).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
        place = f"file={path},line={f.line},col={f.column}"
        lines.append(f"::{levels[f.severity]} {place},title={f.code}::{text}\n")
    return "".join(lines)


def as_sarif(findings: Sequence[Finding]) -> str:
    """SARIF 2.1.0, one run, one result per finding."""
    codes = sorted({f.code for f in findings})
    run = {
        "tool": {"driver": {"name": "perfnotes", "rules": [{"id": code} for code in codes]}},
        "results": [
            {
                "ruleId": f.code,
                "level": f.severity.value,
                "message": {"text": f.message + (f" ({f.hint})" if f.hint else "")},
                "locations": [
                    {
                        "physicalLocation": {
                            "artifactLocation": {"uri": f.path},
                            "region": {"startLine": f.line, "startColumn": f.column},
                        }
                    }
                ],
            }
            for f in findings
        ],
    }
    document = {"version": "2.1.0", "runs": [run]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


FORMATS = {"text": as_text, "json": as_json, "github": as_github, "sarif": as_sarif}


def worst(findings: Iterable[Finding]) -> Severity | None:
    """The gravest severity among the findings, or None where there are none."""
    order = [Severity.ERROR, Severity.WARNING, Severity.NOTE]
    present = {f.severity for f in findings}
    return next((severity for severity in order if severity in present), None)


def _as_dict(f: Finding) -> dict[str, object]:
    return {
        "path": f.path,
        "line": f.line,
        "column": f.column,
        "code": f.code,
        "severity": f.severity.value,
        "message": f.message,
        "hint": f.hint,
    }


def _one_line(text: str) -> str:
    # Control characters from a stranger's file must not reach a terminal.
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
