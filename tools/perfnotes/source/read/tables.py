"""Reads the tables beside the notes: topics, tags and glossary, each a YAML list of entries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from perfnotes.model.tag import Tag, tag_from
from perfnotes.model.term import Term, term_from
from perfnotes.model.topic import Topic, topic_from
from perfnotes.source import yamlfile
from perfnotes.text.findings import Finding
from perfnotes.text.source import Source, read_source

T = TypeVar("T")
Make = Callable[[dict[str, Any], "YamlPlaces"], T]


class YamlPlaces:
    """The places of one entry of a table: called with a path, returns the offset of its value."""

    def __init__(self, document: yamlfile.YamlDocument, index: int) -> None:
        self._document, self._index = document, index

    def __call__(self, *path: object) -> int:
        return self._document.place((self._index, *path))


def topics(file: Path, shown: str) -> tuple[dict[str, Topic], Source | None, list[Finding]]:
    """Read ``topics.yml``; return the topics by id in the file's order, its source and findings."""
    return _table(file, shown, "topics", lambda e, at: topic_from(e, at("id")))


def tags(file: Path, shown: str) -> tuple[dict[str, Tag], Source | None, list[Finding]]:
    """Read ``tags.yml``; return the tags by id in the file's order, its source and findings."""
    return _table(file, shown, "tags", lambda e, at: tag_from(e, at("id")))


def terms(file: Path, shown: str) -> tuple[dict[str, Term], Source | None, list[Finding]]:
    """Read ``glossary.yml``; return the terms by id in its order, its source and findings."""
    return _table(file, shown, "glossary", lambda e, at: term_from(e, at("id"), at("note")))


def _table(
    file: Path, shown: str, schema: str, make: Make[T]
) -> tuple[dict[str, T], Source | None, list[Finding]]:
    if not file.exists():
        return {}, None, []
    source, findings = read_source(file, shown)
    if source is None:
        return {}, None, findings
    document, more = yamlfile.load(source)
    if document is None:
        return {}, source, findings + more
    if document.value is None:
        return {}, source, findings
    findings = findings + yamlfile.validate(source, document, schema, "PN203")
    has_errors = bool(findings)
    entries: dict[str, T] = {}
    lines: dict[str, int] = {}
    for i, entry in enumerate(document.value if isinstance(document.value, list) else []):
        at = YamlPlaces(document, i)
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
            continue
        offset = at("id")
        line = source.position(offset)[0]
        key = entry["id"].casefold()
        if key in lines:
            message = f"the id {entry['id']!r} appears twice, first in line {lines[key]}"
            findings.append(source.finding(offset, "PN204", message, "keep one of the two"))
            continue
        lines[key] = line
        try:
            entries[entry["id"]] = make(entry, at)
        except (KeyError, TypeError, AttributeError):
            # The schema has reported this entry already; the other entries are still read.
            if not has_errors:
                raise
    return entries, source, findings
