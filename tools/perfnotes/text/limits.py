"""Limits on the size of a text, so that Python-Markdown (the engine) finishes every page in time.

Each heading, list item, special character and so on takes the engine some time, and for some kinds
the time per piece grows with their number. A text beyond a limit is shown as its source, with a
finding. People do not reach these limits: a book of 840 KB in one file, with 2,600 headings and
7,000 paragraphs, stays below three quarters of the allowed load.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from perfnotes.text.pairs import Pairs
from perfnotes.text.tokens import Blocks, Excess, MarkdownDocument, TextEdit

_BREAK = re.compile(r"(?<=\S)[ ]{2,}\n")
_ESCAPED_HASH = r"\n[ \t]*#(?=[^#\s])"  # the engine reads "#a" as a heading: it gets "\\#a"
_SIGN = re.compile(rf"[\\`*_<\[&$~{{@]|{_BREAK.pattern}|{_ESCAPED_HASH}")
_LONG = 20_000  # characters of a paragraph
_DENSE = 500_000_000  # characters of a paragraph times the signs of Markdown in it
_LOOSE = 50  # brackets in a paragraph that belong to no link; more of them slow the engine down

# How many pieces of a kind a text may hold, for kinds whose time per piece grows with their number.
_MOST = {
    "fences": 3000, "displayed formulas": 3000, "footnotes": 1500, "references to footnotes": 1500,
    "tabs and boxes": 1000, "definitions": 5000, "rules and underlined lines": 1000,
    "tables of contents": 100,
}  # fmt: skip
# Measured processor time of one piece in a build, in units of about 10 microseconds.
_LOAD = {
    "headings": 30, "fences": 30, "displayed formulas": 30, "footnotes": 40,
    "references to footnotes": 20, "tabs and boxes": 40, "definitions": 5,
    "pieces of indented code": 60, "list items": 12, "quoted lines": 7, "cells of tables": 2,
    "paragraphs": 6, "line breaks": 8, "rules and underlined lines": 20, "lines": 1,
    "tables of contents": 20, "characters of long headings": 0.25, "numbers with a unit": 7,
    "comments": 20,
}  # fmt: skip
_LOAD_OF_SIGN = {
    "[": 12, "@": 6, "<": 10, "$": 10, "&": 6, "\\": 6, "{": 6, "`": 4, "*": 3, "_": 3, "~": 3,
    "|": 2, ">": 1, "!": 1,
}  # fmt: skip
_ALLOWED = 400_000
# A text has at most this load for each of its characters, not counting the cells of tables, whose
# number is a product. The heaviest texts known, of ``[^`` or of lines that are ``-``, have 16.
_HEAVIEST = 20
# Each line holds at most one piece of these kinds, so the number of lines bounds them.
_ONE_IN_A_LINE = ("tabs and boxes", "definitions", "rules and underlined lines")
_ITEM = re.compile(r"^[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)", re.MULTILINE)
_FOOTNOTE = re.compile(r"\[\^")
# At each of these the engine scans the rest of the paragraph again. Those that the block scanner
# knows as headings do not count, because they are staged as paragraphs of their own.
_UNDERLINED = re.compile(
    r"(?<=\S)[ \t]*\n[ \t>]*(?:=+[ \t]*|(?:-[ \t]*)+|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$",
    re.MULTILINE,
)
_QUOTED = re.compile(r"^[ \t]*>", re.MULTILINE)
_BOX = re.compile(r"^[ \t>]*(?:(?:!!!|\?\?\?\+?|===[!+]{0,2})[ ]|\[!\w+\])", re.MULTILINE)
# About where quantities are; finding them exactly would take longer.
_NUMBER = re.compile(r"\d(?:,\d{3}|[ \u00a0-]?[^\W\d_]|[%×])")
_CONTENTS = re.compile(r"^[ \t>]*\[TOC\][ \t]*$", re.MULTILINE)
# Characters of formulas: of different ones, of all, and in one paragraph. Typesetting takes some
# 20 microseconds for each, and the engine as much again for the MathML.
_MOST_TEX = 120_000
_MOST_REPEATED_TEX = 150_000
_MOST_TEX_OF_PARAGRAPH = 20_000
_DEFINITION = re.compile(r"^[ \t>]*:[ ]{1,3}(?=\S)", re.MULTILINE)
LONGEST_TITLE = 300


def escape_loose(document: MarkdownDocument, pairs: Pairs, loose: Iterable[int]) -> None:
    """Escape the brackets in ``loose``, whose ends the engine would search for a long time."""
    by_paragraph: dict[int, list[int]] = {}
    for at in loose:
        by_paragraph.setdefault(pairs.paragraph_end(at), []).append(at)
    for group in by_paragraph.values():
        if len(group) > _LOOSE:
            document.edits += [TextEdit(at, at + 1, "&#91;") for at in group]


def too_many_lines(text: str, start: int) -> Excess | None:
    """Return an Excess if the text has too many lines, which needs no scan; else None."""
    lines = text.count("\n", start)
    return Excess(start, f"{lines:,} lines") if lines > _ALLOWED else None


def too_many_formulas(document: MarkdownDocument, pairs: Pairs) -> Excess | None:
    """Return an Excess if the formulas take more than a few seconds to set; else None.

    A formula that is repeated is typeset once. But the engine reads its MathML at each place, and
    copies the paragraph around it.
    """
    seen: set[str] = set()
    different = of_all = 0
    paragraph, of_paragraph = -1, 0
    for math in document.maths:
        length = len(math.tex)
        if math.tex not in seen:
            seen.add(math.tex)
            different += length
        of_all += length
        end = pairs.paragraph_end(math.start)
        of_paragraph = of_paragraph + length if end == paragraph else length
        paragraph = end
        for count, most, where in (
            (different, _MOST_TEX, ""),
            (of_all, _MOST_REPEATED_TEX, ", repeated ones included"),
            (of_paragraph, _MOST_TEX_OF_PARAGRAPH, " in one paragraph"),
        ):
            if count > most:
                return Excess(math.start, f"more than {most:,} characters of formulas{where}")
    return None


def excess(document: MarkdownDocument, masked: str, pairs: Pairs) -> Excess | None:
    """Return the first limit that the text exceeds, or None.

    ``masked`` is the text with its code blanked out.
    """
    start = document.start
    if len(document.text) - start < _LONG // 10:
        return None  # so short that no limit can be exceeded
    if _is_light(document, masked):
        return None
    places = _places(document, masked)
    for kind, most in _MOST.items():
        if len(places[kind]) > most:
            what = f"{len(places[kind]):,} {kind}, more than the {most:,} that a page may hold"
            return Excess(places[kind][most], what)
    return _overload(document, masked, places) or _densest(start, masked, pairs)


def _is_light(document: MarkdownDocument, masked: str) -> bool:
    """Return whether counting a few things shows that no limit is exceeded, as for most texts.

    A text with a paragraph that could be too dense is longer than ``_LONG``, so it is never light.
    """
    blocks, start = document.blocks, document.start
    length = len(document.text) - start
    cells = sum(_cells(document.text[a:b]) for a, b in blocks.tables)
    if length > _LONG or _HEAVIEST * length + _LOAD["cells of tables"] * cells > _ALLOWED:
        return False
    lines = document.text.count("\n", start) + 1
    return (
        all(lines <= _MOST[kind] for kind in _ONE_IN_A_LINE)
        and len(blocks.fences) <= _MOST["fences"]
        and len(blocks.display_math) <= _MOST["displayed formulas"]
        and len(blocks.footnotes) <= _MOST["footnotes"]
        and masked.count("[^", start) <= _MOST["references to footnotes"]
        and masked.count("[TOC]", start) <= _MOST["tables of contents"]
    )


def _places(document: MarkdownDocument, masked: str) -> dict[str, list[int]]:
    blocks, start = document.blocks, document.start
    apart = {heading.end for heading in blocks.headings}
    return {
        "headings": [heading.start for heading in blocks.headings],
        "fences": [fence.start for fence in blocks.fences],
        "displayed formulas": [at for at, _, _ in blocks.display_math],
        "footnotes": blocks.footnotes,
        "references to footnotes": [found.start() for found in _FOOTNOTE.finditer(masked, start)],
        # The engine makes separate blocks of the text before a comment and the text after it.
        "comments": [at for at, _ in blocks.code if document.text.startswith("<!--", at)],
        "pieces of indented code": list(_indented(document.text, blocks.code)),
        "tabs and boxes": [found.start() for found in _BOX.finditer(masked, start)],
        "definitions": [found.start() for found in _DEFINITION.finditer(masked, start)],
        "list items": [found.start() for found in _ITEM.finditer(masked, start)],
        "rules and underlined lines": [
            found.end() for found in _UNDERLINED.finditer(masked, start) if found.end() not in apart
        ],
        "numbers with a unit": [found.start() for found in _NUMBER.finditer(masked, start)],
        "tables of contents": [found.start() for found in _CONTENTS.finditer(masked, start)],
        "quoted lines": [found.start() for found in _QUOTED.finditer(masked, start)],
    }


def _indented(text: str, code: list[tuple[int, int]]) -> Iterator[int]:
    """Yield where each run of indented code begins. Empty lines do not end a run."""
    before = 0
    for start, end in sorted(code):
        if text[start : start + 1] not in (" ", "\t"):  # a fence or a comment ends the run
            before = 0
            continue
        if not before or text[before:start].strip():
            yield start
        before = end


def _cells(table: str) -> int:
    """Return how many cells the engine makes: as many in each row as the first row has."""
    head, _, rows = table.partition("\n")
    return (head.strip().strip("|").count("|") + 1) * (rows.count("\n") + 1)


def _overload(
    document: MarkdownDocument, masked: str, places: dict[str, list[int]]
) -> Excess | None:
    """If all pieces together take too long, return the kind that takes most of the time."""
    counts = _counts(document, masked, places)
    loads = _loads(counts)
    if loads.total() <= _ALLOWED:
        return None
    [(kind, _)] = loads.most_common(1)
    start = document.start
    if kind in _LOAD_OF_SIGN:
        return Excess(masked.index(kind, start), f"{counts[kind]:,} times the sign {kind!r}")
    at = places[kind][0] if kind in places else start
    return Excess(at, f"{counts[kind]:,} {kind}")


def _counts(
    document: MarkdownDocument, masked: str, places: dict[str, list[int]]
) -> dict[str, int]:
    text, start = document.text, document.start
    return {
        **{kind: len(found) for kind, found in places.items()},
        "paragraphs": text.count("\n\n", start),
        "line breaks": len(_BREAK.findall(masked, start)),
        "lines": text.count("\n", start),
        "characters of long headings": sum(
            len(h.text) for h in document.blocks.headings if len(h.text) > LONGEST_TITLE
        ),
        "cells of tables": sum(_cells(text[a:b]) for a, b in document.blocks.tables),
        **{sign: masked.count(sign, start) for sign in _LOAD_OF_SIGN},
    }


def _loads(counts: dict[str, int]) -> Counter[str]:
    return Counter({kind: n * (_LOAD | _LOAD_OF_SIGN)[kind] for kind, n in counts.items()})


def _densest(start: int, masked: str, pairs: Pairs) -> Excess | None:
    """Return the first paragraph that takes the engine too long.

    The engine's time for a paragraph grows with its length times its number of special characters.
    """
    for end in pairs.breaks:
        if end - start > _LONG:
            signs = len(_SIGN.findall(masked, start, end))
            if signs * (end - start) > _DENSE:
                what = f"a paragraph of {end - start:,} characters with {signs:,} signs of Markdown"
                return Excess(start, what)
        start = end
    return None


def as_source(document: MarkdownDocument, found: Excess) -> MarkdownDocument:
    """Return the document as one piece of code, except a first heading, which may be the title."""
    text, start = document.text, document.start
    first = [h for h in document.blocks.headings[:1] if len(h.text) <= LONGEST_TITLE]
    places = [start, *(at for h in first for at in (h.start, h.end)), len(text)]
    code = [(a, b) for a, b in zip(places[::2], places[1::2], strict=True) if a < b]
    return MarkdownDocument(text, start, Blocks(headings=first, code=code), code=code, excess=found)
