"""PN403: a field of a reference is missing or malformed. The bibliography's reader finds it."""

from __future__ import annotations

from perfnotes.checks._rule import Rule
from perfnotes.text.findings import Severity

RULE = Rule(
    code="PN403",
    severity=Severity.ERROR,
    title="A reference with a missing or malformed field",
    why=(
        "A reader must be able to find the work: who wrote it, what it is called, when and where "
        "it appeared, and a DOI, arXiv id or address in its proper form. Confirm each field "
        "against the work itself or its publisher's page."
    ),
    wrong={
        "references.bib": (
            "@misc{drepper2007memory,\n"
            "  author = {Drepper, Ulrich},\n"
            "  title  = {What Every Programmer Should Know About Memory},\n"
            "  year   = {November 2007},\n"
            "  url    = {www.akkadia.org/drepper/cpumemory.pdf}\n"
            "}\n"
        )
    },
    right={
        "references.bib": (
            "@misc{drepper2007memory,\n"
            "  author = {Drepper, Ulrich},\n"
            "  title  = {What Every Programmer Should Know About Memory},\n"
            "  year   = {2007},\n"
            "  url    = {https://www.akkadia.org/drepper/cpumemory.pdf}\n"
            "}\n"
        )
    },
)
