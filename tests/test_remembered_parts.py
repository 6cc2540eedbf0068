"""Parts of pages come from a memo only if they would be made just the same.

Labs' pages, plots, tables of numbers and the like are remembered by what they are made from. If
one of these things were forgotten, an edit of it would leave an old part on a page. So words and
numbers of the example's files are changed one after another, and each time the pages that are made
with a memo of all earlier states are compared with those that are made without one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from perfnotes.graph.site import Settings, Site
from perfnotes.site.page import Page
from perfnotes.site.page_selection import pages_of
from perfnotes.site.pages import page_kinds
from perfnotes.source.read.memo import InMemory, Memo
from tests.example_evidence import EVIDENCE
from tests.example_notes import read_site, write_notes
from tests.sampling import at_even_distances

SETTINGS = Settings("Example", url="https://a.example.org/", repository="https://b.example.org/c")
_WORD = re.compile(r"(?<![\w/.])[a-z]{4,}(?![\w/.:])|[\u4e00-\u9fff]{2,}|(?<=: )\d+(?:\.\d+)?")
_KINDS = (".note", ".lab", ".glossary")  # those with parts that are remembered
_FILES = sorted(path for path, text in EVIDENCE.items() if isinstance(text, str) and text)


def edited(text: str, chance: random.Random, *, is_thorough: bool = False) -> Iterator[str]:
    """Yield the text with another word or number: some of all its parts, or many."""
    found = list(_WORD.finditer(text))
    few = at_even_distances(found, 4)
    for at in [*found[:4], *chance.sample(found[4:], len(found[4:]) // 2)] if is_thorough else few:
        new = f"{at[0]}x" if at[0].isalpha() else f"{at[0]}1"
        yield text[: at.start()] + new + text[at.end() :]


def _pages(site: Site) -> dict[str, Page]:
    kinds = (kind for kind in page_kinds() if kind.__name__.endswith(_KINDS))
    made = (page for kind in kinds for lang in ("en", "zh") for page in pages_of(kind, site, lang))
    return {page.url: page for page in made}


@pytest.mark.parametrize("file", _FILES)
def test_every_edit_shows_with_a_memo_as_without(
    tmp_path: Path, file: str, all_notes: bool
) -> None:
    memo = InMemory(Memo())
    text = EVIDENCE[file]
    assert isinstance(text, str)
    texts = [text, *edited(text, random.Random(file), is_thorough=all_notes), text]
    for i, each in enumerate(texts):
        folder = write_notes(tmp_path / str(i), {**EVIDENCE, file: each})
        plain = read_site(folder, SETTINGS)
        assert _pages(replace(plain, memo=memo, _derived={})) == _pages(plain)
