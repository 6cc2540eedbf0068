"""Finds the quantities of a document that stand in headings, formulas, code and tooltips."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.text.quantities import Quantity, find
from perfnotes.text.readable import Readable
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument, Math


class QuantityOutsideProse(Struct, frozen=True):
    """A quantity that stands outside of prose.

    ``where`` is ``heading``, ``formula``, ``code`` (a code span), ``block`` (a code block),
    ``tooltip``, or where the front matter has it: ``title``, ``description`` or ``symptom``.
    """

    quantity: Quantity
    where: str


def quantities_outside_prose(document: MarkdownDocument) -> Iterator[QuantityOutsideProse]:
    """Yield the quantities outside of prose.

    The range of each is that of its heading, formula, code span, tooltip or info string; in a code
    block it is the quantity's own. Code blocks that show a console or a lab's output are left out:
    other checks look at them.
    """
    gaps = sorted(
        [*((a.label_end, a.end) for a in document.links if a.kind == "inline"), *document.code]
    )
    for heading in document.blocks.headings:
        words = _without(document.text, heading.text_start, heading.end, gaps)
        for each in find(Readable(words).text):
            yield _placed(each, heading.text_start, heading.end, "heading")
    for math in document.maths:
        for each in find(_words_in_formula(math)):
            yield _placed(each, math.start, math.end, "formula")
    blocks = Spans([(fence.start, fence.end) for fence in document.blocks.fences])
    for start, end in document.code:
        words = document.text[start:end]
        if not words.startswith("`") or blocks.around(start):
            continue
        for each in find_in_code(words.strip("` ")):
            yield _placed(each, start, end, "code")
    yield from _in_blocks(document)
    for start, end in _tooltips(document):
        for each in find(Readable(document.text[start:end]).text):
            yield _placed(each, start, end, "tooltip")


def find_in_code(code: str) -> Iterator[Quantity]:
    """Yield the quantities of a code span that state a measurement."""
    return (each for each in find(code) if _is_measurement(code, each))


def _in_blocks(document: MarkdownDocument) -> Iterator[QuantityOutsideProse]:
    for fence in document.blocks.fences:
        info = document.text[fence.info_start : fence.info_end]
        for each in find(" ".join(_QUOTED.findall(info))):
            yield _placed(each, fence.info_start, fence.info_end, "block")
        if fence.language == "console" or _GENERATED.search(info):
            continue
        at = fence.info_end
        for line in document.text[fence.info_end : fence.end].split("\n"):
            for each in find(line):
                if _is_measurement(line, each):
                    yield _placed(each, at + each.start, at + each.end, "block")
            at += len(line) + 1


def _tooltips(document: MarkdownDocument) -> Iterator[tuple[int, int]]:
    """Yield the ranges of link and picture titles, and of HTML attributes that hold text."""
    for link in document.links:
        if link.kind in ("inline", "image"):
            yield link.dest_end, link.end
    for tag in document.tags:
        for match in _TEXT_ATTRIBUTE.finditer(document.text, tag.start, tag.end):
            yield match.span(2)


_QUOTED = re.compile(r'"([^"\n]*)"')
_GENERATED = re.compile(r"\b(?:lab|calc|explore)=")  # blocks whose content is computed
_TEXT_ATTRIBUTE = re.compile(
    r"\b(?:title|alt|aria-label)\s*=\s*([\"'])(.*?)\1", re.DOTALL | re.IGNORECASE
)


def _placed(each: Quantity, start: int, end: int, where: str) -> QuantityOutsideProse:
    return QuantityOutsideProse(Quantity(each.text, start, end, each.amounts), where)


def _without(text: str, start: int, end: int, gaps: list[tuple[int, int]]) -> str:
    """Return a range of a text, with blanks in place of the sorted ranges ``gaps``."""
    parts, at = [], start
    for a, b in gaps[bisect_left(gaps, (start, 0)) : bisect_left(gaps, (end, 0))]:
        parts += [text[at:a], " " * (min(b, end) - max(a, at))]
        at = max(at, min(b, end))
    return "".join([*parts, text[at:end]])


_TEX_TEXT = re.compile(r"\\(?:text|mathrm|operatorname|textrm|mbox|mathsf|mathit)\s*\{([^{}]*)\}")
_TEX_SIGNS = (
    (re.compile(r"\\(?:[,;:!> ]|quad|qquad)|~"), " "),
    (re.compile(r"\\%"), "%"),
    (re.compile(r"\\times(?![a-zA-Z])"), "×"),
    (re.compile(r"\{,\}"), ","),
    (re.compile(r"\\(?:mathbf|mathbb|bm|boldsymbol)\s*"), ""),
)
_TEX_UNITS = "ns ms GB MB kB KiB MiB GiB TB GHz MHz times fold".split()  # one letter is a variable
_TEX_NAME = re.compile(r"\\?[A-Za-z]+")


def _words_in_formula(math: Math) -> str:
    """Return the words, numbers and units of a formula as plain text; NUL stands for a variable."""
    parts = _TEX_TEXT.split(math.tex)  # the words of \\text and the like are at odd places
    parts[1::2] = [words.replace("\\", "") for words in parts[1::2]]
    parts[::2] = [_without_names(tex) for tex in parts[::2]]
    return "".join(parts)


def _without_names(tex: str) -> str:
    for pattern, sign in _TEX_SIGNS:
        tex = pattern.sub(sign, tex)
    tex = _TEX_NAME.sub(lambda m: m[0] if m[0] in _TEX_UNITS else "\x00", tex)
    return tex.replace("{", "").replace("}", "")


_RATIO = re.compile(r"(?:×|%|‰|倍|times|fold|cent|/s)$")


def _is_measurement(code: str, quantity: Quantity) -> bool:
    """Whether a quantity in code states a measurement.

    It does if the code is nothing but the quantity, or if the quantity is a ratio. Quantities such
    as those in ``sleep 5 s`` and ``x % 64`` belong to a program.
    """
    if quantity.start == 0 and quantity.end == len(code):
        return True
    behind = code[quantity.end :].lstrip()[:1]
    modulo = quantity.text.endswith("%") and (behind.isalnum() or behind in "([$-_.")
    return bool(_RATIO.search(quantity.text)) and not (modulo and behind)
