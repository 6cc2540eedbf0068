"""PN923: output in a note that no lab recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.checks._rule import SHOWN_LAB, Rule
from perfnotes.graph.links import Links
from perfnotes.graph.outputs import content_range, outputs
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN923",
    severity=Severity.NOTE,
    title="Output that no lab recorded",
    why=(
        "This console block shows what a command printed, but readers cannot tell when and where "
        "it ran, or whether it still prints the same. Give the note's lab a run that prints it "
        "(`output: true`) and name the run in the fence's info string. If the output cannot be "
        "recorded, say in the text which machine it came from."
    ),
    wrong={
        "caches/steps/index.md": "```console\n$ python3 steps.py\n"
        '{"rows": 16, "columns": 256}\n```\n'
    },
    right={
        "caches/steps/index.md": "```console lab=count\n$ python3 steps.py\n"
        '{"rows": 16, "columns": 256}\n```\n'
    },
)

_PROMPT = re.compile(r"[$#>] ")

LOOKS_AT = frozenset({SHOWN_LAB})


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Console blocks in notes that show a command and its output but name no run."""
    if links.text.kind != "note":
        return
    source = links.text.body.source
    named = {output.fence.start for output in outputs(links, site.graph.evidence)}
    for fence in links.text.body.document.blocks.fences:
        if fence.language != "console" or fence.start in named:
            continue
        start, end = content_range(source.text, fence)
        lines = [line for line in source.text[start:end].splitlines() if line.strip()]
        continued = False
        shown = []
        for line in lines:
            if not continued and not _PROMPT.match(line):
                shown.append(line)
            continued = line.endswith("\\")
        if shown and len(shown) < len(lines):
            message = "this output was not recorded by a lab"
            hint = "name its run: ```console lab=RUN"
            yield source.finding(fence.start, RULE.code, message, hint)
