"""PN301: a wiki link to a note that does not exist. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN301",
    severity=Severity.ERROR,
    title="A wiki link that nearly names a note",
    why=(
        "`[[…]]` leads to a note by its id or file name, or to a glossary term. This one names "
        "nothing, but something is spelt almost like it. A note that is still a draft is "
        "reported as well, since the site leaves it out."
    ),
    wrong={"caches/rows.md": "A loop along a row uses each [[cache/lines|line]] whole.\n"},
    right={"caches/rows.md": "A loop along a row uses each [[caches/lines|line]] whole.\n"},
)
