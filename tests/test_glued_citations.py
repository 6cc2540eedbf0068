"""A citation directly after a word or a closing mark lacks a space; other text is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.checks import examine_texts
from perfnotes.text.findings import Finding
from tests.example_notes import read_site, write_notes

CITED = "[@drepper2007memory]"


def glued(folder: Path, text: str) -> list[Finding]:
    in_texts = examine_texts(read_site(write_notes(folder, {"caches/rows.md": text})))
    return [each for found in in_texts.values() for each in found if each.code == "PN408"]


@pytest.mark.parametrize(
    "before",
    ["word", "5", "(so)", "[[lines]]", '"so"', "*so*", "_so_", "`so`", "5 %", "’", "”", "缓存"],
)
def test_a_citation_after_a_word_or_a_closing_mark_lacks_a_space(
    tmp_path: Path, before: str
) -> None:
    text = f"Text {before}{CITED} and {before} {CITED}.\n"
    (found,) = glued(tmp_path, text)
    assert found.path == "notes/caches/rows.md"


@pytest.mark.parametrize(
    "text",
    [
        f"{CITED} says so.\n",
        f"Text ({CITED}), and —{CITED}.\n",
        "As @drepper2007memory says.\n",
        "*@drepper2007memory* says so.\n",
        "Text[@nobody2000].\n",
        f"`a{CITED}`\n",
    ],
)
def test_other_citations_are_left_alone(tmp_path: Path, text: str) -> None:
    assert not glued(tmp_path, text)
