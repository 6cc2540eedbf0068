"""Fuzzes the Markdown scanner: no traceback, no hang, tokens at their places, no word lost."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from perfnotes.graph.graph import Graph, link
from perfnotes.site.render.body import BodyRenderer
from perfnotes.site.render.edits import MARKDOWN, STAGED, Edits
from perfnotes.source.read.folder import read_library
from perfnotes.text.inline import scan
from perfnotes.text.source import decode
from perfnotes.text.tokens import MarkdownDocument
from tests.example_notes import NOTES, write_notes
from tests.fuzz._loop import ROOT, main, texts

TOKENS = (
    "[", "]", "(", ")", "[[", "]]", "[[rows", "|", "#size", "[a](", "](rows.md)", "![", "<", ">",
    "<https://a.example>", "https://a.example/b", "<a href='", "<!--", "-->", "`", "``", "```c\n",
    "~~~\n", "\n", "\n\n", "    ", "\t", "- ", "1. ", "> ", "# ", "## h {#id}\n", "{", "}",
    "{.a #b}",
    "[^1]", "[^1]: x\n", "[a]: b.md\n", "[@drepper2007memory]", "@drepper2007memory", "[-@x2020y; ",
    "$", "$$", "$x$", "|a|b|\n|-|-|\n", "\\", "\\[", "*", "**", "_", "lab:misses", "fact:chip/rate",
    "[16×](lab:misses)", "javascript:", "&lt;", "&#106;", "word", "缓存", "\U0001f600", "\u2028",
    "\x85", "%20", "../", "//", "==", "---\n", "***\n", "\r", "[" * 40, "(" * 40, "> " * 20,
    "- " * 20, "*" * 40, "`" * 9, "[[a" * 20, "![a](" * 10, "](b" * 10,
)  # fmt: skip


def holds(text: str) -> None:
    """Check the property for the scanner alone, and for an example note with this text."""
    source, _ = decode(text.encode("utf-8", "surrogatepass"), "notes/caches/rows.md")
    if source is None:
        return
    document = scan(source.text)
    _in_place(document)
    edits = Edits()
    for edit in (*document.blocks.edits, *document.edits):
        assert 0 <= edit.start <= edit.end <= len(source.text)
        edits.add(edit.start, edit.end, edit.new, None)
    assert edits.apply(source.text, 0, MARKDOWN) == source.text
    # What follows the language in a fence's first line is left out, since no reader sees it.
    unseen = sum(
        source.text.count("word", f.info_start, f.info_end) for f in document.blocks.fences
    )
    assert edits.apply(source.text, 0, STAGED).count("word") >= source.text.count("word") - unseen
    _rendered(source.text)


def _in_place(document: MarkdownDocument) -> None:
    text = document.text
    for each in document.links:
        assert 0 <= each.start <= each.label_start <= each.label_end <= len(text)
        assert each.start < each.end <= len(text)
        if each.kind in ("inline", "image"):
            assert text[each.dest_start : each.dest_end] == each.dest
    for wiki in document.wikis:
        assert wiki.target in text[wiki.start : wiki.end]
    for citation in document.citations:
        for item in citation.items:
            assert text.startswith(item.key, item.key_start)
    for a, b in document.code:
        assert 0 <= a <= b <= len(text)


@cache
def _folder() -> Path:
    return write_notes(Path(tempfile.mkdtemp(prefix="perfnotes-fuzz-")))


def graph_of(text: str) -> Graph:
    """Return the graph of the example notes with this text in one of them."""
    file = _folder() / "notes" / "caches" / "rows.md"
    front = NOTES["caches/rows.md"].partition("---\n\n")[0]
    file.write_bytes(f"{front}---\n\n{text}\n".encode())
    return link(read_library(_folder() / "notes", "notes"))


def _rendered(text: str) -> None:
    graph = graph_of(text)
    for each in graph.findings:
        assert each.line >= 1
        assert each.column >= 1
    links = graph.links.get("notes/caches/rows.md")
    if links is not None:
        rendered = BodyRenderer(graph, "en").render(links, "caches/rows/")
        assert rendered.staged.endswith("\n")


if __name__ == "__main__":
    seeds = [f.read_text("utf-8") for f in sorted((ROOT / "notes").glob("*/**/*.md"))]
    main(
        holds,
        texts(TOKENS, [s[i : i + 1500] for s in seeds for i in (700, 4000)]),
        "markdown_links",
    )
