"""PN219: a tool without the source that says what it shows and what it cannot see."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._citations import citation_problems
from perfnotes.checks._examples import TOOLS
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.model.tool import Tool
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source

_USED = "A [[lines|line]] holds what `getconf -a` says.\n"

RULE = Rule(
    code="PN219",
    severity=Severity.ERROR,
    title="A tool without a source",
    why=(
        "Readers choose a tool by what its page says that it can and cannot see. So each entry of "
        "`notes/tools.yml` names where that is documented: `source`, a citation with the place in "
        "the work, or `section`, the section of a note that shows it."
    ),
    wrong={"tools.yml": TOOLS.format(source="[@drepper2007memory]"), "caches/rows.md": _USED},
    right={
        "tools.yml": TOOLS.format(source="[@drepper2007memory, sec. 7]"),
        "caches/rows.md": _USED,
    },
)


def find(site: Site) -> Iterator[Finding]:
    """Tools without a source, and those whose source is unknown or names no place in the work."""
    source = site.library.sources.get("tools")
    for tool in site.library.tools.by_id.values() if source else ():
        assert source
        if not tool.citations and not tool.section:
            message = f"{tool.name}: no source"
            hint = 'write source: "[@key, p. 4]", or section: topic/slug#heading'
            yield source.finding(tool.offset, RULE.code, message, hint)
        for message, hint in citation_problems(tool.citations, site.library.references):
            yield source.finding(tool.offset, RULE.code, f"{tool.name}: {message}", hint)
        yield from _section(site, source, tool)


def _section(site: Site, source: Source, tool: Tool) -> Iterator[Finding]:
    id, _, anchor = tool.section.partition("#")
    if not id:
        return
    note = site.library.notes.get(id)
    if note is None:
        guess = nearest(id, site.library.notes)
        hint = f"did you mean {guess}?" if guess else "write topic/slug#heading"
        message = f"{tool.name}: no note has the id {id!r}"
        yield source.finding(tool.offset, RULE.code, message, hint)
    elif anchor not in note.body.anchors:
        guess = nearest(anchor, note.body.anchors)
        hint = f"did you mean #{guess}?" if guess else "name one of its headings"
        message = f"{tool.name}: {id} has no heading {anchor!r}"
        yield source.finding(tool.offset, RULE.code, message, hint)
