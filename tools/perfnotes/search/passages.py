"""The passages of a note that say most of a query: the card beside a first screen shows them.

A passage is a paragraph, or some sentences of a long one, an item of a list, a row of a table or a
few lines of a program. Its score is that of BM25 among the passages of the note; words of its
section's heading count as well. ``passages.js`` finds the same in the page.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from perfnotes.graph.links import Links
from perfnotes.search.analysis import analyse
from perfnotes.search.constants import PASSAGES
from perfnotes.search.parse import parse
from perfnotes.search.screen import BETWEEN_CELLS, CHARACTERS, ROOM, Line, lines, size
from perfnotes.search.stem import both_spellings, stem
from perfnotes.search.tokens import tokens

_LINES = int(PASSAGES["lines"])
_WORDS = int(PASSAGES["words"])  # unless one sentence has more
_READ_ON = "where-to-read-on"  # the section of a note that names other texts and answers nothing
_EXCERPT = int(PASSAGES["excerpt"])  # words
_PLACED = re.compile(r"\s(?:calc|explore)=")
_SENTENCE = re.compile(
    r"(?:(?![.!?]\s+[A-Z`\"“(]|[。！？]).)*(?:[.!?]\s+(?=[A-Z`\"“(])|[。！？]|$)", re.DOTALL
)


class Passage(Struct, frozen=True):
    """Some words of a note.

    ``anchor`` and ``heading`` are those of its section, empty above the first heading. ``room`` is
    how much of a first screen it takes. ``head`` is the head of the table of a row, if the table
    has more than two columns: such a row cannot be read without it.
    """

    anchor: str
    heading: str
    text: str
    room: int
    is_row: bool = False
    head: str = ""


def passages(links: Links, title: str) -> Iterator[Passage]:
    """Yield the passages of a note, which has this ``title``, in their order."""
    body = links.text.body
    anchor = heading = ""
    first = body.title_section(title)
    start = first.heading.end if first else body.document.start
    for section in sorted(body.sections, key=lambda each: each.heading.start):
        if section == first:
            continue
        yield from _between(links, start, section.heading.start, anchor, heading)
        anchor, heading, start = section.id, section.title, section.heading.end
    yield from _between(links, start, len(body.document.text), anchor, heading)


def _between(links: Links, start: int, end: int, anchor: str, heading: str) -> Iterator[Passage]:
    if anchor == _READ_ON:
        return
    for (kind, block), found in groupby(
        lines(links, start, end), key=lambda line: (line.kind, line.block)
    ):
        if kind == "program":
            if not _is_placed(links, block):
                yield from _parts_of_program(list(found), anchor, heading)
        elif kind == "row":
            first, *rows = found
            head = first.text if first.text.count(BETWEEN_CELLS) > 1 else ""
            for row in rows:
                yield Passage(anchor, heading, row.text, row.room, is_row=True, head=head)
        else:
            for text in (piece for line in found for piece in _pieces(line.text)):
                yield Passage(anchor, heading, text, size(text))


def _is_placed(links: Links, block: int) -> bool:
    """Return whether a fence places a calculator or a thing to try, whose lines no page shows."""
    text = links.text.body.document.text
    return _PLACED.search(text[block : text.find("\n", block)]) is not None


def _parts_of_program(found: Sequence[Line], anchor: str, heading: str) -> Iterator[Passage]:
    for i in range(0, len(found), _LINES):
        part = found[i : i + _LINES]
        text = "\n".join(line.text for line in part)
        yield Passage(anchor, heading, text, sum(line.room for line in part))


def _pieces(paragraph: str) -> Iterator[str]:
    """Yield a paragraph in pieces of whole sentences with at most ``_WORDS`` words."""
    piece = ""
    for sentence in _SENTENCE.findall(paragraph):
        if piece and size(piece) + size(sentence) > _WORDS * CHARACTERS:
            yield piece.strip()
            piece = ""
        piece += sentence
    if piece.strip():
        yield piece.strip()


def best_passages(query: str, found: Sequence[Passage], anchor: str) -> list[list[Passage]]:
    """Return the passages that say most of a query, at most one of each section, the best first.

    Each comes with those that follow it in its section, as long as all of them have at most
    ``_EXCERPT`` words; a row of a table comes alone. What is on the first screen of section
    ``anchor``, or of the note if it is empty, is in sight already and left out. Of equal passages
    the first one is better.
    """
    in_sight = _in_sight(found, anchor)
    scores = {i: score for i, score in _scores(query, found).items() if not in_sight[i]}
    best_of_section: dict[str, int] = {}
    for i in sorted(scores, key=lambda i: (-scores[i], i)):
        best_of_section.setdefault(found[i].anchor, i)
    least = PASSAGES["least"] * max(scores.values(), default=0)
    shown = [i for i in best_of_section.values() if scores[i] >= least]
    return [_excerpt(found, in_sight, i) for i in shown[: int(PASSAGES["most"])]]


def _scores(query: str, found: Sequence[Passage]) -> dict[int, int]:
    """Return the score, in millionths, of each passage that has a word of a query, by its place.

    The score is that of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25
    and Beyond", 2009), with the passages as documents.
    """
    counts = [_forms(passage.text) for passage in found]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / max(len(lengths), 1)
    rarity = _rarity(query, counts)
    scores = {}
    for i, (passage, count) in enumerate(zip(found, counts, strict=True)):
        if not any(form in count for form in rarity):
            continue
        relative = 1 - PASSAGES["length"] + PASSAGES["length"] * lengths[i] / mean
        said = sum(
            rare * (PASSAGES["repeat"] + 1) * count[form]
            / (count[form] + PASSAGES["repeat"] * relative)
            for form, rare in rarity.items()
        )  # fmt: skip
        named = _forms(passage.heading)
        said += PASSAGES["heading"] * sum(rare for form, rare in rarity.items() if form in named)
        scores[i] = round(said * 1e6)
    return scores


def _rarity(query: str, counts: Sequence[Counter[str]]) -> dict[str, float]:
    """Return for each word of a query that a passage has how rare it is among the passages."""
    slots = analyse(parse(query).words).slots
    asked = {_form(term) for slot in slots for term in (slot.term, *slot.parts)}
    having = {form: sum(form in count for count in counts) for form in sorted(asked)}
    return {
        form: math.log(1 + (len(counts) - has + 0.5) / (has + 0.5))
        for form, has in having.items()
        if has
    }


def _excerpt(found: Sequence[Passage], in_sight: Sequence[bool], at: int) -> list[Passage]:
    """Return a passage with those that follow it as long as there is room."""
    excerpt, room = [found[at]], _EXCERPT * CHARACTERS - found[at].room
    for i in range(at + 1, len(found)):
        following = found[i]
        ends = found[at].is_row or following.is_row or following.anchor != found[at].anchor
        if ends or in_sight[i] or following.room > room:
            break
        excerpt.append(following)
        room -= following.room
    return excerpt


def _in_sight(found: Sequence[Passage], anchor: str) -> list[bool]:
    """Return of each passage whether it is on the first screen that begins at a section."""
    begun, room = not anchor, ROOM
    seen = []
    for passage in found:
        begun = begun or passage.anchor == anchor
        seen.append(begun and room > 0)
        if begun:
            room -= passage.room
    return seen


def _forms(text: str) -> Counter[str]:
    return Counter(_form(term) for token in tokens(text) for term, _ in token.terms)


def _form(term: str) -> str:
    """Return the stem of a term in its British spelling, which all forms of a word share."""
    return both_spellings(stem(term))[0]
