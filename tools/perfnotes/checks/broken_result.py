"""PN904: a result file that cannot be read."""

from __future__ import annotations

from perfnotes.checks._examples import RESULT, recorded
from perfnotes.checks._rule import LazyFiles, Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN904",
    severity=Severity.ERROR,
    title="A result that cannot be read",
    why=(
        "`perfnotes lab record` writes one JSON file for each machine and names it after the "
        "machine. This file does not have that form: it was cut off, renamed, or not written by "
        "`record`."
    ),
    wrong={"caches/steps/lab/results/other.json": b"{}\n"},
    right=LazyFiles(lambda: {RESULT: recorded()}),
    in_words=(
        "`results/` holds a file that is not a result, or a result named after another machine.",
        "`results/` holds what `perfnotes lab record` wrote there.",
    ),
)
