"""PN904: a result file that cannot be read."""

from __future__ import annotations

from perfnotes.checks._examples import RESULT, recorded
from perfnotes.checks._rule import Late, Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN904",
    severity=Severity.ERROR,
    title="A result that cannot be read",
    why=(
        "Results are written by `perfnotes lab record`, one JSON file for each machine, named "
        "after it. A file that is cut off, renamed or written by hand is none."
    ),
    wrong={"caches/steps/lab/results/other.json": b"{}\n"},
    right=Late(lambda: {RESULT: recorded()}),
    in_words=(
        "`results/` holds a file that is no result, or one under another machine's name.",
        "`results/` holds what `perfnotes lab record` wrote there.",
    ),
)
