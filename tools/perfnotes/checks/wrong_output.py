"""PN922: output in a note that is not what the lab recorded."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._rule import SHOWN_LAB, Rule
from perfnotes.graph.links import Links
from perfnotes.graph.outputs import outputs
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN922",
    severity=Severity.ERROR,
    title="Output that is not what was recorded",
    why=(
        "A fence whose info string names a run (`console lab=count`) shows what that run printed "
        "on the lab's reference machine, line by line; a line that holds only `…` stands for lines "
        "that are left out. This fence shows something else. `perfnotes fix` writes the recorded "
        "output into a fence that leaves nothing out."
    ),
    wrong={
        "caches/steps/index.md": "```console lab=count\n$ python3 steps.py\n"
        '{"rows": 16, "columns": 999}\n```\n'
    },
    right={
        "caches/steps/index.md": "```console lab=count\n$ python3 steps.py\n"
        '{"rows": 16, "columns": 256}\n```\n'
    },
)

LOOKS_AT = frozenset({SHOWN_LAB})


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Fences that name a run and differ from its output, or whose run has no output."""
    for output in outputs(links, site.graph.evidence):
        if output.problem:
            yield links.text.body.source.finding(output.at, *output.problem)
