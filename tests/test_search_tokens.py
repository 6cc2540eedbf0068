"""One tokenizer specification, two implementations: both pass every vector."""

from __future__ import annotations

import json
import sys

import pytest

from perfnotes.search.analysis import analyse
from perfnotes.search.stem import both_spellings, stem
from perfnotes.search.tokens import TOKEN, fold, is_cjk, tokens
from perfnotes.site.scripts import SEARCH_SCRIPTS
from perfnotes.text.chinese import has_cjk
from perfnotes.text.prose import language_of
from tests.project import ROOT
from tests.test_javascript import run_node

VECTORS = json.loads((ROOT / "tests" / "search" / "vectors.json").read_text("utf-8"))
# What the script makes of the vectors, and which characters it does not take as one token.
THEIRS = """
import { readFileSync } from "node:fs";
const { bothSpellings, tokens, stem } = await import(`${process.argv[1]}/tokens.js`);
const [texts, words, chars] = JSON.parse(readFileSync(0, "utf-8"));
console.log(JSON.stringify([
  texts.map((text) => tokens(text).flatMap((token) => token.terms)),
  words.map(stem),
  words.map(stem).map(bothSpellings),
  chars.filter((char) => tokens(char).length !== 1),
]));
"""


def test_there_are_enough_vectors() -> None:
    assert len(VECTORS["tokens"]) >= 300
    assert len({text for text, _ in VECTORS["tokens"]}) == len(VECTORS["tokens"])


def test_python_passes_every_vector() -> None:
    for text, expected in VECTORS["tokens"]:
        found = [list(term) for token in tokens(text) for term in token.terms]
        assert found == expected, text
    for word, expected in VECTORS["stems"]:
        assert stem(word) == expected


def test_a_stem_begins_its_word_so_that_forms_lie_together() -> None:
    for word, _ in VECTORS["stems"]:
        assert word.startswith(stem(word))


@pytest.mark.parametrize(
    ("british", "american"),
    [("vectorisation", "vectorized"), ("analyse", "analyzes"), ("optimiser", "optimizing")],
)
def test_words_have_both_spellings(british: str, american: str) -> None:
    assert both_spellings(stem(british)) == both_spellings(stem(american))
    assert both_spellings(stem(british))[0] == stem(british)
    assert both_spellings(stem("size")) == ("siz", "siz")


def test_texts_and_the_search_know_the_same_chinese_letters() -> None:
    """The search also takes Hangul, which says nothing of whether a text is Chinese."""
    every = [chr(c) for c in range(0x20, sys.maxunicode + 1) if not 0xAC00 <= c <= 0xD7AF]
    assert [c for c in every if has_cjk(c)] == [c for c in every if is_cjk(c)]
    assert {text: language_of(text * 40) for text in "々〇𠀀あ가a"} == {
        "々": "zh", "〇": "zh", "𠀀": "zh", "あ": "zh", "가": "en", "a": "en",
    }  # fmt: skip


def test_javascript_passes_every_vector() -> None:
    """Also for every single character, as far as both know it."""
    known = "".join(
        chr(c) for c in range(0x20, 0x30000) if not 0xD800 <= c < 0xE000 and chr(c).isprintable()
    )
    singles = [c for c in known if TOKEN.fullmatch(c) and fold(c) == c]
    asked = json.dumps([[text for text, _ in VECTORS["tokens"]],
                        [word for word, _ in VECTORS["stems"]], singles])  # fmt: skip
    found = run_node("--input-type=module", "-e", THEIRS, str(SEARCH_SCRIPTS), text=asked)
    terms, stems, spellings, lost = json.loads(found)
    assert terms == [expected for _, expected in VECTORS["tokens"]]
    assert stems == [expected for _, expected in VECTORS["stems"]]
    assert spellings == [list(both_spellings(expected)) for _, expected in VECTORS["stems"]]
    assert len(singles) > 50_000 or sys.maxunicode < 0x10FFFF
    assert lost == []


def test_words_that_carry_no_subject_are_left_out_also_in_short_forms() -> None:
    assert [slot.term for slot in analyse("isn't that worse").slots] == ["worse"]
    assert [slot.term for slot in analyse("it doesn’t scale").slots] == ["scale"]
    assert [slot.term for slot in analyse("isn't").slots] == ["isnt"], "nothing else is left"
