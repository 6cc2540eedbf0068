"""PN901: a lab that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from perfnotes.checks._examples import FOLDER, LAB
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.labs.problems import problems
from perfnotes.text.findings import Finding, Severity

_CONTROL = "    control: count.rows / count.rows\n"


def _claims(text: str) -> str:
    return text[text.index("claims:") : text.index("values:")]


RULE = Rule(
    code="PN901",
    severity=Severity.ERROR,
    title="A lab that cannot be used",
    why=(
        "`lab.yml` says what a lab needs, how it is built, what it runs and what it claims; its "
        "schema is `schemas/lab.json`. A claim has an expression over measured quantities, an "
        "expectation that must hold on every machine, the reason for it, and a control. The "
        "control is the same measurement without the effect; there the expectation must fail."
    ),
    wrong={f"{FOLDER}/lab.yml": LAB.replace(_CONTROL, "")},
    right={f"{FOLDER}/lab.yml": LAB},
    in_words=(
        f"A claim of `lab.yml` has no control:\n\n```yaml\n{_claims(LAB.replace(_CONTROL, ''))}```",
        f"It has one, on which the expectation fails:\n\n```yaml\n{_claims(LAB)}```",
    ),
)


def find(site: Site) -> Iterator[Finding]:
    """Unknown instruments, wrong options and commands that cannot be parsed."""
    for lab in site.library.labs.values():
        source = lab.source
        yield from site.memo.of(partial(problems, lab), [], "problems", source.path, source.text)
