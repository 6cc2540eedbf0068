"""PN603: an SVG file with scripts, references elsewhere or too many copies. The stage finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

_TEXT = "![Eight words of a row fill one line of the cache](row.svg)\n"

RULE = Rule(
    code="PN603",
    severity=Severity.ERROR,
    title="An SVG file that does more than draw",
    why=(
        "An SVG file is a document that can run scripts and load other files. Figures here may "
        "hold only shapes, text and styles. Remove everything else, or export the figure again as "
        "plain SVG. References such as `<use>` may draw at most 20,000 copies of elements: a "
        "kilobyte of nested ones stops a browser."
    ),
    wrong={
        "caches/rows.md": _TEXT,
        "caches/row.svg": (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">\n'
            '  <rect width="20" height="10"/>\n'
            "  <script>alert(1)</script>\n"
            "</svg>\n"
        ),
    },
    right={
        "caches/rows.md": _TEXT,
        "caches/row.svg": (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">\n'
            '  <rect width="20" height="10"/>\n'
            "</svg>\n"
        ),
    },
)
