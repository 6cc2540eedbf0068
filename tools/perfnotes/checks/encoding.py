"""PN101: bytes that are not UTF-8, or control characters. The readers find it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN101",
    severity=Severity.ERROR,
    title="A file that is not UTF-8 text",
    why=(
        "Every file here is UTF-8, so that English, Chinese and symbols such as `×` read the same "
        "on every machine. Control characters are refused because the Markdown engine uses some of "
        "them as its own marks. Save the file as UTF-8 and remove the control characters."
    ),
    wrong={"caches/rows.md": b"---\ntitle: Rows\n---\n\nA \xd7 stands in a text.\n"},
    right={"caches/rows.md": "A × stands in a text.\n"},
    in_words=(
        "A note in Latin-1, where `×` is the single byte `0xd7`.",
        "The same note in UTF-8, where `×` is the two bytes `0xc3 0x97`.",
    ),
)
