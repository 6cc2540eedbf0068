"""Findings as workflow commands of GitHub Actions, which shows each at its line of the diff.

Values are escaped as the runner expects: ``%`` and line ends everywhere, ``:`` and ``,`` in
properties as well. The runner shows at most ten errors and ten warnings of a step, so errors come
first.
"""

from __future__ import annotations

from collections.abc import Sequence

from perfnotes.report import message_and_hint
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.printable import one_line

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def write(findings: Sequence[Finding]) -> str:
    """Return one command for each finding: errors first, then warnings, then notes."""
    order = list(_LEVELS)
    return "".join(_command(f) for f in sorted(findings, key=lambda f: order.index(f.severity)))


def _command(f: Finding) -> str:
    properties = {
        "file": f.path,
        "line": str(f.line),
        "endLine": str(f.line),
        "col": str(f.column),
        "title": f.code,
    }
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_LEVELS[f.severity]} {named}::{_data(message_and_hint(f))}\n"


def _data(text: str) -> str:
    return one_line(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
