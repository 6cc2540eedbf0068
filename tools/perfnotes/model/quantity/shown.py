"""Reads and writes numbers as notes show them: ``9.4×``, ``262,145``, ``898 GB/s``, ``16 倍``."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.model.quantity.units import LARGEST, Unit, UnitError, factor, unit
from perfnotes.text.cut import cut

_NUMBER = re.compile(
    r"(?P<sign>[-+\u2212]?)"
    r"(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+|\d+)(?P<part>\.\d+)?"
    r"(?P<gap>[ \u00a0\u2009\u202f]?)(?P<rest>.*)"
)
_WRONG_COMMA = re.compile(r"\d,(?!\d{3}(?!\d))\d|\d{4},\d")
_SCALES = {
    "k": 3, "M": 6, "G": 9, "thousand": 3, "million": 6, "billion": 9,
    "万": 4, "亿": 8, "百万": 6, "十亿": 9,
}  # fmt: skip
_SCALE = re.compile(r"(thousand|million|billion|百万|十亿|[kMG万亿](?![A-Za-z]))\s*(.*)")
_PREFIX = re.compile(r"(?P<prefix>[kKMGT])(?P<binary>i?)(?=B|bit)")
_MOST_DIGITS = 30
_MOST_SHOWN = 60  # characters of a number's text in a message
_PRECISION = Context(prec=400)  # digits, enough for the largest number with all its decimals
_RATIO = ("×", "倍", "times")


class ShownError(ValueError):
    """A text is not a number with a unit, or its unit does not fit the value."""


class ShownNumber(Struct, frozen=True):
    """A number with a unit as a text shows it: ``number`` × 10^``scale`` ``unit``.

    ``decimals`` is the number of digits after the decimal point.
    """

    text: str
    number: Decimal
    decimals: int
    scale: int
    unit: str
    separator: str  # between groups of thousands: "", "," or a space
    tail: str  # everything after the digits

    def rounded(self, value: float, source: str) -> Decimal:
        """Convert ``value`` from the unit ``source`` and round it to this text's decimals.

        Raises ``ShownError`` or ``UnitError`` if the units do not fit.
        """
        return _rounded(self.converted(value, source), self.decimals)

    def converted(self, value: float, source: str) -> Decimal:
        """Convert ``value`` from the unit ``source`` to the unit and scale of this text.

        Raises ``ShownError`` or ``UnitError`` if the units do not fit or the result is too large.
        """
        if not value and unit(source) != unit(self.unit):
            raise ShownError(f"a zero is shown in its own unit, {source or 'a plain number'}")
        by = factor(_checked_source(source, self.unit), unit(self.unit))
        number = float(value * by)
        if not abs(number) < LARGEST:
            raise ShownError(f"the value is too large in {self.unit or 'plain numbers'}")
        return Decimal(repr(number)).scaleb(-self.scale)

    def agrees(self, value: float, source: str) -> bool:
        """Whether this text shows ``value``, rounded to the text's decimals.

        Raises ``ShownError`` or ``UnitError`` if the units do not fit.
        """
        return self.rounded(value, source) == self.number

    def interval(self, source: str) -> tuple[float, float]:
        """Return the lowest and highest value, in the unit ``source``, that this text may show.

        The interval contains every value for which ``agrees`` is true, and little else.

        Raises ``ShownError`` or ``UnitError`` if the units do not fit.
        """
        by = Decimal(factor(_checked_source(source, self.unit), unit(self.unit))).scaleb(
            -self.scale
        )
        inexact = abs(self.number) * Decimal("1e-12")  # values are floats
        half = Decimal("0.5").scaleb(-self.decimals) + inexact
        ends = (self.number - half) / by, (self.number + half) / by
        return float(min(ends)), float(max(ends))

    def other_fitting_unit(self, value: float, source: str) -> str:
        """Return the unit with the other kind of prefix (MiB for MB) if the digits fit it as well.

        For example, a text shows 2 MiB as "2 MB". The value rounds to 2 in both units, so the text
        does not tell which unit is meant. Returns "" if the digits fit only this text's unit, if
        the text has the same kind of prefix as ``source``, or if the text is exact.
        """
        found = _PREFIX.match(self.unit)
        if not found:
            return ""
        other = _other_prefix(found) + self.unit[found.end() :]
        of_source = _PREFIX.match(source)
        if of_source and bool(of_source["binary"]) == bool(found["binary"]):
            return ""
        if self.converted(value, source) == self.number:
            return ""
        swapped = replace(self, unit=other)
        return other if swapped.agrees(value, source) else ""

    def write(self, value: float, source: str) -> str:
        """Return the text with the digits of ``value``.

        The new text has as many decimals as this one. If they would round the value to zero, it has
        two significant digits instead.
        """
        exact = self.converted(value, source)
        decimals = self.decimals
        if exact and not _rounded(exact, decimals):
            decimals = 1 - exact.adjusted()  # these show two significant digits
        digits = _rounded(exact, decimals)
        separator = self.separator or ("," if abs(digits) >= 10_000 else "")
        return f"{digits:,f}".replace(",", separator) + self.tail


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
        raise ShownError(f"{cut(text, _MOST_SHOWN)!r} is no number with a unit")
    if sum(map(str.isdigit, found["whole"] + (found["part"] or ""))) > _MOST_DIGITS:
        raise ShownError(f"{cut(text, _MOST_SHOWN)!r} has more than {_MOST_DIGITS} digits")
    if _WRONG_COMMA.search(text):
        message = "decimals follow a point, as in 3.5; a comma groups three digits, as in 1,000"
        raise ShownError(f"{cut(text, _MOST_SHOWN)!r}: {message}")
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
    separator = re.search(r"\D", found["whole"])
    return ShownNumber(
        text=text.strip(),
        number=Decimal(f"{sign}{whole}{found['part'] or ''}"),
        decimals=len(found["part"] or ".") - 1,
        scale=scale,
        unit=rest,
        separator=separator[0] if separator else "",
        tail=found["gap"] + found["rest"],
    )


def _checked_source(source: str, shown: str) -> Unit:
    """Return the unit ``source`` if a text in the unit ``shown`` may show a value in it.

    Units without a dimension all convert to one another, so their names decide. A ratio may be
    shown with × or %, a count as a bare number or with its own word. The same holds for counts
    inside a unit: 240 requests/s must not be shown as 240 Hz. Raises ``ShownError`` if the text may
    not show the value.
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


def _counted(of: Unit) -> frozenset[str]:
    """Return the names of the things that a unit counts: ``request`` for ``requests/s``.

    Hertz counts as such a name, because it counts events that have no name of their own.
    """
    names = re.findall(r"[a-z_]+", str(of))
    counts = frozenset(name for name in names if unit(name).dimensionless)
    return counts | {"hertz"} if any(name.endswith("hertz") for name in names) else counts


def _kind(name: str) -> str:
    return "×" if name in _RATIO else str(unit(name)) if name not in ("", "%") else name
