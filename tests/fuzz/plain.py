"""Fuzzes ``is_plain``: a text whose HTML is not judged because it is plain has safe HTML."""

from __future__ import annotations

from perfnotes.build.plain import is_plain
from perfnotes.site.render.body import BodyRenderer
from perfnotes.site.safety import judge
from perfnotes.text.body import read_body
from perfnotes.text.source import decode
from tests.engine_of import engine_of
from tests.fuzz._loop import ROOT, main, texts
from tests.fuzz.markdown_links import graph_of

TOKENS = (
    "word ", "word\n", "\n\n", "\n", "# ", "## ", "- ", "  - ", "1. ", "> ", ">> ", "    ",
    "| a | b |\n", "|---|:-:|\n", "*", "**", "_", "~~", "`", "``", "`a` ", "\n\n```c\n",
    "\n```\n\n", "\n\n~~~\n",
    "\n~~~\n\n", "```", "~~~", "<b onclick=x>", "<script>", "{.md-x}", "{#__x}",
    "[a](javascript:b)",
    "![a](https://a.example)", "[a](b.md)", "[a](https://a.example/b?c=d#e)", "[a]( b )",
    "[[rows]]",
    "[[lines|a b]]", "[a][b]", "[a]", "]", "[", "(", ")", "$x_1$", "$\\frac{a}{b}$", "$$\nx\n$$",
    "$",
    "a: b", "http://", "javascript:", "data:x", "//a.example", "!!! md-x\n", "??? x\n", "=== x\n",
    "---\n", "===\n", "***\n", "\t", "\u2028", "\x0b", "\x0c", "\x85", "缓存", "&amp;", "& ",
    "&#106;",
    "@drepper2007memory", "[@drepper2007memory]", "^", "+", "=", "%", "\\", "* " * 9, "    - " * 4,
    "klzzwxh:0001", "wzxhzdk:0", "[ ] ", "[x] ", ": ", "a\n: b\n", "cache line",
)  # fmt: skip


def holds(text: str) -> None:
    """Check the property for an example note with this text."""
    source, _ = decode(text.encode("utf-8", "surrogatepass"), "notes/caches/rows.md")
    if source is None or not is_plain(read_body(source)):
        return
    graph = graph_of(source.text)
    links = graph.links["notes/caches/rows.md"]
    for mark in (True, False):
        staged = BodyRenderer(graph, "en").render(links, "caches/rows/", mark=mark).staged
        assert judge(engine_of().convert(staged).content) == []


if __name__ == "__main__":
    seeds = [f.read_text("utf-8") for f in sorted((ROOT / "notes").glob("*/**/*.md"))]
    main(holds, texts(TOKENS, [s[i : i + 900] for s in seeds for i in (900, 3000)]), "plain")
