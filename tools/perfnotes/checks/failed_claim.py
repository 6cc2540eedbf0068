"""PN907: a claim that does not hold on the machine whose numbers the text shows."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import FOLDER, LAB
from perfnotes.checks._rule import Rule
from perfnotes.graph.binding import Found, describe
from perfnotes.graph.site import Site
from perfnotes.model.lab import Claim
from perfnotes.model.verdict import BROKEN, FAILS
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN907",
    severity=Severity.ERROR,
    title="A claim that does not hold on the reference machine",
    why=(
        "A claim's expectation must hold on every machine. On the lab's reference machine, whose "
        "numbers the notes show, it does not hold, or it holds for the control as well and so "
        "proves nothing. Correct the expectation or the experiment. Results of other machines "
        "never cause this finding; a claim that fails there is shown on the lab's page."
    ),
    wrong={f"{FOLDER}/lab.yml": LAB.replace('"== n"', '"> 20"')},
    right={f"{FOLDER}/lab.yml": LAB.replace('"== n"', '"> 4"')},
    in_words=(
        'The recorded ratio is 16, and `lab.yml` says `expect: "> 20"`.',
        'It says `expect: "> 4"`.',
    ),
)


def find(site: Site) -> Iterator[Finding]:
    """Claims that fail, and claims and values that are broken, on the lab's reference machine."""
    evidence = site.graph.evidence
    for lab in site.library.labs.values():
        if evidence.reference(lab) is None:
            continue
        for verdict in evidence.verdicts(lab, lab.reference).values():
            value = verdict.value
            if verdict.state == BROKEN:
                message = f"{value.id}: {verdict.why}"
                yield lab.source.finding(value.place, RULE.code, message, "mend the lab")
            elif verdict.state == FAILS and isinstance(value, Claim):
                measured = describe(Found(number=verdict.number, unit=value.unit))
                message = f"{value.id} is {measured}, expected {value.expect.text}"
                hint = "correct the expectation, or the experiment"
                yield lab.source.finding(value.place, RULE.code, message, hint)
