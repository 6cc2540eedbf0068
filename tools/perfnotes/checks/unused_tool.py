"""PN218: a tool that no note uses."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import TOOLS
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.graph.tools import first_commands, tool_uses
from perfnotes.text.findings import Finding, Severity

RULE = Rule(
    code="PN218",
    severity=Severity.WARNING,
    title="A tool that no note uses",
    why=(
        "`notes/tools.yml` explains the commands that the notes use. The page of a tool leads to "
        "the sections that have its command in a shell block or in a code span. The page of this "
        "tool would lead nowhere."
    ),
    wrong={"tools.yml": TOOLS.format(source="[@drepper2007memory, sec. 7]")},
    right={
        "tools.yml": TOOLS.format(source="[@drepper2007memory, sec. 7]"),
        "caches/rows.md": "A [[lines|line]] holds what `getconf -a` says.\n",
    },
)


def find(site: Site) -> Iterator[Finding]:
    """Tools of ``tools.yml`` whose commands occur in no note."""
    source = site.library.sources.get("tools")
    used = site.derived(tool_uses).keys() | site.derived(first_commands).keys()
    for tool in site.library.tools.by_id.values() if source else ():
        if tool.id not in used:
            assert source
            calls = " or ".join(f"`{' '.join(command)}`" for command in tool.commands)
            message = f"no note has {calls} in a shell block or a code span"
            hint = "show it in a note, write its `commands` as notes do, or remove the entry"
            yield source.finding(tool.offset, RULE.code, message, hint)
