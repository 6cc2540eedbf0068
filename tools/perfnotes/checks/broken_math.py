"""PN506: a formula that cannot be typeset. The renderer finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN506",
    severity=Severity.ERROR,
    title="A formula that cannot be typeset",
    why=(
        "Text between dollar signs is TeX. It becomes MathML when the site is built, so that the "
        "browser needs no script to show it. This formula does not parse. If you mean a plain "
        "dollar sign, write `\\$`."
    ),
    wrong={"caches/rows.md": "A line holds $\\frac{64}{8$ numbers.\n"},
    right={"caches/rows.md": "A line holds $\\frac{64}{8}$ numbers.\n"},
)
