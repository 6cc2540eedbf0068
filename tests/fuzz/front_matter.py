"""Fuzzes the front matter reader: no traceback, no hang, places inside the text, no text lost."""

from __future__ import annotations

from perfnotes.source.read import frontmatter
from perfnotes.text.source import Source, decode
from tests.fuzz._loop import ROOT, main, texts

TOKENS = (
    "---\n", "---", "+++\n", "...\n", "\n", "  ", "\t", "- ", ": ", ":", "title: ", "tags: ", "[",
    "]", "{", "}", ",", "'", '"', "|\n", ">\n", "&a ", "*a", "!!python/object:os.system ", "<<: ",
    "? ", "#", "aliases: ", "authors: ", "date: 2026-01-31\n", "updated: ", "draft: true\n",
    "order: 1\n", "requires:\n", "waived: {", "chosen: ", "~", "null", "0x1f", "1e999", ".inf",
    "\ufeff", "\u2028", "\x85", "\r\n", "\0", "\x02", "é", "缓存", "\U0001f600", "%YAML 1.2\n",
    "[" * 50, "{a: " * 50, "- " * 50, "2026-02-30", "= 1\n", "a.b.c = 'x'\n", "[[x]]\n",
)  # fmt: skip


def holds(text: str) -> None:
    """Check the property for every schema, and leniently as for notes of other programs."""
    data = text.encode("utf-8", "surrogatepass")
    source, _ = decode(data, "notes/a.md")
    lenient, _ = decode(data, "notes/a.md", lenient=True)
    assert lenient is not None
    for each in (source, lenient):
        for schema in ("note", "translation", "page"):
            if each is not None:
                _read(each, schema, lenient=False)
    _read(lenient, "note", lenient=True)


def _read(source: Source, schema: str, *, lenient: bool) -> None:
    meta, start, findings = frontmatter.read(source, schema, lenient=lenient)
    assert 0 <= start <= len(source.text)
    assert not start or source.text.startswith(("---", "+++"))
    assert all(0 <= at <= len(source.text) for at in meta.places.values())
    lines = source.text.split("\n")
    for finding in findings:
        assert 1 <= finding.line <= len(lines)
        assert 1 <= finding.column <= len(lines[finding.line - 1]) + 1
    closed = any(line.rstrip(" \t") in ("---", "...", "+++") for line in lines[1:])
    assert not closed or start < len(source.text) or source.text[:start] == source.text
    if not source.text.startswith(("---", "+++")):
        assert start == 0  # without front matter the whole file is the note's text


if __name__ == "__main__":
    seeds = [f.read_text("utf-8")[:800] for f in sorted((ROOT / "notes").rglob("*.md"))]
    main(holds, texts(TOKENS, seeds), "front_matter")
