"""PN906: a result that was recorded before its lab's source changed."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._bindings import address_offset, bindings
from perfnotes.checks._examples import FOLDER, PROGRAM, RESULT, recorded
from perfnotes.checks._rule import LazyFiles, Rule
from perfnotes.graph.site import Site
from perfnotes.model.verdict import is_stale
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN906",
    severity=Severity.ERROR,
    title="A recorded result is older than its lab's source",
    why=(
        "The lab's programs, its build or its runs have changed since the result was recorded, so "
        "nobody knows whether the lab still gives these numbers. The finding stands at the lab, "
        "and at every note that shows a number of it, until the lab is recorded again. Claims and "
        "texts of `lab.yml` may change without that: claims are judged from the recorded samples."
    ),
    wrong={f"{FOLDER}/steps.py": PROGRAM + "# a change\n"},
    right=LazyFiles(
        lambda: {
            f"{FOLDER}/steps.py": PROGRAM + "# a change\n",
            RESULT: recorded(PROGRAM + "# a change\n"),
        }
    ),
    in_words=(
        "A line of `steps.py` changes, and `results/` stays as it was.",
        "A line of `steps.py` changes, then `perfnotes lab replace caches/steps` records again.",
    ),
)


def find(site: Site) -> Iterator[Finding]:
    """One finding at the lab of each stale result, and one in each text that shows its numbers."""
    library = site.library
    for lab in library.labs.values():
        for machine, result in library.results[lab.id].items():
            if is_stale(lab, result):
                message = f"the lab has changed since it was recorded on {machine}"
                hint = f"run: {library.record_command(lab, machine)}"
                yield lab.source.finding(0, RULE.code, message, hint)
    reported = set()
    for links, binding in bindings(site):
        found = binding.found
        if found.lab and site.graph.evidence.is_stale(found):
            key = (links.text.path, found.lab.id)
            if key in reported:
                continue
            reported.add(key)
            message = f"this number was recorded before the lab of {found.lab.id} changed"
            hint = f"run: {library.record_command(found.lab, found.machine)}"
            at = address_offset(binding)
            yield links.text.body.source.finding(at, RULE.code, message, hint)
