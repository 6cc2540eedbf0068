"""Finds quantities in a text: numbers with a unit, factors, percentages and counts of events.

Versions, dates and names are no quantities, because no unit follows them. ``quantities`` reads
prose, tables and alternative texts. ``elsewhere`` reads headings, formulas, code and tooltips.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.text import worded
from perfnotes.text.readable import Readable
from perfnotes.text.tokens import MarkdownDocument, Math

_PREFIXED = (
    r"[kMGTPE]?(?:B|bit|FLOP|OP|T)(?:/(?:s|cycle|clock|FLOP))?|[KMGTP]i(?:B|bit)(?:/s)?"
    r"|[kMGTP]?OPS|[kMGTP]?FLOPS|[kMG]?Hz|[kMGT]?b(?:ps|/s)|[kmM]?[WVA](?![a-z])|[nmµμ]m(?![a-z])"
    r"|[npµμum]?s(?![A-Za-z'’-])|min(?![a-z])|°C|[kM]?J(?![a-z])"
)
_WORDS = (
    r"nanoseconds?|microseconds?|milliseconds?|seconds?|minutes?|hours?|bytes?|bits?|kilobytes?"
    r"|megabytes?|gigabytes?|cycles?|clocks?|way|entry|times(?! out)|fold|per\s?cent|percent"
)
_FINDINGS = (
    r"(?:cache\s|page\s|branch\s|L1\s|L2\s|data\s|TLB\s)*(?:misses|faults|mispredict(?:ion)?s|hits"
    r"|calls|system\scalls|syscalls|forks|clones|instructions|allocations|parameters|registers"
    r"|spills|transactions|sectors|symbols|lookups|loads|stores|entries|ways|switches)"
)
_CHINESE = r"倍|字节|比特|纳秒|微秒|毫秒|秒|分钟|小时|周期|个周期|次|条指令|个参数|路"
_QUANTITY = re.compile(
    r"(?<![\w.,$#&/~+-])(?<!第)(?<!第 )(?P<sign>[-\u2212]?)"
    r"(?P<number>\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?P<range>\s?(?:–|to|-|至|到)\s?\d[\d,.]*(?<![.,]))?"
    r"(?:(?P<tight>[ \u00a0\u2009\u202f]?)(?P<symbol>×(?!\s?(?:[\d$`(]|\w\b))"
    r"|x(?= (?:faster|slower|as|more|less|larger|smaller|fewer)\b)"
    r"|(?<=\d\d|\.\d)[xX](?![\w×])(?!\s\d)|%|‰|[‐-]?fold\b)"
    rf"|(?P<gap>[ \u00a0\u2009\u202f-]?)(?P<scale>(?:thousand|million|billion)\s)?"
    rf"(?P<unit>(?:{_PREFIXED})(?![\w/])|(?:{_WORDS})\b)"
    rf"|[ \u00a0]?(?P<scale3>[万亿]\s?)?(?P<chinese>{_CHINESE})"
    rf"|[ \u00a0](?P<scale2>(?:thousand|million|billion)\s)?(?P<finding>{_FINDINGS})\b"
    r"|(?P<large>(?<=\d{3})(?=[\s.,;:)]|$)))"
)
_COMMA = re.compile(r"\d,\d{3}")


class Quantity(Struct, frozen=True):
    """A quantity as it is written from ``start`` to ``end``; ``text`` has plain white space.

    ``amounts`` are its numbers in digits, each with the unit. A range has two. A size without a
    number, such as "an order of magnitude", has none.
    """

    text: str
    start: int
    end: int
    amounts: tuple[str, ...] = ()


def find(text: str) -> Iterator[Quantity]:
    """Yield the quantities of a plain text, in the order of the text."""
    for start, end, amounts in _found(text):
        yield Quantity(plain(text[start:end]), start, end, amounts)


def _found(text: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield where each quantity begins and ends, and its amounts."""
    found = []
    for match in _QUANTITY.finditer(text):
        if match["large"] is not None and not _COMMA.search(match["number"]):
            continue  # a number without a unit counts only if it is large enough to have commas
        found.append((*match.span(), _amounts(match)))
    in_words = list(worded.find(text))
    if in_words:
        digits = Spans([(start, end) for start, end, _ in found])
        found += [
            (start, end, (amount,) if amount else ())
            for start, end, amount in in_words
            if not digits.touches(start, end)
        ]
        found.sort(key=lambda each: (each[0], -each[1]))
    behind = 0
    for each in found:
        if each[0] >= behind:
            yield each
            behind = each[1]


def _amounts(match: re.Match[str]) -> tuple[str, ...]:
    """Return the numbers of a match in digits, with their unit as ``quantity.shown`` reads it."""
    sign, number, other, symbol, unit, chinese, *scales = match.group(
        "sign", "number", "range", "symbol", "unit", "chinese", "scale", "scale2", "scale3"
    )
    scale = next(filter(None, scales), "")
    of = symbol or unit or chinese or ""  # "": a plain count
    lower = of.lower()
    if lower.lstrip("‐-") in ("x", "fold", "times"):
        of = "×"
    elif lower.startswith("per") and lower.endswith("cent"):
        of = "%"
    first = f"{sign}{number} {scale}{of}".strip()
    if not other:
        return (first,)
    last = re.sub(r"[^\d.,]", "", other).strip(".,")
    return first, f"{last} {scale}{of}".strip()


def plain(text: str) -> str:
    """Return the text with single plain blanks, so that two spellings of a quantity are equal."""
    return " ".join(text.split())


def quantities(document: MarkdownDocument) -> Iterator[Quantity]:
    """Yield the quantities of a document's prose, tables, captions and alternative texts."""
    readable = Readable(_masked(document))
    text, place = readable.text, readable.place
    for start, end, amounts in _found(text):
        yield Quantity(plain(text[start:end]), place(start), place(end), amounts)


class Elsewhere(Struct, frozen=True):
    """A quantity outside of prose.

    ``where`` is ``heading``, ``formula``, ``code`` (a code span), ``block`` (a code block),
    ``tooltip``, or where the front matter has it: ``title``, ``description`` or ``symptom``.
    """

    quantity: Quantity
    where: str


def elsewhere(document: MarkdownDocument) -> Iterator[Elsewhere]:
    """Yield the quantities outside of prose, each with the range of the heading, span or line.

    Code blocks that show a console or a lab's output are left out: other checks look at them.
    """
    gaps = sorted(
        [*((a.label_end, a.end) for a in document.links if a.kind == "inline"), *document.code]
    )
    for heading in document.blocks.headings:
        words = _without(document.text, heading.text_start, heading.end, gaps)
        for each in find(Readable(words).text):
            yield _placed(each, heading.text_start, heading.end, "heading")
    for math in document.maths:
        for each in find(in_formula(math)):
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


def _in_blocks(document: MarkdownDocument) -> Iterator[Elsewhere]:
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


def _placed(each: Quantity, start: int, end: int, where: str) -> Elsewhere:
    return Elsewhere(Quantity(each.text, start, end, each.amounts), where)


def _without(text: str, start: int, end: int, gaps: list[tuple[int, int]]) -> str:
    """Return a range of a text in which those of the sorted ``gaps`` are replaced by blanks."""
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


def in_formula(math: Math) -> str:
    """Return a formula's words, numbers and units as plain text, without its variables."""
    words: list[str] = []

    def keep(match: re.Match[str]) -> str:
        words.append(match[1].replace("\\", ""))
        return f"\ue000{len(words) - 1}\ue001"

    tex = _TEX_TEXT.sub(keep, math.tex)
    for pattern, sign in _TEX_SIGNS:
        tex = pattern.sub(sign, tex)
    tex = (
        _TEX_NAME.sub(lambda m: m[0] if m[0] in _TEX_UNITS else "\x00", tex)
        .replace("{", "")
        .replace("}", "")
    )
    return re.sub(r"\ue000(\d+)\ue001", lambda m: words[int(m[1])], tex)


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


def _masked(document: MarkdownDocument) -> str:
    """Return the text with everything that is no prose blanked out, at the same offsets."""
    text = document.text
    out = list(text)

    def blank(start: int, end: int, sign: str = "\x00") -> None:
        for i in range(start, min(end, len(out))):
            if out[i] != "\n":
                out[i] = sign

    blank(0, document.start)
    for start, end in document.code:
        blank(start, end)
    for math in document.maths:
        blank(math.start, math.end)
    for heading in document.blocks.headings:
        blank(heading.start, heading.end)
    for definition in document.blocks.definitions:
        blank(definition.start, definition.end)
    for link in document.links:
        if link.kind in ("inline", "image"):
            blank(link.label_end, link.end)
            blank(link.start, link.label_start)
        elif link.kind in ("auto", "html"):
            blank(link.start, link.end)
    for wiki in document.wikis:
        blank(wiki.start, wiki.end)
    for citation in document.citations:
        blank(citation.start, citation.end)
    for tag in document.tags:
        if tag.name.lstrip("/") in _INLINE_TAGS:
            blank(tag.start, tag.end, "\u200b")
    comment = text.find("<!--", document.start)
    while comment >= 0 and (close := text.find("-->", comment + 4)) >= 0:
        blank(comment, close + 3)
        comment = text.find("<!--", close + 3)
    return "".join(out)


_INLINE_TAGS = ("a", "abbr", "b", "em", "i", "mark", "s", "small", "span", "strong", "u")


class Spans:
    """Finds the range around an offset among many ranges."""

    def __init__(self, ranges: list[tuple[int, int]]) -> None:
        self._ranges = sorted(ranges)
        self._starts = [a for a, _ in self._ranges]

    def around(self, offset: int) -> tuple[int, int] | None:
        """Return the last range that begins at or before ``offset`` and ends after it, or None."""
        i = bisect_right(self._starts, offset) - 1
        if i >= 0 and self._ranges[i][1] > offset:
            return self._ranges[i]
        return None

    def touches(self, start: int, end: int) -> bool:
        """Whether ``start`` to ``end`` overlaps one of the ranges, which must not overlap."""
        i = bisect_right(self._starts, start) - 1
        begins_within = i >= 0 and self._ranges[i][1] > start
        return begins_within or (i + 1 < len(self._ranges) and self._ranges[i + 1][0] < end)
