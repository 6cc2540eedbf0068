"""What the fuzz drivers found, kept; and each driver's property on a few texts of its own."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from perfnotes.contribute.imports.fields import split
from perfnotes.source import yamlfile
from perfnotes.source.read import frontmatter
from perfnotes.text.source import Source
from perfnotes.text.svg import svg_problem
from tests.fuzz import bibtex, front_matter, markdown_links, plain
from tests.fuzz import yamlfile as yaml_tables

DRIVERS = (bibtex, front_matter, markdown_links, plain, yaml_tables)


@pytest.mark.parametrize(
    "text", ["!!int ", "a: !!int ''", "!!float x", "!!timestamp x: 1", "!!bool 1", "!!int '-'"]
)
def test_a_tag_that_does_not_fit_its_text_is_a_finding(text: str) -> None:
    document, (finding,) = yamlfile.load(Source("notes/tags.yml", text))
    assert document is None
    assert finding.code == "PN104"


@pytest.mark.slow
@pytest.mark.parametrize("driver", DRIVERS, ids=[d.__name__.rpartition(".")[2] for d in DRIVERS])
def test_the_property_holds_for_every_sign_alone(driver: object) -> None:
    holds: Callable[[str], None] = getattr(driver, "holds")  # noqa: B009 - five modules alike
    tokens: tuple[str, ...] = getattr(driver, "TOKENS")  # noqa: B009
    for i, token in enumerate(tokens):
        holds(f"{token}{tokens[i - 1]}word")


TABLE = "- id: a\n  name: {en: A, zh: 甲}\n"


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        (f"{TABLE}  x: *a\n", (3, 6), "the alias"),
        (f"{TABLE}  x: &a [1]\n  y: [*a, *a]\n", (3, 6), "the anchor"),
        (f"{TABLE}  <<: {{x: 1}}\n", (3, 3), "merge keys"),
        (TABLE + "  x: " + "[" * 40_000, (3, 44), "nested too deeply"),
        ("- " * 40_000, (1, 81), "nested too deeply"),
        ("? " * 40_000, (1, 81), "nested too deeply"),
        (f"{TABLE}  x: 1:1{':1' * 300_000}\n", (3, 6), "too long"),
        (f"{TABLE}  x: .inf\n", (3, 6), "no number that can be computed with"),
        (f"{TABLE}  x: \x01\n", (3, 6), "unacceptable character"),
        ('a: 1\nb: "one\nc: 2\nd: 3\ne: "four"\n', (2, 4), "a quote .* not closed"),
        ("a: 1\nb: 'one\nc: 2\nd: 3\n", (2, 4), "a quote .* not closed"),
        ("a: 1\nb: [one, two\nc: 2\n", (2, 4), r"a \[ that is not closed"),
        ("a: 1\nb: {one: two\nc: 2\n", (2, 4), "a { that is not closed"),
    ],
)
def test_yaml_that_costs_more_than_its_length_is_refused_at_its_place(
    text: str, place: tuple[int, int], says: str
) -> None:
    document, (finding,) = yamlfile.load(Source("notes/tags.yml", text))
    assert document is None
    assert (finding.code, finding.line, finding.column) == ("PN104", *place)
    assert re.search(says, finding.message)


def test_a_comma_that_cuts_a_text_in_braces_is_told() -> None:
    text = "- id: a\n  name: {en: One, two, zh: 一}\n  description: {en: A, zh: 甲}\n"
    source = Source("notes/tags.yml", text)
    document, _ = yamlfile.load(source)
    assert document is not None
    (finding,) = yamlfile.validate(source, document, "tags", "PN203")
    assert (finding.line, finding.column, finding.hint) == (2, 19, "quote it")


def test_foreign_front_matter_has_no_aliases_either() -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a, *a, *a]\nc: [*b, *b, *b, *b]\ntitle: Rows\n"
    fields, _ = split(f"---\n{bomb}---\nText.\n")
    assert "anchor" in fields.problem
    assert fields.values == {"title": "Rows"}


def test_deep_nesting_ends_no_reader() -> None:
    """Each of these has its own recursion: XML, TOML, JSON, BibTeX."""
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">'
    assert svg_problem(svg + b"<g>" * 50_000 + b"</g>" * 50_000 + b"</svg>") is None
    toml = Source("notes/a.md", f"+++\na = {'[' * 50_000}\n+++\n")
    assert frontmatter.read(toml, "note", lenient=True)[2][0].code == "PN202"
    fields, _ = split('{\n"tags": ' + "[" * 900 + "]" * 900 + "}\nText.\n")
    assert fields.take("tags") == []
    bibtex.holds("@misc{a2020b,\n title = " + "{" * 20_000 + "}" * 20_000 + "}")
