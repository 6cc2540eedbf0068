"""PN402: a citation key that occurs twice. The reader of the bibliography finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

_ENTRY = """\
@misc{drepper2007memory,
  author = {Drepper, Ulrich},
  title  = {What Every Programmer Should Know About Memory},
  year   = {2007}
}
"""

RULE = Rule(
    code="PN402",
    severity=Severity.ERROR,
    title="A citation key that occurs twice",
    why=(
        "A key names one work; keys that differ only in upper and lower case count as the same. "
        "Look whether the work is in the bibliography already. If these are two works, give the "
        "new one another key."
    ),
    wrong={"references.bib": _ENTRY + "\n" + _ENTRY.replace("drepper", "Drepper", 1)},
    right={"references.bib": _ENTRY},
)
