"""The scanner: what stands where in a Markdown text, and the edits that the engine needs.

Code is never touched, what only looks like a link stays text, every offset points at the very
character, and after the edits Python-Markdown gives the structure that CommonMark gives.
"""

from __future__ import annotations

import pytest
from selectolax.lexbor import LexborNode

from perfnotes.site.render.edits import Edits
from perfnotes.text.body import read_body
from perfnotes.text.inline import scan
from perfnotes.text.slug import Slugs, slugify
from perfnotes.text.source import Source
from perfnotes.text.tokens import MarkdownDocument
from tests.engine_of import html, staged

_SHOWN = frozenset("ul ol li blockquote pre table hr h1 h2 h3 h4".split())


def outline(source: str) -> str:
    """The blocks that the engine makes, as ``ul(li li(ul(li)))``; paragraphs are left out."""
    return _outline(html(source))


def _outline(node: LexborNode) -> str:
    parts = []
    for child in node.iter():
        inside = _outline(child)
        if child.tag not in _SHOWN or child.tag in ("pre", "table"):
            parts.append(child.tag if child.tag in ("pre", "table") else inside)
        else:
            parts.append(f"{child.tag}({inside})" if inside else str(child.tag))
    return " ".join(p for p in parts if p)


def code_of(source: str) -> list[str]:
    return [pre.text().strip("\n") for pre in html(source).css("pre")]


def tokens(document: MarkdownDocument) -> list[object]:
    return [
        *document.links, *document.wikis, *document.citations, *document.maths, *document.tags,
        *document.attributes,
    ]  # fmt: skip


LOOKS_LIKE_MARKUP = "[[ -f x ]] [@key] $a$ [l](b.md) <b> {#id} @key ![i](x.png) \\| # h"


@pytest.mark.parametrize(
    "source",
    [
        f"`` {LOOKS_LIKE_MARKUP} ``\n",
        f"```sh\n{LOOKS_LIKE_MARKUP}\n```\n",
        f"~~~\n{LOOKS_LIKE_MARKUP}\n\n{LOOKS_LIKE_MARKUP}\n~~~\n",
        f"    {LOOKS_LIKE_MARKUP}\n\n        {LOOKS_LIKE_MARKUP}\n",
        f"- a\n\n      {LOOKS_LIKE_MARKUP}\n",
        f"- ```\n  {LOOKS_LIKE_MARKUP}\n  ```\n",
        f"> ```\n> {LOOKS_LIKE_MARKUP}\n> ```\n",
        f"> a\n>\n>     {LOOKS_LIKE_MARKUP}\n",
        f"```\n{LOOKS_LIKE_MARKUP}\n",
        f"<pre>\n{LOOKS_LIKE_MARKUP}\n</pre>\n",
        f"<!-- {LOOKS_LIKE_MARKUP}\n\n{LOOKS_LIKE_MARKUP} -->\n",
        f"x <!-- {LOOKS_LIKE_MARKUP} --> y\n",
        f"<kbd>{LOOKS_LIKE_MARKUP}</kbd>\n",
    ],
)
def test_code_is_never_touched(source: str) -> None:
    document = scan(source)
    assert [t for t in tokens(document) if getattr(t, "name", "") not in ("kbd", "/kbd")] == []
    assert LOOKS_LIKE_MARKUP in staged(source)


CODE = "int a[2];\n\n    if (a[0] < 1)  {\n    # no heading\n- no item\n> no quote\n}"


@pytest.mark.parametrize(
    ("before", "margin", "after"),
    [
        ("```c\n", "", "\n```\n"),
        ("text\n~~~~ c\n", "", "\n~~~~\ntext\n"),
        ("- item\n  ```\n", "  ", "\n  ```\n- item\n"),
        ("- item\n\n  ```\n", "  ", "\n  ```\n  text\n- item\n"),
        ("- ```\n", "  ", "\n  ```\n- item\n"),
        ("1. a\n   - b\n     ```\n", "     ", "\n     ```\n"),
        ("- item\n\n   ```\n", "   ", "\n   ```\n"),
        ("   ```\n", "   ", "\n   ```\n"),
        ("> ```\n", "> ", "\n> ```\n> text\n"),
        (">```\n", "> ", "\n>```\n"),
        ("para\n\n", "    ", "\n\npara\n"),
        ("- item\n\n", "      ", "\n\n- item\n"),
    ],
)
def test_the_text_of_code_reaches_the_page(before: str, margin: str, after: str) -> None:
    lines = (f"{margin}{line}" if line or ">" in margin else "" for line in CODE.split("\n"))
    shown = code_of(before + "\n".join(lines) + after)
    assert shown == [CODE]


@pytest.mark.parametrize("margin", ["", "  ", "   "])
def test_tabs_stay_tabs_in_fences(margin: str) -> None:
    lines = ("```make", "all:", "\techo $@", "\t\tx\ty", "```")
    source = ("- a\n\n" if margin else "") + "".join(f"{margin}{line}\n" for line in lines)
    assert code_of(source) == ["all:\n\techo $@\n\t\tx\ty"]


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("rust,ignore", "rust"),
        ("js {1,3} live", "js"),
        ("{r, echo=FALSE}", "r"),
        ("c++", "c++"),
        ('py title="a b"', "py"),
        ('python showLineNumbers foo="bar"', "python"),
        ("", ""),
    ],
)
def test_any_info_string_makes_a_fence(info: str, language: str) -> None:
    source = f"``` {info}\nx\n```\n"
    assert scan(source).blocks.fences[0].language == language
    assert code_of(source) == ["x"]


def test_a_fence_that_is_never_closed_ends_with_the_text() -> None:
    fence = scan("a\n\n```c\nx\n\ny\n").blocks.fences[0]
    assert not fence.closed
    assert code_of("a\n\n```c\nx\n\ny\n") == ["x\n\ny"]


@pytest.mark.parametrize(
    "text",
    [
        "if [[ -f x ]]; then",
        "[[ -f x && ! -d y ]]",
        "me@host and ssh me@host:dir",
        "costs $5 and $6, or $ 7",
        "$HOME:$PATH and ${HOME} and $a",
        "a < b and c > d, 1<2",
        "f[i](a b) and x[0][1]",
        "* a * b and 2 * 3 * 4",
        "snake_case_name and __init__.py",
        "a {b, c} d {% raw %} {{ x }} ${#a[@]} \\{e}",
        "C:\\dir and \\\\server",
        "#include <stdio.h>",
        "2024. was a year",
        "100% & more &c. <- -> <3",
    ],
)
def test_text_that_looks_like_markup_stays_text(text: str) -> None:
    document = scan(f"x {text} y\n")
    # Whether [[…]] and <…> mean anything is for those to say who know the notes.
    assert not document.links + document.citations + document.maths + document.attributes
    shown = html(f"x {text} y\n").text()
    wanted = text.replace("\\{", "{").replace("\\\\", "\\").replace("__init__.py", "init.py")
    if "<stdio.h>" not in text:
        assert shown.strip() == f"x {wanted} y"


def test_keys_are_only_seen_where_a_citation_may_stand() -> None:
    def keys(text: str) -> list[str]:
        return [item.key for c in scan(text).citations for item in c.items]

    assert keys("as [@goto2008, sec. 4; -@smith2014] and @lamport1994 say.\n") == [
        "goto2008", "smith2014", "lamport1994",
    ]  # fmt: skip
    assert keys("mail me@host or a/@b or x@y.z [me@host]\n") == []
    assert keys("@Override is a token for others to judge\n") == ["Override"]


def test_offsets_point_at_the_right_characters() -> None:
    source = (
        "# Title `c` {#own .x}\n\n"
        'A [l *a*](b.md#x "t") ![p](<q r.png>) [f][ref] <https://e.org/> <m@e.org>\n\n'
        "> - see [[n#h|lab]] and [@k1, p. 2] $x_1$ <b class=y>z</b>\n\n"
        "[ref]: c.md 'T'\n\n$$\nE\n$$\n\n| a |\n|---|\n| `b \\| c` |\n"
    )
    document = scan(source)
    by_kind = {link.kind: link for link in document.links}
    assert source[by_kind["inline"].dest_start : by_kind["inline"].dest_end] == "b.md#x"
    assert source[by_kind["inline"].label_start : by_kind["inline"].label_end] == "l *a*"
    assert source[by_kind["image"].dest_start : by_kind["image"].dest_end] == "q r.png"
    assert source[by_kind["image"].start : by_kind["image"].end] == "![p](<q r.png>)"
    assert source[by_kind["reference"].start : by_kind["reference"].end] == "[f][ref]"
    autos = [source[link.start : link.end] for link in document.links if link.kind == "auto"]
    assert autos == ["<https://e.org/>", "<m@e.org>"]
    (wiki,) = document.wikis
    assert source[wiki.start : wiki.end] == "[[n#h|lab]]"
    (citation,) = document.citations
    assert source[citation.items[0].key_start :].startswith("k1, p. 2]")
    assert [source[m.start : m.end] for m in document.maths] == ["$x_1$", "$$\nE\n$$"]
    assert [source[t.start : t.end] for t in document.tags] == ["<b class=y>", "</b>"]
    (definition,) = document.blocks.definitions
    assert source[definition.dest_start : definition.dest_end] == "c.md"
    assert source[definition.dest_end : definition.end] == " 'T'"
    heading = document.blocks.headings[0]
    assert source[heading.text_start :].startswith("Title `c`")
    assert (heading.text, heading.explicit_id, heading.attributes) == ("Title `c`", "own", ".x")
    assert [source[a:b] for a, b in document.code] == ["`c`", "`b \\| c`"]


# By the reason for the edit: the source, and the outline that CommonMark gives it.
AS_ON_A_CODE_HOST = {
    "a list needs no blank line before it": ("text\n- a\n- b\n", "ul(li li)"),
    "nesting by two columns": ("- a\n  - b\n    - c\n- d\n", "ul(li(ul(li(ul(li)))) li)"),
    "nesting by three columns": ("1. a\n   - b\n2. c\n", "ol(li(ul(li)) li)"),
    "nesting by tabs": ("- a\n\t- b\n\t\t- c\n", "ul(li(ul(li(ul(li)))))"),
    "a list that stands indented": ("text\n  - a\n    - b\n  - c\n", "ul(li(ul(li)) li)"),
    "a parenthesis behind the number": ("1) a\n2) b\n", "ol(li li)"),
    "a second paragraph's lines": ("- a\n\n  b\n  c\n- d\n", "ul(li li)"),
    "a list behind an item's second paragraph": ("- a\n\n  b\n  - c\n- d\n", "ul(li(ul(li)) li)"),
    "an item behind a nested loose list": ("- a\n\n  1. b\n- c\n", "ul(li(ol(li)) li)"),
    "lists of two kinds": ("- a\n- b\n\n1. c\n2. d\n", "ul(li li) ol(li li)"),
    "a year in a paragraph": ("It was in\n2024. That is all.\n", ""),
    "a text that begins behind its marker": ("-\n  a\n- b\n", "ul(li li)"),
    "an empty item": ("- a\n-\n- b\n", "ul(li li li)"),
    "a heading in an item": ("- a\n  ## h\n- b\n", "ul(li(h2) li)"),
    "an indented heading": ("  ## h\n", "h2"),
    "a rule in an item": ("- a\n\n  ***\n- b\n", "ul(li(hr) li)"),
    "a quote in an item": ("- a\n  > b\n  > c\n- d\n", "ul(li(blockquote) li)"),
    "a list in a quote": ("> a\n> - b\n>   - c\n", "blockquote(ul(li(ul(li))))"),
    "a list behind a quote": ("> a\n- b\n", "blockquote ul(li)"),
    "a heading behind a quote": ("> a\n# h\n", "blockquote h1"),
    "a lazy line of a quote": ("> a\nb\n", "blockquote"),
    "a quote in a quote": ("> > a\n> - b\n", "blockquote(blockquote ul(li))"),
    "a table behind a line of text": ("text\n| a | b |\n|---|---|\n| 1 | 2 |\n", "table"),
    "a table in an item": (
        "- a\n\n  | b | c |\n  |---|---|\n  | 1 | 2 |\n- d\n",
        "ul(li(table) li)",
    ),
    "a list behind a table": ("| a | b |\n|---|---|\n| 1 | 2 |\n- c\n", "table ul(li)"),
    "text behind a fence": ("```\na\n```\ntext\n", "pre"),
    "a fence in a paragraph": ("text\n```\na\n```\n", "pre"),
    "an item behind a fence": ("- a\n\n  ```\n  b\n  ```\n- c\n", "ul(li(pre) li)"),
    "text behind an item's fence": ("- a\n  ```\n  b\n  ```\nc\n", "ul(li(pre))"),
    "a comment in an item": ("- a\n\n  <!-- c -->\n  b\n- d\n", "ul(li li)"),
    "a setext heading": ("a\n===\n\nb\n---\n\ntext\n", "h1 h2"),
    "consecutive footnotes": ("x[^1] y[^2]\n\n[^1]: a\n[^2]: b\n", "hr ol(li li)"),
}


@pytest.mark.parametrize("reason", AS_ON_A_CODE_HOST)
def test_the_engine_reads_it_as_a_code_host_does(reason: str) -> None:
    source, wanted = AS_ON_A_CODE_HOST[reason]
    if "===" in source or reason == "an indented heading" or "setext" in reason:
        edits = Edits()
        body = read_body(Source("x", source))
        for edit in (*body.document.blocks.edits, *body.document.edits):
            edits.add(edit.start, edit.end, edit.new, None)
        assert [s.level for s in body.sections] == [int(h[1]) for h in wanted.split()]
        return
    assert outline(source) == wanted


def test_a_list_begins_with_its_own_number() -> None:
    lists = html("1. a\n\ntext\n\n3. b\n4. c\n").css("ol")
    assert [each.attributes.get("start") for each in lists] == [None, "3"]


def test_hard_breaks_and_escapes() -> None:
    assert len(html("a\\\nb  \nc\n").css("br")) == 2
    assert html("a\\\n").text().strip() == "a\\"
    assert html('\\<b> \\$5 \\@me \\"q\\" \\* \\#\n').text().strip() == '<b> $5 @me "q" * #'


def test_a_bar_in_code_in_a_table() -> None:
    cells = html("| a | b |\n|---|---|\n| `x \\| y` | z |\n").css("td")
    assert [cell.text() for cell in cells] == ["x | y", "z"]


def test_braces_are_attributes_only_where_they_are_nothing_else() -> None:
    assert html("*a*{.x} `b`{#i}\n").css_first("em.x") is not None
    assert html("*a*{ x, y } `b`{% raw %}\n").text().strip() == "a{ x, y } b{% raw %}"
    assert [cell.text() for cell in html("| a {1,2} |\n|---|\n| {b} c {d} |\n").css("th,td")] == [
        "a {1,2}", "{b} c {d}",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tex", "around"),
    [
        ("x_1", "a {} b"),
        ("\\{1\\}", "a {}, b"),
        ("a\n+b", "c {} d"),
        ("n", "the {}th"),
        ("x", "设{}为"),
    ],
)
def test_math_between_dollars(tex: str, around: str) -> None:
    (math,) = scan(around.format(f"${tex}$") + "\n").maths
    assert (math.tex, math.display) == (tex, False)


def test_headings_have_the_ids_of_code_hosts() -> None:
    titles = {
        "`if` expressions": "if-expressions",
        "What's new in 2.0?": "whats-new-in-20",
        "A & B -- C": "a--b----c",
        "缓存 与 内存": "缓存-与-内存",
        "*Emphasis* and [a link](b.md)": "emphasis-and-a-link",
    }
    source = "".join(f"## {title}\n\n" for title in titles)
    assert [s.id for s in read_body(Source("x", source)).sections] == list(titles.values())
    slugs = Slugs()
    assert [slugs.claim(slugify(t)) for t in ("A", "a", "A-1", "a")] == ["a", "a-1", "a-1-1", "a-2"]


def test_a_heading_may_have_its_id_in_the_next_line() -> None:
    body = read_body(Source("x", "## 4.4.1 / 2025\n{: #v4-4-1}\n\ntext\n"))
    assert [(s.id, s.title) for s in body.sections] == [("v4-4-1", "4.4.1 / 2025")]
