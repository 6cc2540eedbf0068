"""Reads ``<slug>.review.yml``: what somebody read of a text against its sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perfnotes.model.contributor import shown_name
from perfnotes.model.review import (
    CHECKED,
    MENDED,
    UNVERIFIED,
    Reading,
    ReadSentence,
    Review,
    text_path,
)
from perfnotes.source import yamlfile
from perfnotes.text.findings import Finding
from perfnotes.text.sentences import DIGITS
from perfnotes.text.source import Source

CODE = "PN930"
_REACH = 1000  # characters in which the next digest is looked for; a line is far shorter


def read_review(path: Path, shown: str, file: str) -> tuple[Review | None, list[Finding]]:
    """Return the review in ``path``, or None if it has errors, and findings.

    ``file`` is its path below the notes folder, ``shown`` the path that findings name.
    """
    document, source, findings = yamlfile.read_valid(path, shown, "review", CODE, escapes=True)
    if document is None or source is None:
        return None, findings
    readings = []
    for i, entry in enumerate(document.value["readings"]):
        remarks, wrong = _remarks(entry, i, source, document)
        findings += wrong
        at = document.place(("readings", i, "statements"))
        by = shown_name(entry["by"], "")
        if not by:
            where = document.place(("readings", i, "by"))
            hint = "a person's name as git records it, or maintainers"
            findings.append(source.finding(where, CODE, f"{entry['by']!r} is no name", hint))
        readings.append(_reading(entry, by, remarks, source.text, at))
    return Review(text_path(file), source, tuple(readings)), findings


def _remarks(
    entry: dict[str, Any], i: int, source: Source, document: yamlfile.YamlDocument
) -> tuple[dict[str, tuple[str, str]], list[Finding]]:
    """Return (state, remark) by the sentence's digest, and findings about unknown sentences."""
    known = {line[:DIGITS] for line in _lines(entry)}
    remarks: dict[str, tuple[str, str]] = {}
    findings = []
    for state, key in ((MENDED, "what"), (UNVERIFIED, "why")):
        for j, each in enumerate(entry.get(state, ())):
            remarks[each["sentence"]] = (state, each[key])
            if each["sentence"] not in known:
                at = document.place(("readings", i, state, j))
                message = f"{each['sentence']} is not among the statements that were read"
                findings.append(source.finding(at, CODE, message, "add it there, or remove this"))
    return remarks, findings


def _lines(entry: dict[str, Any]) -> list[str]:
    return [line for line in entry["statements"].split("\n") if line]


def _reading(
    entry: dict[str, Any], by: str, remarks: dict[str, tuple[str, str]], text: str, at: int
) -> Reading:
    """Make a reading from its entry; ``at`` is where its statements begin in the file's text."""
    found = {}
    for line in _lines(entry):
        digest, words = line[:DIGITS], line[DIGITS + 1 :]
        at = max(text.find(digest, at, at + _REACH), at)
        state, remark = remarks.get(digest, (CHECKED, ""))
        found[digest] = ReadSentence(digest, words, state, remark, at)
    return Reading(by, entry["kind"], entry["date"], entry["text"], tuple(found.values()))
