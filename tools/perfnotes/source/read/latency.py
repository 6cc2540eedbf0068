"""Reads ``notes/latency.yml``: the rows of the latency numbers."""

from __future__ import annotations

from pathlib import Path

from perfnotes.model.bilingual import bilingual
from perfnotes.model.latency import Latency, LatencyRow
from perfnotes.source import yamlfile
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source


def read_latency(file: Path, shown: str) -> tuple[Latency, Source | None, list[Finding]]:
    """Return the table, its source and findings. The table is empty if there is no such file."""
    if not file.is_file():
        return Latency(), None, []
    document, source, findings = yamlfile.read_valid(file, shown, "latency", "PN203")
    if document is None or source is None:
        return Latency(), source, findings
    groups = {id: bilingual(name) for id, name in document.value["groups"].items()}
    rows = []
    for i, row in enumerate(document.value["rows"]):
        if row["group"] not in groups:
            guess = nearest(row["group"], groups)
            hint = f"did you mean {guess}?" if guess else "add it to the groups"
            at = document.place(("rows", i, "group"))
            message = f"no group is called {row['group']!r}"
            findings.append(source.finding(at, "PN203", message, hint))
            continue
        at = document.place(("rows", i, "address"))
        rows.append(LatencyRow(bilingual(row["label"]), row["address"], row["group"], at))
    return Latency(groups, tuple(rows)), source, findings
