"""Numbers with their units as pages show them, rounded to the digits that readers need."""

from __future__ import annotations

import math
import re
from decimal import ROUND_HALF_UP, Decimal

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_SUPER = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_GAP = "\u00a0"
_FOUR_DIGITS = re.compile(r"\A(-?[0-9])([0-9]{3})(?![0-9])")


def digits(value: float, significant: int = 4) -> str:
    """Return a number without a unit, in the same digits as ``figure`` in ``numbers.js``.

    A whole number below 10^15 is written in full, any other with ``significant`` digits. Very large
    and very small numbers are written with a power of ten.
    """
    if not math.isfinite(value):
        return str(value)
    value = _clean(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.0f}"
    decimal = Decimal(value)
    # The rounded number tells how many decimals there are: 99.996 becomes 100.0.
    exponent = _rounded(decimal, significant - 1 - decimal.adjusted()).adjusted()
    if not -4 <= exponent < 15:
        first_digits = _rounded(decimal.scaleb(-exponent), significant - 1)
        return f"{first_digits:f}{_GAP}×{_GAP}10{str(exponent).translate(_SUPER)}"
    rounded = _rounded(decimal, max(0, significant - 1 - exponent))
    return f"{rounded:,f}" if abs(rounded) >= 10_000 else f"{rounded:f}"


def exact(value: float, significant: int = 7) -> str:
    """Return a constant with at most ``significant`` digits, without trailing zeros."""
    text = digits(value, significant)
    return text.rstrip("0").rstrip(".") if "." in text and "×" not in text else text


def in_table(text: str) -> str:
    """Return a number, with or without unit, as tables show it: 2,048; prose shows 2048."""
    return _FOUR_DIGITS.sub(r"\1,\2", text)


def with_unit(number: str, unit: str) -> str:
    """Join a number and its unit: ``9.4×``, ``12 %``, ``898 GB/s``, with no line break."""
    if not unit or unit == "×":
        return number + unit
    return f"{number}{_GAP}{unit}"


def amount(value: float, unit: str, significant: int = 4) -> str:
    """Return a measured value with its unit. A time is shown in s, ms, µs or ns by its size."""
    by, unit = scale_of(value, unit)
    return with_unit(digits(value * by, significant), unit)


def span(low: float, high: float, unit: str) -> str:
    """Return a range of values: ``9.21–9.61×``. It has commas from 10,000 on, as ``digits``."""
    by, unit = scale_of(max(low, high, key=abs), unit)
    low, high = _clean(low * by), _clean(high * by)
    most = max(abs(low), abs(high))
    if low == high or not 1e-4 <= most < 1e15 or (low == int(low) and high == int(high)):
        ends = [digits(low), digits(high)]
    else:
        decimals = max(0, 2 - math.floor(math.log10(most)))
        comma = "," if round(most, decimals) >= 10_000 else ""
        ends = [f"{end:{comma}.{decimals}f}" for end in (low, high)]
    return with_unit("–".join(dict.fromkeys(ends)), unit)


def seconds(value: float, lang: str) -> str:
    """Return a rounded duration in seconds, or in minutes from 90 s on. ``value`` is in seconds."""
    if value < 90:
        return f"{value:.0f} 秒" if lang == "zh" else f"{value:.0f} s"
    minutes = round(value / 60)
    return f"{minutes} 分钟" if lang == "zh" else f"{minutes} min"


def memory(value: int) -> str:
    """Return a size, given in bytes, in binary units: ``32 KiB``, ``15.6 GiB``."""
    size = float(value)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if size < 1024 or unit == "TiB":
            return with_unit(f"{size:.4g}" if size < 100 else f"{size:.0f}", unit)
        size /= 1024
    raise AssertionError


def scale_of(value: float, unit: str) -> tuple[float, str]:
    """Return the factor by which to multiply a value to show it, and the unit to show it in.

    Only a time in s gets another unit: ms, µs or ns if it is small.
    """
    if unit != "s" or not value or not math.isfinite(value):
        return 1.0, unit
    by, name = next((t for t in _TIMES if abs(value) >= t[0]), _TIMES[-1])
    return 1 / by, name


def _rounded(value: Decimal, decimals: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def _clean(value: float) -> float:
    """Round to 15 digits, which removes the error of binary fractions, such as in 0.1 + 0.2.

    Minus zero becomes zero.
    """
    return float(f"{value:.15g}") + 0.0 if math.isfinite(value) else value
