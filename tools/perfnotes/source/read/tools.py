"""Reads ``notes/tools.yml``: what each tool shows and what it cannot see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from perfnotes.model.bilingual import bilingual
from perfnotes.model.tool import Tool, Tools, tool_from
from perfnotes.source import yamlfile
from perfnotes.source.yamlfile import YamlDocument
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source


def read_tools(file: Path, shown: str) -> tuple[Tools, Source | None, list[Finding]]:
    """Return the table, its source and findings. The table is empty if there is no such file."""
    if not file.is_file():
        return Tools(), None, []
    document, source, findings = yamlfile.read_valid(file, shown, "tools", "PN203")
    if document is None or source is None:
        return Tools(), source, findings
    groups = {id: bilingual(name) for id, name in document.value["groups"].items()}
    found: dict[str, Tool] = {}
    for i, entry in enumerate(document.value["tools"]):
        at = document.place(("tools", i, "id"))
        if entry["id"] in found:
            message = f"the id {entry['id']!r} appears twice"
            findings.append(source.finding(at, "PN204", message, "keep one of the two"))
        found.setdefault(entry["id"], tool_from(entry, at))
    findings += _unknown(source, document, groups, found)
    known = {id: tool for id, tool in found.items() if tool.group in groups}
    return Tools(groups, known), source, findings


def _unknown(
    source: Source,
    document: YamlDocument,
    groups: Mapping[str, object],
    tools: Mapping[str, Tool],
) -> Iterator[Finding]:
    """Yield a finding for each group and each tool that an entry names and the file lacks."""
    for i, entry in enumerate(document.value["tools"]):
        if entry["group"] not in groups:
            guess = nearest(entry["group"], groups)
            hint = f"did you mean {guess}?" if guess else "add it to the groups"
            at = document.place(("tools", i, "group"))
            yield source.finding(at, "PN203", f"no group is called {entry['group']!r}", hint)
        for j, id in enumerate(entry.get("see", ())):
            if id not in tools:
                guess = nearest(id, tools)
                hint = f"did you mean {guess}?" if guess else "add it, or take it away here"
                at = document.place(("tools", i, "see", j))
                yield source.finding(at, "PN203", f"no tool has the id {id!r}", hint)
