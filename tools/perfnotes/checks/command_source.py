"""PN217: a command to run first without the source that says what its output means."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._citations import citation_problems
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_TABLE = """\
places:
- id: cpu
  title: {{en: It uses the CPU, zh: 占用 CPU}}
first:
- command: uptime
  look: {{en: the load averages, zh: 平均负载}}
  answers:
  - says: {{en: The load is above the number of CPUs, zh: 负载高于 CPU 数}}
    leads: cpu
  source: "{source}"
"""

RULE = Rule(
    code="PN217",
    severity=Severity.ERROR,
    title="A command to run first without a source",
    why=(
        "On the page *What do you see?*, each command to run first on a slow machine says what its "
        "output means. Readers act on it, so `source` names where that is documented: a reference "
        "and the place in it."
    ),
    wrong={"symptoms.yml": _TABLE.format(source="[@drepper2007memory]")},
    right={"symptoms.yml": _TABLE.format(source="[@drepper2007memory, sec. 7]")},
)


def find(site: Site) -> Iterator[Finding]:
    """Commands whose source is no citation, has an unknown key, or names no place in the work."""
    library = site.library
    source = library.sources.get("symptoms")
    for command in library.symptom_index.first if source else ():
        assert source
        problems = [*citation_problems(command.citations, library.references)]
        if not command.citations:
            problems = [(f"{command.source!r} is no citation", 'write "[@key, p. 4]"')]
        for message, hint in problems:
            yield source.finding(command.offset, RULE.code, f"{command.command}: {message}", hint)
