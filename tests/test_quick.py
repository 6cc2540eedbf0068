"""What the engine does by a shorter way comes out as by the long one."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock
from xml.etree.ElementTree import Element

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown import treeprocessors
from pygments.lexers import get_lexer_by_name
from selectolax.lexbor import LexborHTMLParser

from perfnotes.build import raw_blocks
from perfnotes.build.block_queue import BlockQueue
from perfnotes.build.configuration import configuration
from perfnotes.build.highlight import quick
from perfnotes.build.inline import InlineProcessor
from perfnotes.build.markdown import MarkdownEngine
from perfnotes.site import safety
from perfnotes.site.safety import ATTRIBUTES, ELEMENTS, judge
from tests.engine_of import engine_of
from tests.example_notes import read_site, stage_without_index, write_notes
from tests.examples import examples
from tests.project import ROOT
from tests.test_engine import FOREIGN

CODE = {
    "python": ["tools/perfnotes/build/process_pool.py", "tools/perfnotes/source/read/labs.py"],
    "javascript": ["tools/perfnotes/site/theme/scripts/page/site.js"],
    "css": ["tools/perfnotes/site/theme/styles/site.css"],
    "html+jinja": ["tools/perfnotes/site/theme/main.html"],
    "yaml": ["mkdocs.yml"],
    "toml": ["pyproject.toml"],
    "make": ["Makefile"],
    "bash": ["tools/setup/venv.sh", "tools/setup/labs.sh"],
    "markdown": ["docs/building.md"],
    "json": ["tools/perfnotes/source/schemas/note.json"],
}


@cache
def python_markdown() -> markdown.Markdown:
    config = configuration()
    return markdown.Markdown(
        extensions=config["markdown_extensions"], extension_configs=config["mdx_configs"]
    )


def by_the_long_way(text: str) -> tuple[str, Any]:
    converter = python_markdown()
    converter.reset()
    return converter.convert(text), getattr(converter, "toc_tokens", [])


def assert_same(text: str) -> None:
    html = engine_of().convert(text)
    assert (html.content, html.toc) == by_the_long_way(text)


def test_extensions_are_loaded_without_the_metadata_of_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    metadata = mock.Mock(return_value=[])
    monkeypatch.setattr("markdown.util.get_installed_extensions", metadata)
    known = MarkdownEngine(["toc", "pymdownx.tilde"], {"toc": {"baselevel": 3}})
    assert "<h3" in known.convert("# A ~~word~~\n").content
    metadata.assert_not_called()
    MarkdownEngine(["markdown.extensions.toc:TocExtension"], {})
    metadata.assert_called()  # a name of any other form is left to Python-Markdown


def test_pages_of_every_kind_are_the_same(tmp_path: Path) -> None:
    for data in stage_without_index(read_site(write_notes(tmp_path, {}))).files.values():
        if data.startswith(b"---\n"):
            assert_same(data.decode().split("\n---\n", 1)[1])


@pytest.mark.parametrize("name", [n for n in FOREIGN if n.endswith(".md")])
def test_what_is_found_in_the_wild_is_the_same(name: str) -> None:
    given = FOREIGN[name]
    assert_same(given if isinstance(given, str) else given.decode())


MARKS = """
word 字 * ** _ __ ` `` ~ ~~ \\ \\* [ ] ( ) ![ [^1] [^1]: ]( http://a.b <http://a.b> <a@b.c>
<b> </b> <div> </div> <math><mi>x</mi></math> <!-- --> & &amp; &#42; {#id} {.c} # ## - 1.
| | --- > === ''' !!! ??? ``` ```python ~~~ $x$ https://x.y
""".split()
SPACES = (" ", "  \n", "\n", "\n\n", "\n    ", "\t")
MARKUP = st.lists(st.sampled_from([*MARKS, *SPACES]), max_size=30).map("".join)


@given(MARKUP)
@examples(50)
def test_any_markup_is_the_same(text: str) -> None:
    assert_same(text)


PIECES = """
<div> </div> <div class="a"> <p> </p> <b> </b> <a href="x">y</a> <br> <hr> <br/> <svg> </svg>
<table><tr><td>1</td></tr></table> <title>t</title> <pre> </pre> <script> </script> <!-- --> <!a>
<? ?> < > & &amp; &amp &#42 &#42; &#x2a &#x2a; " ' ` ```x word **b** markdown="1" <T> </T> <5
<div\\x20markdown="1"> <details><summary>s</summary> </details> <a\\x20b <int,\\x20int> <a/b.h>
<p::q> <p,> <div/c> <A=b&c> <a\\nb> <math> </math> <hr/\\x20> <p\\x20c=d>
<div\\x20data-a='{"b":1}'> <i\\x20c='>'>
""".split()
BLOCK = st.lists(st.sampled_from([*PIECES, " ", "\n"]), max_size=6).map("".join)
CLOSED = st.sampled_from(("div", "p", "table", "ul", "b", "svg")).flatmap(
    lambda name: BLOCK.map(lambda inside: f"<{name}>{inside}</{name}>")
)


@given(
    st.lists(st.one_of(BLOCK, CLOSED, CLOSED), max_size=6),
    st.sampled_from(["\n\n", "\n", "\n\n\n"]),
)
@examples(400)
def test_raw_html_is_the_same(blocks: list[str], between: str) -> None:
    text = between.join(["a", *blocks, "b"])
    assert_same(text.replace("\\x20", " ").replace("\\n", "\n"))


@pytest.mark.parametrize("text", [
    "a `b<int, int>` and `#include <c/d.h>` <math>e</math> &amp; f",
    "<int, - \n\n<p>a</p>\n\n> <div>", "<a <b> c> d", "<hr> <int,\n<hr/> a c=d> \n\n<A=b&c> </div>",
    "<math>a</math> b &amp; c", "a <div b='c'> &amp; d", "<div b='c'>d</div>",
])  # fmt: skip
def test_tags_in_lines_of_text_are_the_same(text: str) -> None:
    assert_same(f"a\n\n<div>b</div>\n\n{text}\n\n<p data-a='{{}}'>c</p>\n\nd")


def test_a_template_in_code_keeps_the_quick_way() -> None:
    whole = "_read_whole"
    with mock.patch.object(raw_blocks.QuickRawBlocks, whole, autospec=True) as read:
        engine_of().convert("a\n\n<div b='c'>d</div>\n\n`e<int, int>` <math>f</math> &amp; g\n\nh")
    read.assert_not_called()


def test_a_line_of_elements_is_searched_once_for_what_is_kept() -> None:
    """To search the rest of the line after each of 7,000 formulas took ten seconds."""
    line = "<math>d</math> c " * 500
    for text in (f"a\n\n<div>b</div>\n\n{line}", f"a\n\n<div>b</div>\n\n{line}&amp; c\n\nd"):
        expression = mock.Mock(wraps=raw_blocks._KEPT)
        with mock.patch.object(raw_blocks, "_KEPT", expression):
            assert engine_of().convert(text).content.count("<math>") == 500
        assert expression.search.call_count == 1
        assert_same(text)


FORMULA = '<math display="inline"><mi>a</mi><mo stretchy="false">&#42;</mo><mn>1</mn></math>'


@pytest.mark.parametrize("around", [
    "{}", " {}", "a {}", "{} a", "**a {} b**", "- {}\n- a {}", "# a {}\n\n## {} b", "[a {}](b)",
    "![a {}](b.svg)", "| a | {} |\n|---|---|\n| {} | b |", "a <span>{}</span>", "> a {}", "`{}` {}",
    "a {}{}&amp;{}", "a[^1] {}\n\n[^1]: {} b", "a\\* {} *b*", "a {}{{: .b}}", "<span>{}</span>",
    "a <math> {}", "a <math {}>", "a {}\n{}", "<b>{}</b>", "a\n: {} b", '<b title="{}">a</b>',
])  # fmt: skip
@pytest.mark.parametrize("formula", [
    FORMULA, "<math><mi>a</mi>", "<math><mi>*a*</mi></math>", "<math><b>a</b></math>",
    "<math><mi>&lt;</mi></math>", "<math><mtext>`a` [b](c) ~~d~~</mtext></math>", "<math></math>",
])  # fmt: skip
def test_formulas_are_the_same(around: str, formula: str) -> None:
    assert_same(around.replace("{}", formula))


@pytest.mark.parametrize("piece", ["<b>a</b> ", "&lt; ", r"\# ", r"\# <b c='\#'>&#42;\d</b> "])
def test_what_is_set_aside_does_not_copy_its_paragraph(piece: str) -> None:
    """A copy for each of the 120,000 tags of 1,500 formulas took a minute."""
    name = "_InlineProcessor__applyPattern"
    with mock.patch.object(InlineProcessor, name, autospec=True) as applied:
        applied.side_effect = getattr(treeprocessors.InlineProcessor, name)
        engine_of().convert(f"x {piece * 300}")
    assert applied.call_count < 20
    assert_same(f"x {piece * 30}")


def test_a_formula_is_set_aside_in_one_piece() -> None:
    name = "_InlineProcessor__stashNode"
    with mock.patch.object(InlineProcessor, name, autospec=True) as stashed:
        stashed.side_effect = getattr(treeprocessors.InlineProcessor, name)
        engine_of().convert(f"a {FORMULA} b {FORMULA}")
    assert stashed.call_count == 2


@pytest.mark.parametrize("options", ["", ' title="T"', ' hl_lines="1"', ' linenums="3"', " #id .c"])
def test_fences_are_the_same_with_any_option(options: str) -> None:
    for language in ("python", "", "nosuch", "c", "console"):
        head = f"{{.{language} {options}}}" if "#" in options else f"{language}{options}"
        assert_same(f"```{head}\n\nx = 1  # <b>&\n\n    y\n\n```\n")


FENCES = st.sampled_from(
    [
        "```",
        "~~~",
        "```c",
        "````",
        "> ```",
        "    ```",
        "\t```",
        ">\ta",
        "- a",
        "  b",
        "> c",
        "\td",
        "",
    ]
)


@given(st.lists(FENCES, max_size=14).map("\n".join))
@examples(50)
def test_fences_between_other_lines_are_the_same(text: str) -> None:
    assert_same(text)


def test_lines_without_a_fence_are_not_searched_for_one() -> None:
    """The extension read the indentation of each line, sign by sign, twice."""
    engine = engine_of()
    for name in ("fenced_code_block", "fenced_raw_block"):
        fences = engine._converter.preprocessors[name]
        with mock.patch.object(fences, "parse_whitespace", wraps=fences.parse_whitespace) as lead:
            fences.run(["\ta"] * 1000)
            assert lead.call_count == 0
            found = fences.run([*["\ta"] * 1000, "```", "b", "```", *["\ta"] * 1000])
        assert len(found) == 2001
        assert lead.call_count <= 3


def test_blocks_are_taken_from_a_queue() -> None:
    """From a list each is taken by moving all others: of 80,000 a quarter of the time."""
    parser = engine_of()._converter.parser
    with mock.patch.object(parser.blockprocessors["paragraph"], "run", autospec=True) as run:
        run.side_effect = lambda _, blocks: blocks.pop(0) and None
        parser.parseChunk(Element("div"), "a\n\nb\n\nc")
    assert [type(call.args[1]) for call in run.call_args_list] == [BlockQueue] * 3


# Lexers whose rules are made in their own way, or are hard to join.
ODD = ("csharp", "irc", "nemerle", "inform7", "bash", "c++", "rst", "perl", "ruby", "lua", "rust")


@pytest.mark.parametrize("language", sorted({*CODE, *ODD}))
def test_lexers_give_the_same_tokens(language: str) -> None:
    kind = type(get_lexer_by_name(language))
    for name in CODE.get(language, ["tools/perfnotes/site/safety.py", "docs/building.md"]):
        text = (ROOT / name).read_text("utf-8")
        for sample in (text, text[1000:3000], text[::-1][:3000]):
            same = list(kind().get_tokens_unprocessed(sample))
            assert list(quick(kind)().get_tokens_unprocessed(sample)) == same


TAGS = """
a < > " ' = / <p> </p> <div <b> <span id= class= "__x" "md-x" onclick= <a href= javascript:x
http://x <svg> </svg> <title> <desc> <math> <mtext> <style> </style> <script> </script>
<!-- --> <template> &lt; &quot; &#x22; <table> <td <tr> style= <plaintext> <noscript> <textarea>
<select> <img src=x <br/> <iframe srcdoc= <xmp> <body <html x"y xlink:href=x <![CDATA[ ]]> <?x </ é
""".split()
HTML = st.lists(st.sampled_from([*TAGS, " ", "\n", "\x00"]), max_size=12).map("".join)


@given(HTML)
@examples(400)
def test_what_is_judged_safe_holds_what_is_listed_and_nothing_else(html: str) -> None:
    if judge(html):
        return
    root = LexborHTMLParser(html).root
    for node in root.traverse(include_text=False) if root else ():
        tag = node.tag or ""
        if tag[:1].isalpha() and tag not in ("title", "desc"):
            assert tag in ELEMENTS
            assert set(node.attributes) <= ATTRIBUTES[tag]
            assert not any("javascript:" in (v or "") for v in node.attributes.values())


@given(HTML)
@examples(400)
def test_what_is_judged_by_its_tags_is_judged_alike_by_its_tree(html: str) -> None:
    with mock.patch.object(safety, "_plainly_safe", return_value=False):
        by_tree = judge(html)
    assert judge(html) == by_tree


WORD = st.sampled_from([" ", "   ", "a", "{", "}", "{:", "#a", ".b", "c=d", "`e`", "\\{"])


@given(st.lists(WORD, max_size=10).map("".join))
@examples(40)
def test_attributes_of_headings_are_the_same(words: str) -> None:
    assert_same(f"# a{words}\n\n## {words}\n")


def test_a_heading_with_a_long_run_of_blanks_is_searched_once() -> None:
    assert engine_of().convert(f"# a{' ' * 300_000}{{b\n").toc
    assert engine_of().convert(f"# a{' ' * 300_000}b}}\n").toc


ITEM = st.sampled_from(["a", "- b", "1. c", "    - d", "    e", "  f", "* g", "12) h", "-", ""])


@given(st.lists(ITEM, min_size=1, max_size=12), st.sampled_from(["- x", "1. x", "* x"]))
@examples(25)
def test_long_items_are_the_same(lines: list[str], first: str) -> None:
    many = "\n".join(["a b"] * 1000)
    assert_same("\n".join([first, *lines, many, *lines, first, many, *lines]))


def test_an_item_is_not_copied_for_each_of_its_lines() -> None:
    """The engine is given an item of any number of lines as its first line and one more."""
    engine = engine_of()
    items = engine._converter.parser.blockprocessors["ulist"].get_items
    assert items.joined("- a\n" + "b\n" * 5000 + "- c\nd").count("\n") == 3
