"""Texts that a regular expression with two ways to read them would look at without end.

Each took minutes or more before: the time grew with the square of the length, or doubled with each
letter. ``python -m benchmarks.hostile.patterns`` looks for such expressions.
"""

from __future__ import annotations

import pytest

from perfnotes.contribute.imports.formats import _wiki, dokuwiki, html, mediawiki
from perfnotes.model.calculator import script_can_read
from perfnotes.model.contributor import name_and_address
from perfnotes.model.note import without_mail_addresses
from perfnotes.model.quantity import expectation
from perfnotes.model.quantity.expression import ExpressionError
from perfnotes.site.render.foreign import _LIST_ITEM
from perfnotes.source.yamlfile import _NO_VALUE
from perfnotes.text.inline import scan

MANY = 100_000


def test_a_formula_with_a_long_name_and_a_number_that_no_script_reads() -> None:
    assert not script_can_read(f"{'name_of_an_input' * 4} * 0x10")
    assert not script_can_read(f"1{' ' * 60}%")
    assert script_can_read("max(a_1, 2.5e-3) * (b - .5) / 10.")


def test_a_file_that_begins_with_comments_and_is_no_page() -> None:
    assert not html.likely(f"{'<!-- a -->' * 60}x")
    assert html.likely(f"<?xml version='1.0'?>\n{'<!-- a -->' * 60}<HTML>")


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("[@" * MANY, ("[@" * MANY,)),
        ("<" + "@" * MANY, ("<" + "@" * MANY,)),
        ("a" + " " * MANY + "(", ("a (",)),
        ("Ada  Lovelace <ada@mail.example>", ("Ada Lovelace",)),
        ("Ada (ada@mail.example) Lovelace", ("Ada Lovelace",)),
        ("ada@mail.example", ()),
        ("@ada <at home>", ("@ada <at home>",)),
    ],
)
def test_addresses_are_taken_from_names(author: str, names: tuple[str, ...]) -> None:
    assert without_mail_addresses((author,)) == names


def test_a_contact_of_blanks() -> None:
    assert name_and_address(" " * MANY) == ("", "")
    assert name_and_address(f"  Ada {' ' * MANY} <a@b.example> ") == ("Ada", "a@b.example")


def test_an_expectation_of_blanks() -> None:
    assert expectation.parse("> 4\n  and  < 5").text == "> 4\n  and  < 5"
    with pytest.raises(ExpressionError):
        expectation.parse(f"a{' ' * MANY}b")


def test_attributes_of_one_letter() -> None:
    assert not any(sign or key for sign, _, key, _ in _LIST_ITEM.findall("a" * MANY))
    found = [
        (sign or key, name or value) for sign, name, key, value in _LIST_ITEM.findall("a#b.c d=e")
    ]
    assert [each for each in found if each[0]] == [("#", "b.c"), ("d", "e")]


def test_a_key_of_blanks() -> None:
    assert not _NO_VALUE.match(f"a{chr(0xA0) * MANY}\n:")
    assert _NO_VALUE.match("a \n  ,")


@pytest.mark.parametrize("page", [mediawiki, dokuwiki])
def test_a_heading_that_does_not_end(page: object) -> None:
    heading = "==" if page is mediawiki else "====="
    read = page.read  # type: ignore[attr-defined]
    _, made = read("a.txt", f"{heading} A   title {heading}  \n\n{heading} b{' ' * 3 * MANY}c\n")
    assert "## A   title\n" in made.text
    assert f"\\{heading[0]}" in made.text or heading in made.text


@pytest.mark.parametrize(
    "text",
    [
        f"| a | b |\n{' ' * MANY}-|-x\n",
        f"```{' ' * MANY}x y\na\n```\n",
        f"# A{' ' * MANY}b}}\n",
        f"# A{' {a' * MANY}}}\n",
    ],
)
def test_a_line_of_blanks_is_scanned_in_one_pass(text: str) -> None:
    document = scan(text)
    assert not document.blocks.tables
    assert all(not heading.explicit_id for heading in document.blocks.headings)


def test_the_lines_of_a_wiki_page_are_counted_once() -> None:
    """Each element counted all lines before it, which took minutes for a page of 1 MB."""
    _wiki._line_ends.cache_clear()
    text = "A <source lang=c>a</source>\n\n \t<source lang=c>b</source>\n<!-- c -->\n" * 500
    _, page = mediawiki.read("a.wiki", text)
    assert _wiki._line_ends.cache_info().misses <= 3
    assert page.text.count("`a`") == page.text.count("```c\nb\n```") == 500
