"""Splits a Markdown text into its sentences, each with its place and a digest.

A sentence is one of a paragraph, list item or quote, a row of a table, a heading, or the
alternative text of a picture that stands alone. Code blocks, formulas that stand alone and
comments hold no sentences.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.text.prose import Prose
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

PROSE, ROW, HEADER, HEADING, CAPTION = "prose", "row", "header", "heading", "caption"
TITLE, DESCRIPTION, CONFIRM = "title", "description", "confirm"
DIGITS = 12  # hexadecimal digits of a digest; a text has a few hundred, which do not collide
_WRAP = re.compile(r"[ \t]*\n[ \t>]*|[ \t]+")
_LEAD = re.compile(r"(?:[\s>]+|(?:[-*+]|\d{1,9}[.)]|#{1,6}|\[\^[^\]\s]+\]:)[ \t]+)*")
_PICTURE = re.compile(r"!\[[^\]]*\]\([^()\s]*\)\s*\Z")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_WORD = re.compile(r"[^\W_]")
_MARKS = re.compile(r"\*{1,3}")
_CLOSING = re.compile(r"\*{1,3}[”’」）]*")
_NUMBERED = re.compile(r"[\s*_]*\d{1,3}\.\Z")  # as in "**2. Issue**", which ends no sentence


class Sentence(Struct, frozen=True):
    """A sentence from ``start`` to ``end`` of a text: its Markdown, and where it stands.

    ``kind`` is ``prose``, ``row``, ``header`` (the first row of a table), ``heading``, ``caption``,
    or, in front matter, ``title``, ``description`` or ``confirm`` (of a symptom).
    """

    start: int
    end: int
    kind: str
    markdown: str

    @property
    def digest(self) -> str:
        """The first ``DIGITS`` hexadecimal digits of the SHA-256 of the sentence's Markdown.

        Line breaks, the marks of quotes and repeated blanks do not change it. Everything else
        does: a number, the target of a link and a citation belong to what a reader has checked.
        """
        words = _WRAP.sub(" ", self.markdown)
        return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]


def sentences(document: MarkdownDocument, prose: Prose) -> Iterator[Sentence]:
    """Yield the sentences of a document; ``prose`` is the same document in plain words."""
    if document.excess:
        return
    blocks = document.blocks
    display = [(start, end) for start, end, _ in blocks.display_math]
    skipped = [*blocks.code, *display, *((d.start, d.end) for d in blocks.definitions)]
    headings = [(h.start, h.end) for h in blocks.headings]
    bounds = {document.start, len(document.text), *blocks.breaks}
    bounds.update(at for span in (*skipped, *headings, *blocks.tables) for at in span)
    no_sentences, titles, tables = Spans(skipped), Spans(headings), Spans(blocks.tables)
    row, table = 0, None
    for start, end in pairwise(sorted(bounds)):
        if start < document.start or no_sentences.around(start):
            continue
        if titles.around(start):
            yield from _trimmed(document.text, start, end, HEADING)
        elif found := tables.around(start):
            row = row + 1 if found == table else 0
            table = found
            if row != 1:  # the second line has only hyphens and colons
                yield from _trimmed(document.text, start, end, ROW if row else HEADER)
        else:
            yield from _of_block(document.text, start, end, prose)


def _of_block(text: str, start: int, end: int, prose: Prose) -> Iterator[Sentence]:
    at = start
    for found_end in (*prose.sentence_ends(start, end), end):
        if found_end < end and _NUMBERED.match(text[at:found_end]):
            continue
        stop = found_end
        if len(_MARKS.findall(text, at, stop)) % 2 and (mark := _CLOSING.match(text, stop, end)):
            stop = mark.end()  # as in "**仅此而已。**"
        for found in _trimmed(text, at, stop, PROSE):
            alone = _PICTURE.match(found.markdown)
            yield replace(found, kind=CAPTION) if alone else found
        at = stop


def _trimmed(text: str, start: int, end: int, kind: str) -> Iterator[Sentence]:
    """Yield the range without list and quote marks as a sentence, if there is a word in it."""
    lead = _LEAD.match(text, start, end)
    start = lead.end() if lead else start
    while end > start and text[end - 1] in " \t\n":
        end -= 1
        line = text.rfind("\n", start, end) + 1
        if line and not text[line:end].strip(" \t>"):
            end = line
    words = _COMMENT.sub("", text[start:end])
    if _WORD.search(words):
        yield Sentence(start, end, kind, text[start:end])
