"""Finds quantities in a text: numbers with a unit, factors, percentages and counts of events.

Versions, dates and names are no quantities, because no unit follows them. ``quantities`` reads
prose, tables and alternative texts; ``outside_prose`` reads the other parts of a document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.text import worded
from perfnotes.text.readable import Readable
from perfnotes.text.spans import Spans
from perfnotes.text.tokens import MarkdownDocument

_PREFIXED = (
    r"[kMGTPE]?(?:B|bit|FLOP|OP|T)(?:/(?:s|cycle|clock|FLOP))?|[KMGTP]i(?:B|bit)(?:/s)?"
    r"|[kMGTP]?OPS|[kMGTP]?FLOPS|[kMG]?Hz|[kMGT]?b(?:ps|/s)|[kmM]?[WVA](?![a-z])|[nmµμ]m(?![a-z])"
    r"|[npµμum]?s(?![A-Za-z'’-])|min(?![a-z])|°C|[kM]?J(?![a-z])"
)
_WORDS = (
    r"nanoseconds?|microseconds?|milliseconds?|seconds?|minutes?|hours?|bytes?|bits?|kilobytes?"
    r"|megabytes?|gigabytes?|cycles?|clocks?|way|entry|times(?! out)|fold|per\s?cent|percent"
)
_EVENTS = (
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
    rf"|[ \u00a0](?P<scale2>(?:thousand|million|billion)\s)?(?P<event>{_EVENTS})\b"
    r"|(?P<large>(?<=\d{3})(?=[\s.,;:)]|$)))"
)
_COMMA = re.compile(r"\d,\d{3}")


class Quantity(Struct, frozen=True):
    """A quantity as it is written from ``start`` to ``end``; ``text`` has plain white space.

    ``amounts`` are its numbers in digits, each with the unit. A range has two amounts; a size
    without a number, such as "an order of magnitude", has none.
    """

    text: str
    start: int
    end: int
    amounts: tuple[str, ...] = ()


def find(text: str) -> Iterator[Quantity]:
    """Yield the quantities of a plain text, in the order of the text."""
    for start, end, amounts in _found(text):
        yield Quantity(single_spaced(text[start:end]), start, end, amounts)


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


def single_spaced(text: str) -> str:
    """Return the text with single blanks, so that spaces do not make quantities differ."""
    return " ".join(text.split())


def quantities(document: MarkdownDocument) -> Iterator[Quantity]:
    """Yield the quantities of a document's prose, tables, captions and alternative texts."""
    readable = Readable(_masked(document))
    text, place = readable.text, readable.place
    for start, end, amounts in _found(text):
        yield Quantity(single_spaced(text[start:end]), place(start), place(end), amounts)


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
            # ``Readable`` drops this sign, so "1<b>0</b> ns" is read as "10 ns".
            blank(tag.start, tag.end, "\u200b")
    comment = text.find("<!--", document.start)
    while comment >= 0 and (close := text.find("-->", comment + 4)) >= 0:
        blank(comment, close + 3)
        comment = text.find("<!--", close + 3)
    return "".join(out)


_INLINE_TAGS = ("a", "abbr", "b", "em", "i", "mark", "s", "small", "span", "strong", "u")
