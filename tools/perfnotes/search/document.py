"""A Document: one page as the search knows it, and its Blocks: parts of sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

BLOCK = 1600  # bytes of a block's text, about


@dataclass(frozen=True, slots=True)
class Block:
    """A section or a part of a long one; the first block of a page has no heading."""

    anchor: str
    heading: str
    text: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """``id`` is the page's name in evaluations; ``names`` are answered exactly, titles first.

    ``groups`` are the names of glossary terms, each a way to search for the others; ``extra``
    is found but not shown, such as the authors of a reference.
    """

    id: str
    url: str
    title: str
    lang: str
    type: str
    blocks: tuple[Block, ...]
    topic: str = ""
    level: str = ""
    tags: tuple[str, ...] = ()
    tag_names: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    extra: str = ""
    is_twin: bool = False  # a translation of the document before it
    is_copy: bool = False  # with the same words as that one: it needs no postings of its own


def split(anchor: str, heading: str, text: str, code: str) -> Iterator[Block]:
    """A section as blocks of a size that a reader's browser loads at once."""
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
    at = 0
    while at < len(text):
        end = min(len(text), at + _room(text, at))
        if end < len(text):
            stops = [text.rfind(stop, at + 200, end) for stop in (". ", "。", "；", "! ", "? ")]
            best = max(stops)
            end = best + 1 if best > 0 else max(text.rfind(" ", at + 200, end), at) or end
            if end <= at:
                end = min(len(text), at + _room(text, at))
        yield text[at:end].strip()
        at = end


def _room(text: str, at: int) -> int:
    """How many characters fit in a block from ``at`` on."""
    piece = text[at : at + BLOCK]
    return BLOCK if piece.isascii() else max(200, BLOCK * len(piece) // len(piece.encode()))
