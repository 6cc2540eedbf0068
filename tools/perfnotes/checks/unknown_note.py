"""PN301: a wiki link to a note that does not exist. The resolver finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN301",
    severity=Severity.ERROR,
    title="A wiki link that nearly names a note",
    why=(
        "`[[…]]` leads to a note by its id, file name or alias, or to a glossary term. This name "
        "belongs to none of them, but one of them is spelt almost like it. A link to a draft is "
        "reported as well, because the site leaves drafts out."
    ),
    wrong={"caches/rows.md": "A loop along a row uses each [[cache/lines|line]] whole.\n"},
    right={"caches/rows.md": "A loop along a row uses each [[caches/lines|line]] whole.\n"},
)
