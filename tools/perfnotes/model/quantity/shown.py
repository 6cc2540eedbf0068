"""Reads and writes numbers as notes show them: ``9.4×``, ``262,145``, ``898 GB/s``, ``16 倍``."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.model.quantity.units import LARGEST, UnitError, factor, unit

_NUMBER = re.compile(
    r"(?P<sign>[-+\u2212]?)"
    r"(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+|\d+)(?P<part>\.\d+)?"
    r"(?P<gap>[ \u00a0\u2009\u202f]?)(?P<rest>.*)"
)
_SCALES = {
    "k": 3, "M": 6, "G": 9, "thousand": 3, "million": 6, "billion": 9,
    "万": 4, "亿": 8, "百万": 6, "十亿": 9,
}  # fmt: skip
_SCALE = re.compile(r"(thousand|million|billion|百万|十亿|[kMG万亿](?![A-Za-z]))\s*(.*)")
_PREFIX = re.compile(r"(?P<prefix>[kKMGT])(?P<binary>i?)(?=B|bit)")
_MOST_DIGITS = 30
_SHOWN = 60  # characters of a number's text in a message
_PRECISION = Context(prec=400)  # digits, enough for the largest number with all its decimals
_RATIO = ("×", "倍", "times")


class ShownError(ValueError):
    """A text is no number with a unit, or its unit does not fit the value."""


class ShownNumber(Struct, frozen=True):
    """A number with a unit as a text shows it: ``number`` × 10^``scale`` ``unit``.

    ``decimals`` is the number of digits after the decimal point.
    """

    text: str
    number: Decimal
    decimals: int
    scale: int
    unit: str
    commas: str  # the separator of thousands: "", "," or a space
    tail: str  # everything after the digits

    def of(self, value: float, source: str) -> Decimal:
        """Convert ``value`` from the unit ``source`` and round it to this text's decimals."""
        return _rounded(self.exactly(value, source), self.decimals)

    def exactly(self, value: float, source: str) -> Decimal:
        """Convert ``value`` from the unit ``source`` to the unit and scale of this text.

        Raises ``ShownError`` if the units do not fit or the result is too large.
        """
        if not value and unit(source) != unit(self.unit):
            raise ShownError(f"a zero is shown in its own unit, {source or 'a plain number'}")
        by = factor(_fitting(source, self.unit), unit(self.unit))
        number = float(value * by)
        if not abs(number) < LARGEST:
            raise ShownError(f"the value is too large in {self.unit or 'plain numbers'}")
        return Decimal(repr(number)).scaleb(-self.scale)

    def agrees(self, value: float, source: str) -> bool:
        """Whether the digits shown are those of ``value``; ``ShownError`` if the units differ."""
        return self.of(value, source) == self.number

    def reach(self, source: str) -> tuple[float, float]:
        """Return two values in the unit ``source``; every value that ``agrees`` is between them.

        Raises ``ShownError`` or ``UnitError`` if the units do not fit.
        """
        by = Decimal(factor(_fitting(source, self.unit), unit(self.unit))).scaleb(-self.scale)
        inexact = abs(self.number) * Decimal("1e-12")  # values are floats
        half = Decimal("0.5").scaleb(-self.decimals) + inexact
        ends = (self.number - half) / by, (self.number + half) / by
        return float(min(ends)), float(max(ends))

    def mixes_prefixes(self, value: float, source: str) -> str:
        """Return the unit with the other kind of prefix (MiB for MB) if the text also fits that.

        For example, "2 MB" is shown for 2 MiB: both round to 2, so the text does not tell which
        unit is meant. Returns "" if the text has the kind of prefix of its source or is exact.
        """
        found = _PREFIX.match(self.unit)
        if not found:
            return ""
        other = _other_prefix(found) + self.unit[found.end() :]
        of_source = _PREFIX.match(source)
        if of_source and bool(of_source["binary"]) == bool(found["binary"]):
            return ""
        if self.exactly(value, source) == self.number:
            return ""
        swapped = replace(self, unit=other)
        return other if swapped.agrees(value, source) else ""

    def write(self, value: float, source: str) -> str:
        """Return the text with the digits of ``value``.

        It has as many decimals as before, or more if the value would be rounded to zero; then it
        has two significant digits.
        """
        exact = self.exactly(value, source)
        decimals = self.decimals
        if exact:
            least = 1 - exact.adjusted()  # decimals that show two significant digits
            if not _rounded(exact, decimals):
                decimals = max(decimals, least)
        digits = _rounded(exact, decimals)
        part = self.commas or ("," if abs(digits) >= 10_000 else "")
        return f"{digits:,f}".replace(",", part) + self.tail


def _rounded(number: Decimal, decimals: int) -> Decimal:
    places = Decimal(1).scaleb(-decimals)
    return number.quantize(places, rounding=ROUND_HALF_UP, context=_PRECISION)


def _other_prefix(found: re.Match[str]) -> str:
    if found["binary"]:
        return "k" if found["prefix"] == "K" else found["prefix"]
    return ("K" if found["prefix"] == "k" else found["prefix"]) + "i"


def parse(text: str) -> ShownNumber:
    """Read a number with its unit. Raises ``ShownError``, which says what is wrong."""
    found = _NUMBER.fullmatch(text.strip())
    if not found:
        raise ShownError(f"{_cut(text)!r} is no number with a unit")
    if sum(map(str.isdigit, found["whole"] + (found["part"] or ""))) > _MOST_DIGITS:
        raise ShownError(f"{_cut(text)!r} has more than {_MOST_DIGITS} digits")
    rest, scale = found["rest"].strip(), 0
    scaled = _SCALE.fullmatch(rest)
    if scaled:
        scale, rest = _SCALES[scaled[1]], scaled[2]
    try:
        unit(rest)
    except UnitError as error:
        raise ShownError(str(error)) from error
    whole = re.sub(r"\D", "", found["whole"])
    sign = "-" if found["sign"] in ("-", "\u2212") else ""
    parted = re.search(r"\D", found["whole"])
    return ShownNumber(
        text=text.strip(),
        number=Decimal(f"{sign}{whole}{found['part'] or ''}"),
        decimals=len(found["part"] or ".") - 1,
        scale=scale,
        unit=rest,
        commas=parted[0] if parted else "",
        tail=found["gap"] + found["rest"],
    )


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _fitting(source: str, shown: str) -> Any:
    """Return the unit ``source`` if a text with the unit ``shown`` may show it, else raise.

    Units without a dimension all convert to one another, so their names decide: a ratio may be
    shown with × or per cent, a count as a bare number or with its own word. The same holds for
    counts inside a unit: 240 requests/s must not be shown as 240 Hz.
    """
    a, b = unit(source), unit(shown)
    if not (a.dimensionless and b.dimensionless):
        if a.dimensionless or b.dimensionless:
            missing = shown or "no unit"
            raise ShownError(f"the value is in {source or 'plain numbers'}, the text in {missing}")
        if _counted(b) not in (_counted(a), frozenset()):
            raise ShownError(f"the value is in {source}, the text in {shown}")
        return a
    kinds = {_kind(source), _kind(shown)}
    if (
        len(kinds) == 1
        or kinds == {"×", "%"}
        or (_kind(source) not in ("×", "%", "") and not shown)
    ):
        return a
    raise ShownError(f"the value is in {source or 'plain numbers'}, the text in {shown or 'none'}")


def _counted(of: Any) -> frozenset[str]:
    """Return the names of what a unit counts: ``request`` for ``requests/s``, ``hertz`` for GHz."""
    names = re.findall(r"[a-z_]+", str(of))
    counts = frozenset(name for name in names if unit(name).dimensionless)
    return counts | {"hertz"} if any(name.endswith("hertz") for name in names) else counts


def _kind(name: str) -> str:
    return "×" if name in _RATIO else str(unit(name)) if name not in ("", "%") else name
