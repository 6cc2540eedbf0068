"""Reads ``notes/symptoms.yml``: the places where a reader looks, and what to run first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perfnotes.model.symptom import SymptomIndex, first_command_from, place_from
from perfnotes.source import yamlfile
from perfnotes.source.yamlfile import YamlDocument
from perfnotes.text.findings import Finding
from perfnotes.text.nearest import nearest
from perfnotes.text.source import Source


def read_symptoms(file: Path, shown: str) -> tuple[SymptomIndex, Source | None, list[Finding]]:
    """Return the table, its source and findings. The table is empty if there is no such file."""
    if not file.is_file():
        return SymptomIndex(), None, []
    document, source, findings = yamlfile.read_valid(file, shown, "symptoms", "PN203")
    if document is None or source is None:
        return SymptomIndex(), source, findings
    value = document.value
    places = tuple(
        place_from(entry, document.place(("places", i, "id")))
        for i, entry in enumerate(value["places"])
    )
    first = tuple(
        first_command_from(entry, document.place(("first", i, "command")))
        for i, entry in enumerate(value.get("first", ()))
    )
    index = SymptomIndex(places, first)
    findings += _repeated(source, document)
    findings += _unknown_targets(source, document, index)
    return index, source, findings


def _repeated(source: Source, document: YamlDocument) -> Iterator[Finding]:
    """Yield a finding for each id that two places have, or two answers of the same place."""
    seen: set[tuple[str, str]] = set()
    for path, owner, id in _ids(document.value):
        if (owner, id) in seen:
            message = f"the id {id!r} appears twice"
            yield source.finding(document.place(path), "PN204", message, "keep one of the two")
        seen.add((owner, id))


def _ids(value: Any) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
    """Yield the path of each id in the file, the place of its answer (or ""), and the id."""
    for i, place in enumerate(value["places"]):
        yield ("places", i, "id"), "", place["id"]
        for j, question in enumerate(place.get("questions", ())):
            for k, answer in enumerate(question["answers"]):
                path = ("places", i, "questions", j, "answers", k, "id")
                yield path, place["id"], answer["id"]


def _unknown_targets(
    source: Source, document: YamlDocument, index: SymptomIndex
) -> Iterator[Finding]:
    """Yield a finding for each answer that leads to a place or answer that is not there."""
    known = index.addresses
    for i, command in enumerate(index.first):
        for j, reading in enumerate(command.readings):
            if reading.leads not in known:
                guess = nearest(reading.leads, known)
                hint = f"did you mean {guess}?" if guess else "write place, or place/answer"
                message = f"no place or answer is called {reading.leads!r}"
                at = document.place(("first", i, "answers", j, "leads"))
                yield source.finding(at, "PN203", message, hint)
