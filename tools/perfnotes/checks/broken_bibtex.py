"""PN401: BibTeX that does not parse. The reader of the bibliography finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN401",
    severity=Severity.ERROR,
    title="BibTeX that does not parse",
    why=(
        "An entry has the form `@type{key, name = {value}, …}`: every brace is closed, and a comma "
        "separates the fields. An entry that does not parse is left out, and citations of it "
        "lead nowhere."
    ),
    wrong={
        "references.bib": (
            "@book{hennessy2017quantitative,\n"
            "  author    = {Hennessy, John L. and Patterson, David A.}\n"
            "  title     = {Computer Architecture: A Quantitative Approach},\n"
            "  publisher = {Morgan Kaufmann},\n"
            "  year      = {2017}\n"
            "}\n"
        )
    },
    right={
        "references.bib": (
            "@book{hennessy2017quantitative,\n"
            "  author    = {Hennessy, John L. and Patterson, David A.},\n"
            "  title     = {Computer Architecture: A Quantitative Approach},\n"
            "  publisher = {Morgan Kaufmann},\n"
            "  year      = {2017}\n"
            "}\n"
        )
    },
)
