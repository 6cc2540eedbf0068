"""Reads ``<slug>.review.yml``: what somebody read of a text against its sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfnotes.model.review import (
    MENDED,
    UNVERIFIED,
    Reading,
    Review,
    read_sentence,
    text_path,
)
from perfnotes.source import yamlfile
from perfnotes.text.findings import Finding
from perfnotes.text.source import read_source

CODE = "PN930"


def read_review(path: Path, shown: str, file: str) -> tuple[Review | None, list[Finding]]:
    """Return the review in ``path``, or None if it has errors, and findings.

    ``file`` is its path below the notes folder, ``shown`` the one that findings name.
    """
    source, findings = read_source(path, shown)
    if source is None:
        return None, findings
    document, more = yamlfile.load(source)
    findings += more
    if document is None:
        return None, findings
    problems = yamlfile.validate(source, document, "review", CODE)
    if problems or not isinstance(document.value, dict):
        return None, findings + problems
    readings = tuple(
        _reading(entry, i, document) for i, entry in enumerate(document.value["readings"])
    )
    return Review(text_path(file), source, readings), findings


def _reading(entry: dict[str, Any], i: int, document: yamlfile.YamlDocument) -> Reading:
    found = []
    for j, each in enumerate(entry["statements"]):
        offset = document.place(("readings", i, "statements", j))
        if isinstance(each, str):
            found.append(read_sentence(each, offset=offset))
        else:
            state = MENDED if MENDED in each else UNVERIFIED
            found.append(read_sentence(each["sentence"], state, each[state], offset))
    return Reading(entry["by"], entry["kind"], entry["date"], entry["text"], tuple(found))
