"""Finds quantities in words: ``a factor of 77``, ``seventy-seven times``, ``七十七倍``.

Everyday words are no quantities: *twice*, *half*, *a third*, *several times*, 两倍, 几倍, 一半.
Neither are small numbers before a plain count (*three cycles*). Sizes without a number (*tens of
times*, *an order of magnitude*, 数十倍) are quantities, but no recorded number can agree with them:
they need a citation with its place, or a waiver.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.text.numerals import CHINESE, ENGLISH, ENGLISH_WORDS, chinese, english

_LEAST = 3  # "two times" and 两倍 are everyday words
_SPELT_OUT = 12  # counts up to this number are spelt out in plain prose and are no quantities
_COMPARED = (
    r"(?=[ ](?:as|the|that|those|what|more|less|fewer|faster|slower|larger|smaller|longer|shorter"
    r"|higher|lower|greater|its|their)\b)"
)
_ABOUT = r"(?:(?:about|almost|around|at least|more than|nearly|over|roughly|some|up to)[ ])?"
_FACTOR = re.compile(
    rf"\bfactors?[ ]of[ ]{_ABOUT}(?:(?P<digits>\d+(?:,\d\d\d)*(?:\.\d+)?)"
    rf"(?![\w%×°])(?![ ](?:[a-zA-Zµμ]+/))|(?P<words>{ENGLISH})\b)",
    re.IGNORECASE,
)
_ENGLISH = re.compile(
    rf"(?P<words>{ENGLISH_WORDS})(?i:(?:[ -]|(?=fold))(?P<unit>times|fold|per[ ]?cent"
    r"|nanoseconds?|microseconds?|milliseconds?|seconds?|minutes?|hours?|cycles?|clocks?"
    r"|bytes?|bits?|kilobytes?|megabytes?|gigabytes?|instructions|misses|faults|calls)\b"
    rf"(?P<compared>{_COMPARED})?)"
)
_PRECISE = re.compile(r"(?:fold|per ?cent|(?:nano|micro|milli)seconds?)$", re.IGNORECASE)
_CHINESE = re.compile(
    rf"(?<![第数几上成零〇一二两三四五六七八九十百千万亿点])(?P<numeral>{CHINESE})[ ]?"
    r"(?P<unit>倍|纳秒|微秒|毫秒)(?!半)"
    rf"|百分之[ ]?(?P<share>{CHINESE}|\d+(?:\.\d+)?)"
    r"|(?P<tenths>[一二三四五六七八九])成(?=[，。；、）)以左多]|$)"
)
_NO_NUMBER = re.compile(
    r"\b(?:tens|dozens|hundreds|thousands)[ ]of[ ]times\b|\borders?[ ]of[ ]magnitude\b"
    r"|(?:[数几上成][十百千万]|十几)(?:上[十百千万])?倍",
    re.IGNORECASE,
)


def find(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield where each quantity in words begins and ends, and its number and unit in digits.

    The third part is "" for a size without a number.
    """
    for match in _FACTOR.finditer(text):
        number = match["digits"] or english(match["words"])
        if match["digits"] or (number and int(number) >= _LEAST):
            yield match.start(), match.end(), f"{number}×"
    for match in _ENGLISH.finditer(text):
        number = english(match["words"])
        precise = _PRECISE.search(match["unit"]) or (match["compared"] is not None)
        if number is not None and number >= (_LEAST if precise else _SPELT_OUT + 1):
            yield match.start(), match.end("unit"), f"{number} {_short(match['unit'])}"
    for match in _CHINESE.finditer(text):
        yield from _chinese(match)
    for match in _NO_NUMBER.finditer(text):
        yield match.start(), match.end(), ""


def _chinese(match: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    if match["share"]:
        share = match["share"]
        found = float(share) if share[0].isdecimal() else chinese(share)
        unit = "%"
    elif match["tenths"]:
        found, unit = (chinese(match["tenths"]) or 0) * 10, "%"
    else:
        found, unit = chinese(match["numeral"]), match["unit"]
    if found is not None and (unit == "%" or found >= _LEAST):
        yield match.start(), match.end(), f"{found:g} {unit}"


def _short(unit: str) -> str:
    unit = unit.lower()
    return {"fold": "×", "times": "×"}.get(unit, "%" if "cent" in unit else unit)
