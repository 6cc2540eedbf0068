"""A report as Markdown for a comment on a pull request: short first, details folded.

What a stranger wrote stands in code spans and nowhere else: there no code host reads markup, HTML,
a mention, a link, an emoji or the number of an issue. Our own words need none of these signs, so
that whoever posts the text can refuse any other (``tools/review/comment.py`` does).
"""

from __future__ import annotations

import re

from perfnotes.review.entry import Line, Part, Report, Value
from perfnotes.review.output import plain

MARKER = "<!-- perfnotes diff -->"
LIMIT = 64_000  # of 65,536 characters; whoever posts it adds a few words
_LONGEST = 160
_MOST = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)
_MOST_DETAILS = 25


def as_markdown(report: Report) -> str:
    """The report with as many changes of each part as fit; what is left out is said."""
    text = ""
    for most in _MOST:  # upwards, so that a flood of changes costs no more than a comment
        longer = _with(report, most)
        if text and _size(longer) > LIMIT:
            break
        text = longer
        if all(len(part.entries) <= most for part in report.parts):
            break
    return text


def _with(report: Report, most: int) -> str:
    between = f"From {code(report.before)} to {code(report.after)}"
    if not report.parts:
        return f"{MARKER}\n## What changes for readers\n\n{between}: nothing changes for readers.\n"
    out = [MARKER, "## What changes for readers", "", f"{between}:", ""]
    out += [f"- **{part.title}:** {_line(part.told)}" for part in report.parts]
    cut = False
    for part in report.parts:
        shown = part.entries[:most]
        left = len(part.entries) - len(shown)
        cut = cut or left > 0
        if part.entries:
            out += _folded(part, most, left)
    if cut:
        out += ["", f"This is cut to fit into a comment. All of it: {code('perfnotes diff')} "
                "with the same revision."]  # fmt: skip
    return "\n".join(out) + "\n"


def _folded(part: Part, most: int, left: int) -> list[str]:
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
    """A stranger's text as a code span that it cannot end; a number of ours as it is."""
    if isinstance(value, int):
        return str(value)
    text = plain(value, _LONGEST)
    if not text:
        return "nothing"
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _line(line: Line) -> str:
    return line.words.format(*map(code, line.values))


def _size(text: str) -> int:
    """Characters as JavaScript counts them, of which one may be two of Python's."""
    return len(text.encode("utf-16-le")) // 2
