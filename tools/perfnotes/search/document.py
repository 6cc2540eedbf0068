"""A Document is what the search knows of one page; its Blocks are sections or parts of sections."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

BLOCK_BYTES = 1600  # about how many bytes of UTF-8 the text of a block has at most
LONGEST_HEADING = 300  # characters; the rest of a longer one is indexed as text
_STOP = re.compile(r"[.!?](?= )|[。；]")
_OPENING, _CLOSING = re.compile("[(（]"), re.compile("[)）]")


class Block(Struct, frozen=True):
    """A section or a part of a long one; the first block of a page has no heading."""

    anchor: str
    heading: str
    text: str
    code: str = ""


class SearchDocument(Struct, frozen=True):
    """A page as the search knows it.

    ``id`` names the page in judged queries. A query that is equal to one of ``names`` finds this
    page before all others. Each of ``groups`` holds the names of one glossary term; a search for
    one name of a group also looks for the others. ``extra`` is searched but not shown, such as the
    authors of a reference. So is ``asked``: what people type whose question the page answers.

    Each symptom of a note is a document of its own, after the note and its twin. Its only block has
    what a person sees as the heading, and how to confirm it as the text; ``extra`` has other
    descriptions of it (``also``), one on each line. A result for a symptom is shown as a result of
    its note. A subject without a note is a document of the same form, after the page that asks for
    help. The anchor of its block is the section of that page where the subjects stand.
    """

    id: str
    url: str
    title: str
    lang: str
    type: str
    blocks: Sequence[Block]
    topic: str = ""
    level: str = ""
    tags: tuple[str, ...] = ()
    tag_names: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    extra: str = ""
    asked: str = ""
    symptom: str = ""  # the symptom's id, if the document is a symptom of the note ``id``
    is_twin: bool = False  # whether it translates the document before it
    is_copy: bool = False  # whether it has the same words as that document, so needs no postings

    @property
    def name(self) -> tuple[str, str, str, str]:
        """The key of a document: no other document of a site has the same."""
        return self.lang, self.type, self.id, self.symptom


def split(anchor: str, heading: str, text: str, code: str) -> Iterator[Block]:
    """Yield a section as blocks of at most about ``BLOCK_BYTES``: first its text, then its code.

    The first block has the heading, the others have none. A heading is cut after
    ``LONGEST_HEADING`` characters, and the rest of it becomes the beginning of the text.
    """
    if len(heading) > LONGEST_HEADING:
        cut = heading.rfind(" ", 0, LONGEST_HEADING) + 1 or LONGEST_HEADING
        heading, text = heading[:cut].rstrip(), f"{heading[cut:]} {text}"
    text, code = " ".join(text.split()), " ".join(code.split())
    first = True
    for part in _parts(text):
        yield Block(anchor, heading if first else "", part)
        first = False
    for part in _parts(code):
        yield Block(anchor, heading if first else "", "", part)
        first = False
    if first:
        yield Block(anchor, heading, "")


def _parts(text: str) -> Iterator[str]:
    """Cut a text into parts that fit in a block, at ends of sentences or else at spaces."""
    at = 0
    while at < len(text):
        end = min(len(text), at + _room(text, at))
        if end < len(text):
            end = _last_stop(text, at, end) or max(text.rfind(" ", at + 200, end), at) or end
            if end <= at:
                end = min(len(text), at + _room(text, at))
        yield text[at:end].strip()
        at = end


def _last_stop(text: str, at: int, end: int) -> int:
    """Return where the last sentence ends that begins after ``at`` and ends before ``end``, or 0.

    A stop inside brackets counts only if there is no other: mostly it belongs to a citation, such
    as "(McKenney 2023, app. Why Memory Barriers?)".
    """
    stops = [stop.end() for stop in _STOP.finditer(text, at + 200, end)]
    outside = (stop for stop in reversed(stops) if not _is_in_brackets(text[at:stop]))
    return next(outside, stops[-1] if stops else 0)


def _is_in_brackets(text: str) -> bool:
    return len(_OPENING.findall(text)) > len(_CLOSING.findall(text))


def _room(text: str, at: int) -> int:
    """Return how many characters of the text from ``at`` on fit in a block."""
    piece = text[at : at + BLOCK_BYTES]
    if piece.isascii():
        return BLOCK_BYTES
    return max(200, BLOCK_BYTES * len(piece) // len(piece.encode()))
