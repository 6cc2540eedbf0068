"""A report as Markdown for a comment on a pull request: a line for each part, details folded.

Every value that a stranger wrote is put into a code span. In a code span, a code host interprets no
markup, HTML, mention, link, emoji or number of an issue. Our own words use few signs outside of
code spans, so the program that posts the text, ``tools/review/comment.py``, can refuse all others.
"""

from __future__ import annotations

import re

from perfnotes.review.entry import Line, ReportPart, ReviewReport, Value
from perfnotes.review.output import printable_line

MARKER = "<!-- perfnotes diff -->"
LIMIT = 64_000  # UTF-16 code units; a host allows 65,536, and the posting program adds some words
_LONGEST = 160  # characters of a value
# How many entries of each part are tried. From small to large, so that thousands of changes cost
# little.
_MOST = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)
_MOST_DETAILS = 25


def as_markdown(report: ReviewReport) -> str:
    """Return the report with as many changes of each part as fit, and say how many do not fit."""
    text = ""
    for most in _MOST:
        longer = _with_most(report, most)
        if text and _size(longer) > LIMIT:
            break
        text = longer
        if all(len(part.entries) <= most for part in report.parts):
            break
    return text


def _with_most(report: ReviewReport, most: int) -> str:
    between = f"From {code(report.before)} to {code(report.after)}"
    if not report.parts:
        return f"{MARKER}\n## What changes for readers\n\n{between}: nothing changes for readers.\n"
    out = [MARKER, "## What changes for readers", "", f"{between}:", ""]
    out += [f"- **{part.title}:** {_line(part.in_one_line)}" for part in report.parts]
    is_cut = False
    for part in report.parts:
        shown = part.entries[:most]
        left = len(part.entries) - len(shown)
        is_cut = is_cut or left > 0
        if part.entries:
            out += _folded(part, most, left)
    if is_cut:
        out += ["", f"This is cut to fit into a comment. All of it: {code('perfnotes diff')} "
                "with the same revision."]  # fmt: skip
    return "\n".join(out) + "\n"


def _folded(part: ReportPart, most: int, left: int) -> list[str]:
    out = ["", "<details>", f"<summary>{part.title} ({len(part.entries)})</summary>", ""]
    for entry in part.entries[:most]:
        out.append(f"- {entry.kind}: {_line(entry.line)}")
        out += [f"  - {_line(detail)}" for detail in entry.details[:_MOST_DETAILS]]
        if len(entry.details) > _MOST_DETAILS:
            out.append(f"  - and {len(entry.details) - _MOST_DETAILS} more")
    if left:
        out.append(f"- and {left} more")
    return [*out, "", "</details>"]


def code(value: Value) -> str:
    """Return a text as a code span that the text itself cannot end, and a number as it is."""
    if isinstance(value, int):
        return str(value)
    text = printable_line(value, _LONGEST)
    if not text:
        return "nothing"
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _line(line: Line) -> str:
    return line.words.format(*map(code, line.values))


def _size(text: str) -> int:
    """Return the length in UTF-16 code units, as JavaScript counts; some characters have two."""
    return len(text.encode("utf-16-le")) // 2
