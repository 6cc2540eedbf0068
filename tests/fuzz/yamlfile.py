"""Fuzzes the readers of YAML tables, facts and labs: no traceback, no hang, valid places."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

from perfnotes.model.tag import tag_from
from perfnotes.model.term import term_from
from perfnotes.model.topic import topic_from
from perfnotes.source import yamlfile
from perfnotes.source.read.facts import read_facts
from perfnotes.source.read.labs import make_lab
from perfnotes.text.source import decode
from tests.fuzz._loop import ROOT, main, texts

SCHEMAS = sorted(
    f.name.removesuffix(".json") for f in files("perfnotes").joinpath("source/schemas").iterdir()
)
TOKENS = (
    "- id: ", "id: a\n", "\n", "  ", "\t", "- ", ": ", ":", "{", "}", "[", "]", ",", "'", '"',
    "|\n",
    ">-\n", "&a ", "*a", "!!int ", "!x ", "<<: *a\n", "? ", "#", "en: ", "zh: ", "title: ",
    "name: ",
    "entities:\n", "facts:\n", "value: 1", "unit: GB/s", "formula: a * b", "source: '[@a, sec. 1]'",
    "runs:\n", "claims:\n", "expression: a.b / a.c", "expect: '== 1'", "control: ", "kind: count",
    "tool: json", "command: ", "limits: {memory: 1 GB}", "duration: 1 s", "needs: {", "1e999",
    ".nan", "0o17", "2026-01-31", "1_000", "yes", "~", "9" * 400, "(" * 60, "[" * 60, "{a: " * 60,
    "\u2028", "\x85", "缓存", "\U0001f600", "---\n", "...\n", "%TAG ! x\n", "\\", "x: " * 45,
)  # fmt: skip


def holds(text: str) -> None:
    """Check the property for every schema and every reader of a table."""
    source, _ = decode(text.encode("utf-8", "surrogatepass"), "notes/a.yml")
    if source is None:
        return
    document, findings = yamlfile.load(source)
    if document is not None:
        assert all(0 <= at <= len(source.text) for at in document.places.values())
        for schema in SCHEMAS:
            problems = yamlfile.validate(source, document, schema, "PN203")
            findings += problems
            if schema in MAKERS and not problems and isinstance(document.value, list):
                for entry in document.value:
                    MAKERS[schema](entry)
    lines = source.text.split("\n")
    findings += read_facts({"a": source})[1]
    findings += make_lab(source, "caches/a/lab", {})[1]
    for finding in findings:
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1


MAKERS: dict[str, Callable[[Any], object]] = {
    "topics": lambda entry: topic_from(entry, 0),
    "tags": lambda entry: tag_from(entry, 0),
    "glossary": lambda entry: term_from(entry, 0, 0),
}

if __name__ == "__main__":
    names = ("*.yml", "*/*.yml", "*/*/lab/lab.yml")
    found = sorted(f for name in names for f in (ROOT / "notes").glob(name))
    main(holds, texts(TOKENS, [f.read_text("utf-8")[:4000] for f in found]), "yamlfile")
