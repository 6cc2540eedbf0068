"""PN506: a formula that cannot be set. The renderer finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN506",
    severity=Severity.ERROR,
    title="A formula that cannot be set",
    why=(
        "Formulas between dollar signs are TeX and become MathML when the site is built, so that "
        "no script is needed to read them. This one does not parse. For a dollar sign that is no "
        "formula, write `\\$`."
    ),
    wrong={"caches/rows.md": "A line holds $\\frac{64}{8$ numbers.\n"},
    right={"caches/rows.md": "A line holds $\\frac{64}{8}$ numbers.\n"},
)
