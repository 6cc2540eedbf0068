"""Reads ``notes/wanted.yml``: the notes that are wanted."""

from __future__ import annotations

from pathlib import Path

from perfnotes.model.bilingual import bilingual
from perfnotes.model.wanted import Subject, Wanted, outside_from, subject_from
from perfnotes.source import yamlfile
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source


def read_wanted(file: Path, shown: str) -> tuple[Wanted, Source | None, list[Finding]]:
    """Return the table, its source and findings. The table is empty if there is no such file."""
    if not file.is_file():
        return Wanted(), None, []
    document, source, findings = yamlfile.read_valid(file, shown, "wanted", "PN203")
    if document is None or source is None:
        return Wanted(), source, findings
    topics = {id: bilingual(name) for id, name in document.value.get("topics", {}).items()}
    subjects: dict[str, Subject] = {}
    for i, entry in enumerate(document.value["subjects"]):
        at = document.place(("subjects", i, "id"))
        if entry["id"] in subjects:
            message = f"the id {entry['id']!r} appears twice"
            findings.append(source.finding(at, "PN204", message, "keep one of the two"))
        subjects.setdefault(entry["id"], subject_from(entry, at))
    outside = tuple(map(outside_from, document.value.get("outside", ())))
    return Wanted(topics, tuple(subjects.values()), outside), source, findings
