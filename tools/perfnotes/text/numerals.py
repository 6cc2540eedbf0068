"""Reads numbers written in words: ``seventy-seven``, ``七十七``."""

from __future__ import annotations

import re

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_UNITS = {word: i for i, word in enumerate(_ONES)}
_UNITS |= {word: 10 * i for i, word in enumerate(_TENS, 2)}
_POWERS = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_TEN_POWERS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}

# The longest first, so that "sixteen" is not taken for "six" and nothing has to be tried again.
_WORDS = sorted((*_UNITS, *_POWERS), key=len, reverse=True)
_WORD = "|".join(_WORDS)
# A number has at most eight words, so that a long run of number words takes no more time than any
# other text.
_JOIN = "(?:-|[ ]|(?<=hundred)[ ]and[ ]|(?<=thousand)[ ]and[ ])"
_MORE = f"(?:{_JOIN}(?:{_WORD})){{0,7}}"
ENGLISH = rf"(?:an?[ ])?(?:{_WORD}){_MORE}"
# ``ENGLISH`` from the beginning of a word, in capitals as well. A pattern that begins with a set of
# letters is searched five times as fast, because ``re`` skips all other letters at once. The words
# after the first are matched possessively: a unit must follow, and no number word can be one.
_FIRST = "".join(sorted({word[0] for word in ("a", *_WORDS)}))
_REST = "|".join(f"(?<={word[0]}){word[1:]}" for word in _WORDS)
ENGLISH_WORDS = (
    rf"[{_FIRST}{_FIRST.upper()}](?<!\w\w)(?i:(?:{_REST}|(?<=a)n?[ ](?:{_WORD})){_MORE}+)"
)
CHINESE = "[零〇一二两三四五六七八九十百千万亿]{1,12}(?:点[零〇一二三四五六七八九]{1,6})?"


def english(words: str) -> int | None:
    """Return the number that ``words`` name, such as ``two hundred and fifty-six``, or None."""
    total = current = 0
    for word in re.split(r"[ -]+", words.lower()):
        if word in ("a", "an"):
            current += 1
        elif word in _UNITS:
            current += _UNITS[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in _POWERS and total and not current:
            total *= _POWERS[word]  # "a thousand million"
        elif word in _POWERS:
            total, current = total + max(current, 1) * _POWERS[word], 0
        elif word != "and":
            return None
    return total + current


def chinese(numeral: str) -> float | None:
    """Return the number that a Chinese numeral names, such as ``七十七`` or ``一点五``, or None."""
    whole, _, part = numeral.partition("点")
    total = section = 0
    digit: int | None = None
    for char in whole:
        if char in _DIGITS:
            # Digits that follow one another are read one by one: 一九八四.
            previous = 10 * digit if digit and char not in "零〇" else 0
            digit = previous + _DIGITS[char]
        elif char in _TEN_POWERS:
            section += (1 if digit is None else digit) * _TEN_POWERS[char]
            digit = None
        elif char in _MYRIADS:
            total = (total + section + (digit or 0) or 1) * _MYRIADS[char]
            section, digit = 0, None
        else:
            return None
    number = total + section + (digit or 0)
    if not part:
        return number
    digits = "".join(str(_DIGITS[c]) for c in part if c in _DIGITS)
    return float(f"{number}.{digits}") if len(digits) == len(part) else None
