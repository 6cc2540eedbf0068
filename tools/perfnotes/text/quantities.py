"""Quantities in a text: numbers with a unit, a factor or a per cent, and counts given as findings.

Code, formulas, links' destinations, front matter and headings are left aside; so are versions,
dates and names, since a quantity has its unit behind it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from perfnotes.text.tokens import Document

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
    r"|x(?= (?:faster|slower|as|more|less|larger|smaller|fewer)\b)|%|‰|[‐-]?fold\b)"
    rf"|(?P<gap>[ \u00a0\u2009\u202f-]?)(?P<scale>(?:thousand|million|billion)\s)?"
    rf"(?P<unit>(?:{_PREFIXED})(?![\w/])|(?:{_WORDS})\b)"
    rf"|[ \u00a0]?(?:[万亿]\s?)?(?P<chinese>{_CHINESE})"
    rf"|[ \u00a0](?P<scale2>(?:thousand|million|billion)\s)?(?P<finding>{_FINDINGS})\b"
    r"|(?P<large>(?<=\d{3})(?=[\s.,;:)]|$)))"
)
_COMMA = re.compile(r"\d,\d{3}")


@dataclass(frozen=True, slots=True)
class Quantity:
    """``text`` as it stands from ``start`` to ``end``, white space made plain."""

    text: str
    start: int
    end: int


def find(text: str) -> Iterator[Quantity]:
    """The quantities of a plain text."""
    for match in _QUANTITY.finditer(text):
        if match["large"] is not None and not _COMMA.search(match["number"]):
            continue  # a bare number is a finding where it is large enough to have commas
        shown = plain(match[0])
        yield Quantity(shown, match.start(), match.end())


def plain(text: str) -> str:
    """A quantity's text in one form: for comparing what is chosen or waived with the text."""
    return " ".join(re.sub(r"[\u00a0\u2009\u202f]", " ", text).split())


def quantities(document: Document) -> Iterator[Quantity]:
    """The quantities of a document's prose, tables, captions and alternative texts."""
    text = _masked(document)
    yield from find(text)


def _masked(document: Document) -> str:
    """The text with everything that is no prose blanked, character by character."""
    text = document.text
    out = list(text)

    def blank(start: int, end: int) -> None:
        for i in range(start, min(end, len(out))):
            if out[i] != "\n":
                out[i] = "\x00"

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
    comment = text.find("<!--", document.start)
    while comment >= 0 and (close := text.find("-->", comment + 4)) >= 0:
        blank(comment, close + 3)
        comment = text.find("<!--", close + 3)
    return re.sub(r"[*_]{1,3}(?=[\d×%])|(?<=[\d×%])[*_]{1,3}", _same_length, "".join(out))


def _same_length(match: re.Match[str]) -> str:
    return "\u200b" * len(match[0])


class Spans:
    """Which of many ranges an offset lies in, if any."""

    def __init__(self, ranges: list[tuple[int, int]]) -> None:
        self._ranges = sorted(ranges)
        self._starts = [a for a, _ in self._ranges]

    def around(self, offset: int) -> tuple[int, int] | None:
        """The last range that begins at or before ``offset`` and ends behind it."""
        i = bisect_right(self._starts, offset) - 1
        if i >= 0 and self._ranges[i][1] > offset:
            return self._ranges[i]
        return None
