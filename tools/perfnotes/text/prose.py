"""Turns Markdown into plain words, for titles, for sentences around a link and for the search.

It also tells the language of a text and the time it takes to read.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from string import ascii_letters, digits

from msgspec import Struct

from perfnotes.text.callouts import CALLOUTS
from perfnotes.text.chinese import CJK
from perfnotes.text.line_joints import joined
from perfnotes.text.tokens import Citation, MarkdownDocument, Wiki

# Each alternative begins with the character that it needs: most of a text is plain, and the search
# then skips all other characters at once.
_MARKUP = re.compile(
    r"\n(?!\*)(?P<lead>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?)"
    r"|\\(?P<char>[\\`*_{}\[\]()>#+\-.!|$@<~])"
    r"|\*\*{0,2}"
    r"|_(?:(?<![A-Za-z0-9]_)_{0,2}(?=\S)|(?<=\S_)_{0,2}(?![A-Za-z0-9]))"
    r"|~~|=="
    rf"|\[!(?i:{'|'.join(CALLOUTS)})\]"
    r"|\{[:#.][^{}\n]*\}"
)
_MAY_BE_MARKUP = re.compile(r"[\n\\*_~={\[]")
_SENTENCE_END = re.compile(
    r"(?:[.!?][\"'”’)\]]*(?=\s+[\"'“(\[`*$]*[A-Z0-9\u3400-\u9fff`\[@])"
    # Emphasis inside quotation marks ends before they do: “*一句话。*”
    r"|[。！？；](?:\*{1,3}(?=[”’」）]))?[”’」）]*)"
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|Fig|fig|sec|Sec|ch|eq|Eq|al|etc|approx|No|no|pp?)|\b[A-Z])\.$"
)
_ROW = re.compile(r"^\|.*", re.MULTILINE)
_REACH = 1500  # a sentence is searched in a window of twice as many characters
_CLAUSE_END = re.compile(r"[,;:](?=\s)|[，；：、]|\|")
_LONGEST_CLAUSE = 400  # characters of a clause
_CJK_RUN = re.compile(f"{CJK.pattern}+")
# What joins two runs of letters and digits into one word.
_JOINT = re.compile(r"['’.-](?<=[A-Za-z0-9_].)(?=[A-Za-z0-9_])")
_WORD = f"{ascii_letters}{digits}_".encode()  # the bytes of a word
_NO_LETTERS = bytes({*range(128)} - {*ascii_letters.encode()})
_SPACED = bytes(byte if byte in _WORD else ord(" ") for byte in range(256))


class _Piece(Struct, frozen=True):
    """A part of the source that reads as ``text``, or as the words of its range ``inner``."""

    start: int
    end: int
    text: str
    inner: tuple[int, int] | None = None  # a link's label, itself Markdown


Namer = Callable[[Wiki | Citation], str]


class Prose:
    """A document in plain words. ``name`` returns how a wiki link or a citation reads."""

    def __init__(self, document: MarkdownDocument, name: Namer) -> None:
        self._doc = document
        self._name = name
        self._pieces = self._collect()
        self._starts = [p.start for p in self._pieces]
        self._breaks = sorted(set(document.blocks.breaks))
        # Looking for the ends of the line around each offset would be slow in a very long line.
        self._rows = [found.span() for found in _ROW.finditer(document.text)]
        self._sentence_ends: dict[tuple[int, int], list[int]] = {}
        self._clauses: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        self._wholes: dict[tuple[int, int], tuple[str, int]] = {}
        self._cut: dict[tuple[int, int], str] = {}

    def _collect(self) -> list[_Piece]:
        doc = self._doc
        pieces: list[_Piece] = []
        for a, b in doc.code:
            raw = doc.text[a:b]
            if raw[:1] == "`":  # most are lines of indented code
                raw = _without_ticks(raw)
            elif raw.startswith("<!--"):
                raw = ""
            pieces.append(_Piece(a, b, raw))
        for math in doc.maths:
            pieces.append(_Piece(math.start, math.end, math.tex))
        for tag in doc.tags:
            pieces.append(_Piece(tag.start, tag.end, " " if tag.name == "br" else ""))
        for link in doc.links:
            inner = (link.label_start, link.label_end)
            pieces.append(_Piece(link.start, link.end, "", inner))
        for wiki in doc.wikis:
            pieces.append(_Piece(wiki.start, wiki.end, self._name(wiki)))
        for citation in doc.citations:
            pieces.append(_Piece(citation.start, citation.end, self._name(citation)))
        for definition in doc.blocks.definitions:
            line_end = doc.text.find("\n", definition.start)
            end = line_end if line_end >= 0 else len(doc.text)
            pieces.append(_Piece(definition.start, end, ""))
        pieces.sort(key=lambda p: (p.start, -p.end))
        return pieces

    def without_markup(self, start: int, end: int) -> str:
        """Return the words of a range in one line, without markup."""
        return " ".join(joined(self._render(start, end)).split())

    def cells(self, start: int, end: int) -> list[str]:
        """Return the words of each cell of a table's row. A ``|`` in code does not end a cell."""
        text = self._doc.text
        bars = []
        bar = text.find("|", start, end)
        while bar >= 0:
            if text[bar - 1 : bar] != "\\" and not self._inside_piece(bar):
                bars.append(bar)
            bar = text.find("|", bar + 1, end)
        starts = [start, *(bar + 1 for bar in bars)]
        return [
            self.without_markup(a, b).replace("\\|", "|")
            for a, b in zip(starts, [*bars, end], strict=True)
        ]

    def _render(self, start: int, end: int) -> str:
        out: list[str] = []
        at = start
        i = bisect_left(self._starts, start)
        while i < len(self._pieces) and self._pieces[i].start < end:
            piece = self._pieces[i]
            if piece.start >= at:
                out.append(self._words(at, piece.start))
                out.append(self._render(*piece.inner) if piece.inner else piece.text)
                at = piece.end
            i += 1
        if at < end:
            out.append(self._words(at, end))
        return "".join(out)

    def _words(self, start: int, end: int) -> str:
        text = self._doc.text
        if start and text[start - 1] != "\n":
            return strip_markup(text[start:end])
        return strip_markup("\n" + text[start:end])

    def paragraph(self, offset: int) -> tuple[int, int]:
        """Return the range of the paragraph, list item or table row around ``offset``."""
        i = bisect_right(self._breaks, offset)
        start = self._breaks[i - 1] if i else self._doc.start
        end = self._breaks[i] if i < len(self._breaks) else len(self._doc.text)
        return self._row_at(offset) or (max(start, self._doc.start), max(end, offset))

    def is_in_table(self, offset: int) -> bool:
        """Return whether ``offset`` is in the row of a table."""
        return self._row_at(offset) is not None

    def _row_at(self, offset: int) -> tuple[int, int] | None:
        row = bisect_right(self._rows, (offset, len(self._doc.text))) - 1
        return self._rows[row] if row >= 0 and offset <= self._rows[row][1] else None

    def sentence(self, offset: int, most: int = 400) -> str:
        """Return the sentence around ``offset`` in plain words.

        Of a sentence that says more than ``most`` letters do, only clauses around ``offset`` come
        back, with an ellipsis where others are left out.
        """
        place = self.sentence_range(offset)
        if place not in self._wholes:
            words = self.without_markup(*place).strip(" |")
            self._wholes[place] = words, _length(words)
        words, length = self._wholes[place]
        return words if length <= most else self._clauses_around(place, offset, most)

    def _clauses_around(self, place: tuple[int, int], offset: int, most: int) -> str:
        """Return the clauses of the sentence at ``place`` that are around ``offset``."""
        if place not in self._clauses:
            self._clauses[place] = self._clauses_of(*place)
        starts, lengths = self._clauses[place]
        clause = min(bisect_right(starts, offset), len(lengths)) - 1
        first, last = _around(lengths, clause, most)
        ends = starts[first], starts[last]
        if ends not in self._cut:
            words = self.without_markup(*ends).strip(" |")
            is_cut = last < len(lengths)
            if len(words) > _LONGEST_CLAUSE:
                end = words.rfind(" ", 0, _LONGEST_CLAUSE) + 1
                words, is_cut = words[: end or _LONGEST_CLAUSE], True
            if is_cut:
                words = f"{words.rstrip(' ,;:，；：、')} …"
            self._cut[ends] = f"… {words}" if first else words
        return self._cut[ends]

    def _clauses_of(self, start: int, end: int) -> tuple[list[int], list[int]]:
        """Return where the clauses of a sentence begin, and its end; and how long they are."""
        ends = [
            match.end()
            for match in _CLAUSE_END.finditer(self._doc.text, start, end)
            if not self._inside_piece(match.start())
        ]
        starts = [start, *(each for each in ends if each < end), end]
        return starts, [_length(self.without_markup(*clause)) for clause in pairwise(starts)]

    def sentence_range(self, offset: int) -> tuple[int, int]:
        """Return where the sentence or table row around ``offset`` begins and ends."""
        start, end = self.paragraph(offset)
        # Searching all of a very long paragraph for each of its many links would be slow.
        start += (offset - start) // _REACH * _REACH
        end = min(end, start + 2 * _REACH)
        ends = self.sentence_ends(start, end)
        i = bisect_right(ends, offset)
        return ends[i - 1] if i else start, ends[i] if i < len(ends) else end

    def sentence_ends(self, start: int, end: int) -> list[int]:
        """Return the offsets at which sentences end in a range."""
        if (start, end) not in self._sentence_ends:
            text = self._doc.text
            self._sentence_ends[start, end] = [
                match.end()
                for match in _SENTENCE_END.finditer(text, start, end)
                if not self._inside_piece(match.start())
                and not _ABBREVIATION.search(text, max(start, match.end() - 8), match.end())
            ]
        return self._sentence_ends[start, end]

    def _inside_piece(self, offset: int) -> bool:
        i = bisect_right(self._starts, offset) - 1
        return i >= 0 and self._pieces[i].end > offset


def shortened(words: str, most: int) -> str:
    """Return the beginning of plain words that says at most ``most`` letters, and an ellipsis.

    It ends at a blank or after a Chinese character. Words that say no more come back as they are.
    """
    if _length(words) <= most:
        return words
    said = end = 0
    for i, character in enumerate(words):
        said += 3 if CJK.match(character) else 1
        if said > most:
            break
        if character == " " or CJK.match(character):
            end = i + 1
    return f"{words[:end].rstrip(' ,;:，；：、…')} …" if end else words


def _length(words: str) -> int:
    """Return how long a text is in letters; a Chinese character says as much as three."""
    return len(words) + 2 * len(CJK.findall(words))


def _around(lengths: Sequence[int], clause: int, most: int) -> tuple[int, int]:
    """Return the range of clauses around ``clause`` that are at most ``most`` long together.

    Clauses before it are taken first: they say what it is about.
    """
    first, last, length = clause, clause + 1, lengths[clause]
    while first > 0 and length + lengths[first - 1] <= most:
        first -= 1
        length += lengths[first]
    while last < len(lengths) and length + lengths[last] <= most:
        length += lengths[last]
        last += 1
    return first, last


def _without_ticks(code: str) -> str:
    ticks = len(code) - len(code.lstrip("`"))
    if not ticks or len(code) < 2 * ticks or not code.endswith("`" * ticks):
        return code
    inside = code[ticks:-ticks]
    return inside.removeprefix(" ").removesuffix(" ")


def strip_markup(text: str) -> str:
    """Remove emphasis, list markers, heading marks and escapes from a text without links or code.

    A backslash is removed, and the character that it escapes stays.
    """
    if not _MAY_BE_MARKUP.search(text):
        return text  # most texts have no markup, and this is faster than replacing
    return _MARKUP.sub(_unmarked, text)


def _unmarked(markup: re.Match[str]) -> str:
    return "\n" if markup["lead"] is not None else markup["char"] or ""


def language_of(text: str) -> str:
    """Return ``zh`` if more than 20 letters and more than a tenth of all are CJK, else ``en``."""
    cjk = _count_cjk(text)
    if cjk <= 20:
        return "en"
    # Deleting all other bytes takes a seventh of the time of a regular expression.
    letters = text.encode("ascii", "ignore").translate(None, _NO_LETTERS)
    return "zh" if cjk * 9 > len(letters) else "en"


def reading_minutes(text: str) -> int:
    """Return the reading time in minutes, at least 1: 220 words or 400 CJK characters a minute."""
    runs = text.encode("ascii", "replace").translate(_SPACED).split()
    words = len(runs) - len(_JOINT.findall(text))
    return max(1, round(_count_cjk(text) / 400 + words / 220))


def _count_cjk(text: str) -> int:
    lines = (line for line in text.split("\n") if not line.isascii())
    return sum(len(run) for line in lines for run in _CJK_RUN.findall(line))
