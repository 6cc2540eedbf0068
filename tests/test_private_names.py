"""Names of other packages that are not promised to stay, and that perfnotes leans on.

Each test fails when an upgrade moves or reshapes such a name. docs/dependencies.md lists them.
"""

from __future__ import annotations

import inspect

import markdown
from markdown.treeprocessors import InlineProcessor
from pybtex.database.input.bibtex import LowLevelParser
from pygments.lexers import CLexer
from pymdownx.highlight import Highlight


def test_python_markdown_handles_inline_text_in_two_private_methods() -> None:
    found = inspect.signature(InlineProcessor._InlineProcessor__handleInline)
    assert list(found.parameters) == ["self", "data", "patternIndex"]
    found = inspect.signature(InlineProcessor._InlineProcessor__applyPattern)
    assert list(found.parameters) == ["self", "pattern", "data", "patternIndex", "startIndex"]
    converter = markdown.Markdown()
    assert all(hasattr(pattern, "pattern") for pattern in converter.inlinePatterns)


def test_python_markdown_numbers_the_raw_html_that_it_sets_aside() -> None:
    converter = markdown.Markdown(extensions=["md_in_html"])
    stash = converter.htmlStash
    assert converter.preprocessors["html_block"].run(["<p>a</p>"])
    assert (stash.html_counter, len(stash.rawHtmlBlocks)) == (1, 1)
    assert stash.store("<p>b</p>") == markdown.util.HTML_PLACEHOLDER % "1"


def test_pygments_keeps_the_rules_of_a_lexer_by_state() -> None:
    CLexer()
    match, token, state = CLexer._tokens["root"][0]
    assert callable(match)
    assert token is not None
    assert state is None or isinstance(state, (str, tuple, int))


def test_superfences_asks_its_highlighter_for_html() -> None:
    converter = markdown.Markdown(extensions=["pymdownx.highlight", "pymdownx.superfences"])
    fences = converter.preprocessors["fenced_code_block"]
    fences.get_hl_settings()
    assert fences.highlighter is Highlight
    assert list(inspect.signature(Highlight.get_lexer).parameters) == [
        "self", "src", "language", "inline", "stripnl",
    ]  # fmt: skip
    assert list(inspect.signature(Highlight.highlight).parameters)[:4] == [
        "self", "src", "language", "css_class",
    ]  # fmt: skip
    made = Highlight(None)
    for name in ("linenums", "auto_title", "pygments_lang_class", "default_lang", "stripnl",
                 "pygments_style", "noclasses", "language_prefix", "guess_lang",
                 "extend_pygments_lang"):  # fmt: skip
        assert hasattr(made, name), name


def test_superfences_puts_fences_back_from_a_stack() -> None:
    converter = markdown.Markdown(
        extensions=["pymdownx.superfences"],
        extension_configs={"pymdownx.superfences": {"preserve_tabs": True}},
    )
    for name in ("fenced_code_block", "fenced_raw_block"):
        fences = converter.preprocessors[name]
        assert fences.run(["a"]) == fences.search_nested(["a"]) == ["a"]
        assert fences.parse_whitespace("> \ta") == fences.normalize_ws("> \t") == ">   "
        assert (fences.ws_len, fences.ws_virtual_len) == (3, 4)
        fences.stack = [("b" * 9, 1, 3)]
        assert [len(line) for line in fences.reassemble(["a"] * 4)] == [1, 9, 1]


def test_the_low_level_parser_of_pybtex() -> None:
    parser = LowLevelParser("", macros={})
    for name in ("LBRACE", "RBRACE", "QUOTE", "AT"):
        assert hasattr(parser, name), name
    for name in ("skip_to", "parse_field", "substitute_macro", "eat_whitespace", "update_lineno"):
        assert callable(getattr(parser, name)), name
    assert (parser.pos, parser.text) == (0, "")
