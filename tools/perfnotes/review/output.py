"""A report as text for a terminal and as JSON for programs."""

from __future__ import annotations

import json

from perfnotes.review.entry import Line, ReportEntry, ReviewReport, Value
from perfnotes.text.cut import cut
from perfnotes.text.printable import one_line

_LONGEST = 400


def printable_line(value: Value, longest: int = _LONGEST) -> str:
    """Return a stranger's text on one line, safe to print.

    Control characters are escaped. A space is put into ``##[``, which begins a command to a CI
    runner. A text of more than ``longest`` characters is cut.
    """
    text = " ".join(str(value)[: 10 * longest].split())
    return cut(one_line(text).replace("##[", "## ["), longest)


def as_text(report: ReviewReport) -> str:
    """Return every change as text. No line begins with what a stranger wrote."""
    if not report.parts:
        return f"Nothing changes for readers {_between(report)}.\n"
    out = [f"What changes for readers {_between(report)}:\n"]
    out += [f"  {part.title}: {_line(part.in_one_line)}" for part in report.parts]
    for part in report.parts:
        if part.entries:
            out += ["", part.title]
        for entry in part.entries:
            out.append(f"  {entry.kind}: {_line(entry.line)}")
            out += [f"    - {_line(detail)}" for detail in entry.details]
    return "\n".join(out) + "\n"


def as_json(report: ReviewReport) -> str:
    """Return JSON with ``before``, ``after`` and ``parts``, each part with its ``changes``."""
    parts = [
        {
            "part": part.id,
            "summary": _exact(part.in_one_line),
            "changes": [_as_dict(entry) for entry in part.entries],
        }
        for part in report.parts
    ]
    data = {"before": report.before, "after": report.after, "parts": parts}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _as_dict(entry: ReportEntry) -> dict[str, object]:
    return {
        "kind": entry.kind,
        "text": _exact(entry.line),
        "values": list(entry.line.values),
        "path": entry.path,
        "details": [_exact(detail) for detail in entry.details],
    }


def _between(report: ReviewReport) -> str:
    return f"from {printable_line(report.before)} to {printable_line(report.after)}"


def _line(line: Line) -> str:
    return line.words.format(*(printable_line(v) or "nothing" for v in line.values))


def _exact(line: Line) -> str:
    return line.words.format(*line.values)
