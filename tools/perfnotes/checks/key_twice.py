"""PN402: a citation key that stands twice. The reader of the bibliography finds it."""

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
    title="A citation key that stands twice",
    why=(
        "A key names one work, also where two differ in upper and lower case only. Look whether "
        "the work is in the bibliography already; if these are two works, give the new one "
        "another key."
    ),
    wrong={"references.bib": _ENTRY + "\n" + _ENTRY.replace("drepper", "Drepper", 1)},
    right={"references.bib": _ENTRY},
)
