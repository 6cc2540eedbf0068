"""The postings of a symptom: what a person sees, how to confirm it, and words for the same.

Two people who see the same thing rarely say it in the same words: one writes "memory creeps up",
the other "RSS keeps growing". Each line of ``symptom_words.json`` holds words that people use for
one thing when they describe what they see. A symptom is also found by the other words of a line,
with a lower impact. This costs the reader's browser nothing, because the index has these words.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from perfnotes.search.codec import LEVELS, posting
from perfnotes.search.document import SearchDocument
from perfnotes.search.stem import stem
from perfnotes.search.tokens import is_cjk, terms_of, words_of

FILE = Path(__file__).with_name("symptom_words.json")
SEEN, CONFIRM, NOTE = 0.7, 0.2, 0.2
SAME = 0.5


@lru_cache(maxsize=1)
def groups() -> tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]:
    """Return each line as names with their words, stemmed; a Chinese name is one word."""
    return tuple(
        tuple((name, _stems(name)) for name in names)
        for names in json.loads(FILE.read_text("utf-8"))
    )


def _stems(text: str) -> tuple[str, ...]:
    return (
        tuple(stem(terms_of(w)[0][0]) for w in words_of(text) if terms_of(w))
        if not is_cjk(text)
        else (text,)
    )


def others(text: str) -> list[str]:
    """Return the other words for what a text says."""
    plain = [stem(t[0][0]) for w in words_of(text) if not is_cjk(w) and (t := terms_of(w))]
    said = f" {' '.join(plain)} "
    chinese = any(is_cjk(w) for w in words_of(text))
    found: dict[str, None] = {}
    for group in groups():
        has = [
            n for n, stems in group if (n in text if is_cjk(n) else f" {' '.join(stems)} " in said)
        ]
        if has:
            found |= dict.fromkeys(
                n for n, _ in group if n not in has and (chinese or not is_cjk(n))
            )
    return list(found)


def symptom_postings(document: SearchDocument, number: int) -> dict[str, int]:
    """Return the packed postings of a symptom."""
    impacts: dict[str, float] = {}
    (block,) = document.blocks
    fields = [(block.heading, SEEN), (block.text, CONFIRM), (document.title, NOTE)]
    fields += [(name, SEEN * SAME) for name in others(block.heading)]
    for text, weight in fields:
        for word in words_of(text):
            for term, role in terms_of(word):
                share = weight * {"w": 1.0, "u": 0.5}.get(role, 0.6)
                impacts[term] = max(impacts.get(term, 0.0), share)
    return {term: posting(number, int(LEVELS * share), 0) for term, share in impacts.items()}
