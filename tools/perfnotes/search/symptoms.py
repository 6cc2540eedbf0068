"""The postings of a symptom: what a person sees, how to confirm it, and other words for the same.

Two people who see the same thing rarely say it in the same words: one writes "memory creeps up",
the other "RSS keeps growing". Each line of ``symptom_words.json`` holds words that people use for
one thing when they describe what they see. If a symptom has a word of a line, it is also found by
the other words of the line, with a lower impact. This costs the reader's browser nothing, because
the index has these words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from perfnotes.search.codec import LEVELS, posting
from perfnotes.search.document import SearchDocument
from perfnotes.search.stem import stem
from perfnotes.search.tokens import ROLE_WEIGHTS, is_cjk, terms_of, words_of

FILE = Path(__file__).with_name("symptom_words.json")
# Shares of the greatest impact: for a word of what a person sees (``see``), of other descriptions
# of it (``also``), of how to confirm it (``confirm``), of the note's title, and for the other words
# of a line.
_SEEN, _ALSO, _CONFIRM, _TITLE, _SAME = 0.7, 0.6, 0.2, 0.2, 0.35


class Saying(Struct, frozen=True):
    """A word or phrase of ``symptom_words.json``, and the stems of its words with spaces around."""

    text: str
    stems: str
    is_chinese: bool

    @property
    def beginning(self) -> str:
        """The stem of the first word, or the first Chinese character; empty if there is neither.

        Every text for which ``is_in`` returns True has this stem or character.
        """
        return self.text[0] if self.is_chinese else self.stems.partition(" ")[2].partition(" ")[0]

    def is_in(self, text: str, stems: str) -> bool:
        """Return whether a text with these ``stems`` contains the saying."""
        return self.text in text if self.is_chinese else self.stems in stems


@lru_cache(maxsize=1)
def sayings() -> tuple[tuple[Saying, ...], ...]:
    """Return the lines of ``symptom_words.json``."""
    lines = json.loads(FILE.read_text("utf-8"))
    return tuple(tuple(Saying(text, _stems(text), is_cjk(text)) for text in line) for line in lines)


@lru_cache(maxsize=1)
def _lines_by_beginning() -> dict[str, tuple[int, ...]]:
    """Return, for each beginning, the numbers of the lines that have a saying with it."""
    found: dict[str, dict[int, None]] = {}
    for i, line in enumerate(sayings()):
        for saying in line:
            found.setdefault(saying.beginning, {})[i] = None
    return {beginning: tuple(lines) for beginning, lines in found.items()}


def _stems(text: str) -> str:
    """Return the stems of a text's words, without Chinese, with a space around each."""
    words = (terms[0][0] for w in words_of(text) if not is_cjk(w) and (terms := terms_of(w)))
    return f" {' '.join(map(stem, words))} "


def other_words(text: str) -> Iterator[str]:
    """Yield the other words of each line that has a saying in the text.

    Chinese words are yielded only for a text with Chinese.
    """
    stems, has_chinese = _stems(text), any(map(is_cjk, words_of(text)))
    by_beginning = _lines_by_beginning()
    beginnings = {*stems.split(" "), *(text if has_chinese else ())}
    near = {i for each in beginnings for i in by_beginning.get(each, ())}
    for line in map(sayings().__getitem__, sorted(near)):
        said = [saying for saying in line if saying.is_in(text, stems)]
        for saying in line if said else ():
            if saying not in said and (has_chinese or not saying.is_chinese):
                yield saying.text


def symptom_postings(document: SearchDocument, number: int) -> dict[str, int]:
    """Return the packed postings of a symptom's document, by term."""
    impacts: dict[str, float] = {}
    (block,) = document.blocks
    texts = [(block.heading, _SEEN), (block.text, _CONFIRM), (document.title, _TITLE)]
    texts.append((document.extra, _ALSO))
    texts += [(words, _SAME) for words in other_words(f"{block.heading}\n{document.extra}")]
    for text, weight in texts:
        for word in words_of(text):
            for term, role in terms_of(word):
                share = weight * ROLE_WEIGHTS[role]
                impacts[term] = max(impacts.get(term, 0.0), share)
    return {term: posting(number, int(LEVELS * share), 0) for term, share in impacts.items()}
