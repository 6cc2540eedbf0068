"""PN926: a shown session that does not show all settings of the recorded run."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import FOLDER, LAB, recorded
from perfnotes.checks._rule import SHOWN_LAB, LazyFiles, Rule
from perfnotes.graph.links import Links
from perfnotes.graph.outputs import outputs
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_HIDDEN = LAB.replace("output: true}", 'output: true, env: {STEPS: "16"}}')


def _files(shown: str) -> dict[str, str]:
    return {
        f"{FOLDER}/lab.yml": _HIDDEN,
        f"{FOLDER}/results/example-cpu.json": recorded(lab=_HIDDEN),
        "caches/steps/index.md": f"```console lab=count\n{shown}"
        '{"rows": 16, "columns": 256}\n```\n',
    }


RULE = Rule(
    code="PN926",
    severity=Severity.WARNING,
    title="A session that does not show all settings of its run",
    why=(
        "A reader who types the commands of the block must get the same output. So the block must "
        "show, each on a line of its own (`$ export OMP_NUM_THREADS=2`, "
        "`$ gcc -O2 -fopenmp -o affinity affinity.c`): the variables of the run's `env`; what the "
        "lab's script exports, sets or compiles; and the build command of each program that the "
        "block starts as `./program`. Such a line is allowed even if the recorded run did not "
        "print it."
    ),
    wrong=LazyFiles(lambda: _files("$ python3 steps.py\n")),
    right=LazyFiles(lambda: _files("$ export STEPS=16\n$ python3 steps.py\n")),
)

LOOKS_AT = frozenset({SHOWN_LAB})


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Blocks of a recorded run that lack a variable, setting or build command of that run."""
    for output in outputs(links, site.graph.evidence):
        for command in output.hidden:
            message = f"the recording ran with `{command}`, which this block does not show"
            hint = f"add the line: $ {command}"
            at = output.fence.start
            yield links.text.body.source.finding(at, RULE.code, message, hint)
