"""What the card beside a first screen shows: the parts of the note that say most of a query.

The card has the beginnings of sections, and a passage. A passage is a paragraph, or some sentences
of a long one, an item of a list, a row of a table or a few lines of a program. Its score is that of
BM25 among the passages of the note; a section has the score of its first screen among those of the
note's sections. Words of the heading count as well. ``passages.js`` finds the same in the page.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
# A passage has at most so many words, unless one sentence has more.
_WORDS = int(PASSAGES["words"])
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
                yield Passage(anchor, heading, row.text, row.room, head)
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


def best_excerpts(query: str, found: Sequence[Passage], anchor: str) -> list[list[Passage]]:
    """Return what the card shows of a note whose first screen is that of section ``anchor``.

    First come the beginnings of the sections whose first screens say most of the query, the best
    first, with at most ``_EXCERPT`` words each; then the passage that says most of it, if it is in
    none of these. If its section is shown, the passage follows there. What is on the first screen
    of ``anchor``, or of the note if it is empty, is in sight already and left out: a section that
    begins there is shown from where the screen ends. Of equal sections and passages the first one
    is better.
    """
    in_sight = _in_sight(found, anchor)
    unseen = [passage for passage, is_seen in zip(found, in_sight, strict=True) if not is_seen]
    by_section = groupby(unseen, key=lambda passage: passage.anchor)
    begun = [list(section) for name, section in by_section if name != anchor]
    best = _best(_scores(query, [_joined(_within(section, ROOM)) for section in begun]))
    excerpts = [_within(begun[i], _EXCERPT * CHARACTERS) for i in best[: int(PASSAGES["most"])]]
    scores = {i: score for i, score in _scores(query, found).items() if not in_sight[i]}
    for i in _best(scores)[:1]:
        of_section = [each for each in excerpts if each[0].anchor == found[i].anchor]
        if not of_section:
            excerpts.append([found[i]])
        elif found[i] not in of_section[0]:
            of_section[0].append(found[i])
    return excerpts


def _within(section: Sequence[Passage], room: int) -> list[Passage]:
    """Return as many passages from the beginning of a section as fit, but at least one."""
    taken = [section[0]]
    for passage in section[1:]:
        room -= taken[-1].room
        if passage.room > room:
            break
        taken.append(passage)
    return taken


def _joined(excerpt: Sequence[Passage]) -> Passage:
    text = "\n".join(passage.text for passage in excerpt)
    return Passage(excerpt[0].anchor, excerpt[0].heading, text, 0)


def _best(scores: Mapping[int, int]) -> list[int]:
    """Return what has at least the share ``least`` of the best score, the best first."""
    least = PASSAGES["least"] * max(scores.values(), default=0)
    return sorted((i for i in scores if scores[i] >= least), key=lambda i: (-scores[i], i))


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
