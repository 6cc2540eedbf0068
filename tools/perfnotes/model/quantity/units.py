"""Units of measure: those that notes use, with exact factors between them.

Bytes, FLOP and transfers each have their own dimension, so that GB/s does not convert to GFLOP/s.
Cycles, cores, lanes, pages and the like are plain counts. ``GB`` is 10^9 bytes, ``GiB`` 2^30.
``KB`` is refused, because some people mean 1000 bytes and some 1024.

A unit is written as names joined by ``*``, a space or ``/``, which are read from left to right.
Brackets are allowed, and powers of one digit: ``GB/s``, ``J/(s*core)``, ``1/s**2``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache

_PREFIXES = {
    "nano": ("n", Fraction(1, 10**9)), "pico": ("p", Fraction(1, 10**12)),
    "micro": ("u", Fraction(1, 10**6)), "milli": ("m", Fraction(1, 1000)),
    "kilo": ("k", Fraction(1000)), "mega": ("M", Fraction(10**6)), "giga": ("G", Fraction(10**9)),
    "tera": ("T", Fraction(10**12)), "peta": ("P", Fraction(10**15)),
    "exa": ("E", Fraction(10**18)), "kibi": ("Ki", Fraction(2**10)),
    "mebi": ("Mi", Fraction(2**20)), "gibi": ("Gi", Fraction(2**30)),
    "tebi": ("Ti", Fraction(2**40)),
}  # fmt: skip
_BASES = {
    "second": "s", "byte": "B", "flop": "FLOP", "integer_operation": "OP", "transfer": "T",
    "joule": "J", "volt": "V", "kelvin": "K", "metre": "m",
}  # fmt: skip
_DERIVED: dict[str, tuple[str, Fraction, dict[str, int]]] = {
    "minute": ("min", Fraction(60), {"second": 1}),
    "hour": ("h", Fraction(3600), {"second": 1}),
    "bit": ("bit", Fraction(1, 8), {"byte": 1}),
    "operations_per_second": ("OPS", Fraction(1), {"integer_operation": 1, "second": -1}),
    "watt": ("W", Fraction(1), {"joule": 1, "second": -1}),
    "hertz": ("Hz", Fraction(1), {"second": -1}),
    "percent": ("percent", Fraction(1, 100), {}),
    "ppm": ("ppm", Fraction(1, 10**6), {}),
}
_COUNTS = (
    "access bank block branch call channel core cycle device element entry event fault fork "
    "gpu instruction iteration lane level line link load lookup miss object op operation page "
    "parameter pin port register request row sample sector set sm socket spill stack store symbol "
    "syscall thread token value warp way word"
).split()
_PLAIN_NAMES = {"dimensionless", "×", "倍", "times"}
_WORDS = {
    "%": "percent", "字节": "byte", "比特": "bit", "位": "bit", "纳秒": "nanosecond",
    "微秒": "microsecond", "毫秒": "millisecond", "秒": "second", "分钟": "minute",
    "周期": "cycle", "页": "page", "行": "line", "路": "way", "条": "entry", "请求": "request",
}  # fmt: skip
_TOKEN = re.compile(
    r"(\s*)(?:([%‰×]|[^\W\d_]+(?:_[^\W\d_]+)*)|(\*\*|\^)\s*([1-9])(?!\d)|([*/()·])|(\S))"
)
_ONE = re.compile(r"\A\s*1\s*(?=/\s*\S|$)")
_POWER = re.compile(r"(?:\*\*|\^)\s*[1-9](?!\d)")
_MICRO = {ord("µ"): "u", ord("μ"): "u"}
_LONGEST = 60  # characters of a unit

LARGEST = 1e300
"""Every number must be smaller than this, so that adding a few of them cannot overflow."""

Power = int | float


class UnitError(ValueError):
    """A unit is unknown, or cannot be converted to another unit."""


class Unit:
    """A product of powers of named units. Units with the same names and powers are equal."""

    __slots__ = ("_hash", "powers")

    def __init__(self, powers: Iterable[tuple[str, Power]]) -> None:
        """Make the product of these units, given by full name, such as ``gigabyte``, and power."""
        total: dict[str, Power] = defaultdict(int)
        for name, power in powers:
            total[name] += power
        self.powers = tuple(
            (name, int(power) if power == int(power) else power)
            for name, power in sorted(total.items())
            if power
        )
        self._hash = hash(self.powers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unit) and self.powers == other.powers

    def __hash__(self) -> int:
        return self._hash

    def __mul__(self, other: Unit) -> Unit:
        return Unit((*self.powers, *other.powers))

    def __truediv__(self, other: Unit) -> Unit:
        return self * other**-1

    def __pow__(self, by: Power) -> Unit:
        return Unit((name, power * by) for name, power in self.powers)

    def __str__(self) -> str:
        """Return the full names: ``gigabyte / second``."""
        return _written(self.powers, " ") or "dimensionless"

    def __repr__(self) -> str:
        return f"Unit({str(self)!r})"

    @property
    def dimensionless(self) -> bool:
        """Whether the unit converts to a plain number."""
        return not _dimension(self)


@cache
def unit(text: str) -> Unit:
    """Return the unit that ``text`` names, such as ``GB/s``; "" and ``×`` are plain numbers.

    Raises ``UnitError`` for any other text.
    """
    if len(text) > _LONGEST:
        raise UnitError(f"{text[:_LONGEST]!r}… is longer than {_LONGEST} characters")
    if re.search(r"\d", _POWER.sub("", _ONE.sub("", text))):
        message = f"{text!r}: a power in a unit is one digit after a name, such as s**2"
        raise UnitError(message)
    if re.search(r"(?<![A-Za-z])K(?:B|bit)\b", text):
        raise UnitError(f"{text!r} may mean 1000 or 1024: write kB or KiB")
    tokens = [*_tokens(text)]
    try:
        found = _product(iter(tokens), closed=False) if tokens else Unit(())
    except (LookupError, RecursionError) as error:
        raise UnitError(f"{text!r} is no unit that is known here") from error
    return found


@lru_cache(maxsize=4096)
def factor(source: Unit, target: Unit) -> float:
    """Return the factor that converts a number from the unit ``source`` to ``target``.

    Raises ``UnitError`` if the dimensions differ or the factor is too large or too small.
    """
    if source == target:
        return 1.0
    if _dimension(source) != _dimension(target):
        raise UnitError(f"{name(source)} does not convert to {name(target)}")
    try:
        found = float(_size(source / target))
    except (OverflowError, ZeroDivisionError):
        found = 0.0
    if not 1 / LARGEST < found < LARGEST:
        message = f"the factor from {name(source)} to {name(target)} is too large or too small"
        raise UnitError(message)
    return found


def highest_power(of: Unit) -> float:
    """Return the largest absolute exponent in a unit: 2 for ``m/s**2``."""
    return max((abs(power) for _, power in of.powers), default=0)


def base(of: Unit) -> Unit:
    """Return the unit of the same dimension without prefix or factor: B/s for GB/s, 1 for %."""
    return Unit(_dimension(of))


def name(of: Unit) -> str:
    """Return the name of a unit for messages."""
    short = _written([(_symbol(each), power) for each, power in of.powers], "")
    return short.replace("percent", "%") or "a plain number"


def _written(powers: Iterable[tuple[str, Power]], gap: str) -> str:
    above: list[str] = []
    below: list[str] = []
    for each, power in powers:
        size = f"{abs(power):g}"
        (above if power > 0 else below).append(each if size == "1" else f"{each}{gap}**{gap}{size}")
    first = f"{gap}*{gap}".join(above) or ("1" if below else "")
    return "".join([first, *(f"{gap}/{gap}{each}" for each in below)])


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield ``(kind, text)``: names, ``**`` with its digit, the signs ``*/()``, and a leading 1.

    A blank between two factors becomes a ``*``. Raises ``UnitError`` for any other character.
    """
    one = _ONE.match(text)
    if one:
        yield "name", "dimensionless"
    at, end, ends = one.end() if one else 0, len(text.rstrip()), False
    while at < end:
        found = _TOKEN.match(text, at)
        assert found
        blank, word, power, digit, sign, _ = found.groups()
        if not (word or power or sign):
            raise UnitError(f"{text!r} is no unit")
        at = found.end()
        if blank and ends and (word or sign == "("):
            yield "sign", "*"
        yield ("name", word) if word else ("**", digit) if power else ("sign", sign or "")
        ends = bool(word or power or sign == ")")


def _product(tokens: Iterator[tuple[str, str]], *, closed: bool) -> Unit:
    """Return the product up to the closing bracket if ``closed``, otherwise up to the last token.

    Raises ``LookupError`` if the tokens are not a product of known units.
    """
    total, last = Unit(()), None  # ``last`` is the unit that a power would belong to
    sign: str | None = "*"  # the sign before the next factor; None right after a factor
    for kind, text in tokens:
        if kind == "**" and last:
            total, last = total * last ** (int(text) - 1), None
        elif kind == "sign" and text in "*·/" and sign is None:
            sign, last = text, None
        elif (kind, text) == ("sign", ")") and closed and sign is None:
            return total
        elif sign and (kind == "name" or text == "("):
            found = _named(text) if kind == "name" else _product(tokens, closed=True)
            found = found**-1 if sign == "/" else found
            total, last, sign = total * found, found if kind == "name" else None, None
        else:
            raise LookupError(text)
    if closed or sign:
        raise LookupError("a bracket or a unit is missing")
    return total


@cache
def _named(text: str) -> Unit:
    """Return the unit with this name, full or short, also plural; ``LookupError`` if none has."""
    text = _WORDS.get(text, text).translate(_MICRO)
    if text in _PLAIN_NAMES:
        return Unit(())
    found = _known().get(text)
    if found:
        return Unit([(found, 1)])
    for plural in ("", "s"):
        for prefix, (symbol, _) in _PREFIXES.items():
            for each in (prefix, symbol):
                rest = text.removeprefix(each).removesuffix(plural)
                whole = text == f"{each}{rest}{plural}" and not (plural and len(rest) == 1)
                if whole and rest in _known():
                    return Unit([(prefix + _known()[rest], 1)])
        rest = text.removesuffix("s")
        if rest != text and len(rest) > 1 and rest in _known():
            return Unit([(_known()[rest], 1)])
    raise LookupError(text)


@cache
def _known() -> dict[str, str]:
    """Return the full name of each unit by its full name, its symbol and its plural."""
    known = {}
    for full, symbol in _BASES.items():
        known[full] = known[symbol] = full
    for full, (symbol, _, _) in _DERIVED.items():
        known[full] = known[symbol] = full
    for full in _COUNTS:
        plural = full + ("es" if full.endswith(("ss", "ch")) else "s")
        known[full] = known[plural if not full.endswith("ry") else f"{full[:-1]}ies"] = full
    return known


@cache
def _parts(full: str) -> tuple[str, Fraction, str]:
    """Split a full name: its symbol, the factor of its prefix, and the name without the prefix."""
    if full not in _known():
        for prefix, (symbol, by) in _PREFIXES.items():
            rest = full.removeprefix(prefix)
            if rest != full and _known().get(rest) == rest:
                return symbol + _parts(rest)[0], by, rest
    symbol = _BASES.get(full) or (_DERIVED[full][0] if full in _DERIVED else full)
    return symbol, Fraction(1), full


def _symbol(full: str) -> str:
    return _parts(full)[0]


@lru_cache(maxsize=4096)
def _dimension(of: Unit) -> tuple[tuple[str, Power], ...]:
    """Return the powers of the base units."""
    powers: list[tuple[str, Power]] = []
    for full, power in of.powers:
        plain = _parts(full)[2]
        bases = {plain: 1} if plain in _BASES else _DERIVED[plain][2] if plain in _DERIVED else {}
        powers += ((each, by * power) for each, by in bases.items())
    return Unit(powers).powers


def _size(of: Unit) -> Fraction | float:
    """Return how many base units the unit is; the number is exact if all powers are whole."""
    size: Fraction | float = Fraction(1)
    for full, power in of.powers:
        _, by, plain = _parts(full)
        by *= _DERIVED[plain][1] if plain in _DERIVED else 1
        size *= by**power
    return size
