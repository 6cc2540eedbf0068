"""Findings as a JSON array of objects, with the keys that scripts rely on."""

from __future__ import annotations

import json
from collections.abc import Sequence

from perfnotes.text.findings import Finding


def write(findings: Sequence[Finding]) -> str:
    """Return a JSON array with one object for each finding."""
    rows = [
        {
            "path": f.path,
            "line": f.line,
            "column": f.column,
            "code": f.code,
            "severity": f.severity.value,
            "message": f.message,
            "hint": f.hint,
        }
        for f in findings
    ]
    return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
