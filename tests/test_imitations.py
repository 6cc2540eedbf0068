"""What imitates something else: letters of another script, names, and words that name a paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from perfnotes.checks import examine
from perfnotes.checks._rule import Files
from perfnotes.text.findings import Finding
from tests.example_notes import read_site, write_notes

Look = Callable[[Files], list[Finding]]


@pytest.fixture
def look(tmp_path: Path) -> Look:
    return lambda files: examine(read_site(write_notes(tmp_path, files)))


_FRONT = "---\ntitle: {}\n---\n"
_LINK = "Loops run along rows [{}](https://www.akkadia.org/drepper/cpumemory.pdf).\n"
_CITATION = "Loops run along rows [{} @drepper2007memory, sec. 3].\n"


def codes(found: list[Finding]) -> list[str]:
    return [f.code for f in found if f.code in ("PN108", "PN220", "PN410")]


@pytest.mark.parametrize(
    "text",
    ["The c\u0430che.\n", "The \u0421ache.\n", "A \uff23ache.\n", "## \u039dUMA nodes\n",
     "A \U0001d402ache.\n", _FRONT.format("A c\u0430che")],
)  # fmt: skip
def test_letters_of_another_script(text: str, look: Look) -> None:
    assert codes(look({"caches/rows.md": text})) == ["PN108"]


@pytest.mark.parametrize(
    "text",
    ["It takes 3 \u03bcs, or \u0394t.\n", "As \u041e\u043b\u0435\u0433 says.\n",
     "Code: `c\u0430che`.\n",
     "The \u03bcarch.\n", "\u7f13\u5b58cache\u3002\n", "Poincar\u00e9.\n"],
)  # fmt: skip
def test_letters_that_may_stand_together(text: str, look: Look) -> None:
    assert codes(look({"caches/rows.md": text})) == []


def test_letters_of_another_script_in_a_table(look: Look) -> None:
    found = look({"tags.yml": "- {id: c, name: {en: C\u0430che}, description: {en: Fast.}}\n"})
    assert codes(found) == ["PN108"]


@pytest.mark.parametrize("name", ["barrier", "\uff22arrier"])
def test_names_that_look_the_same(name: str, look: Look) -> None:
    entry = "- {{id: {}, name: {{en: {}}}, description: {{en: Fast memory.}}}}\n"
    found = look({"tags.yml": entry.format("one", "Barrier") + entry.format("two", name)})
    assert [code for code in codes(found) if code == "PN220"] == ["PN220", "PN220"]


@pytest.mark.parametrize(
    "text",
    [_LINK.format("Drepper 2008"), _LINK.format("Smith & Jones (2007)"),
     _LINK.format("Smith, 2007"), _CITATION.format("Drepper 1997,"),
     _CITATION.format("Smith et al. 2007,")],
)  # fmt: skip
def test_words_that_name_another_paper(text: str, look: Look) -> None:
    assert codes(look({"caches/rows.md": text})) == ["PN410"]


@pytest.mark.parametrize(
    "text",
    [_LINK.format("Drepper 2007"), _LINK.format("Ulrich Drepper (2007)"), _LINK.format("the paper"),
     _LINK.format("in 2008"), _CITATION.format("as in"), _CITATION.format("Drepper 2007,"),
     "As [Smith 1997](https://example.org/) says.\n"],
)  # fmt: skip
def test_words_that_name_the_paper_itself(text: str, look: Look) -> None:
    assert codes(look({"caches/rows.md": text})) == []
