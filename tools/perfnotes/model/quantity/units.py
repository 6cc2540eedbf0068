"""Units of measure: the few that notes use, defined here and converted by pint.

Bytes, FLOP and transfers each have their own dimension, so that GB/s does not convert to GFLOP/s.
Cycles, cores, lanes, pages and the like are plain counts. ``GB`` is 10^9 bytes, ``GiB`` 2^30.
``KB`` is refused, because some write it for 1000 bytes and some for 1024.
"""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from typing import Any

_DEFINITIONS = """
nano- = 1e-9 = n-
pico- = 1e-12 = p-
micro- = 1e-6 = u-
milli- = 1e-3 = m-
kilo- = 1e3 = k-
mega- = 1e6 = M-
giga- = 1e9 = G-
tera- = 1e12 = T-
peta- = 1e15 = P-
exa- = 1e18 = E-
kibi- = 2**10 = Ki-
mebi- = 2**20 = Mi-
gibi- = 2**30 = Gi-
tebi- = 2**40 = Ti-
second = [time] = s
minute = 60 * second = min
hour = 60 * minute = h
byte = [information] = B
bit = byte / 8
flop = [floating_point_operation] = FLOP
integer_operation = [integer_operation] = OP
operations_per_second = OP / second = OPS
transfer = [transfer] = T
joule = [energy] = J
watt = joule / second = W
volt = [voltage] = V
kelvin = [temperature] = K
metre = [length] = m
hertz = 1 / second = Hz
percent = 0.01
ppm = 1e-6
"""
_COUNTS = (
    "access bank block branch call channel core cycle device element entry event fault fork "
    "gpu instruction iteration lane level line link load lookup miss object op operation page "
    "parameter pin port register request row sample sector set sm socket spill stack store symbol "
    "syscall thread token value warp way word"
).split()
_WRITTEN = re.compile(r"%|‰|×|[µμ]|·|[^\W\d_]+|\d+|\s+|\*\*|[*/^().-]")
_POWER = re.compile(r"(?<=[^\W\d_])\s*(?:\*\*|\^)\s*[1-9](?!\s*(?:[\d.]|\*\*|\^))")
_ONE_OVER = re.compile(r"^\s*1\s*(?:/|$)")
_LONGEST = 60  # characters of a unit
_SYMBOLS = {"%": "percent", "×": "dimensionless", "µ": "u", "μ": "u", "·": "*", "^": "**"}
_WORDS = {
    "bits": "bit", "bytes": "byte", "倍": "dimensionless", "times": "dimensionless",
    "字节": "byte", "比特": "bit", "位": "bit", "纳秒": "nanosecond", "微秒": "microsecond",
    "毫秒": "millisecond", "秒": "second", "分钟": "minute", "周期": "cycle", "页": "page",
    "行": "line", "路": "way", "条": "entry", "请求": "request",
}  # fmt: skip


LARGEST = 1e300
"""Every number must be smaller than this, so that adding a few of them cannot overflow."""


class UnitError(ValueError):
    """A unit is not known, or does not convert to another."""


@cache
def _registry() -> Any:
    import pint  # noqa: PLC0415 - importing it takes long, and most runs need no unit

    registry: Any = pint.UnitRegistry(None, case_sensitive=True, cache_folder=None)
    registry.load_definitions(_DEFINITIONS.strip().splitlines())
    for name in _COUNTS:
        plural = name + ("es" if name.endswith(("ss", "ch")) else "s")
        plural = plural if not name.endswith("ry") else name[:-1] + "ies"
        registry.define(f"{name} = 1 = _ = {plural}")
    return registry


@cache
def unit(text: str) -> Any:
    """Return the unit that ``text`` names, such as ``GB/s``; "" and ``×`` are plain numbers.

    Raises ``UnitError`` for any other text.
    """
    if len(text) > _LONGEST:
        raise UnitError(f"{text[:_LONGEST]!r}… is longer than {_LONGEST} characters")
    # pint computes powers and numbers before it checks the unit, so huge ones would never finish.
    if re.search(r"\d|\*\*|\^", _ONE_OVER.sub("/", _POWER.sub("", text))):
        message = f"{text!r}: a power in a unit is one digit after a name, such as s**2"
        raise UnitError(message)
    parts = _WRITTEN.findall(text)
    if "".join(parts) != text or re.search(r"[*/.-]\s*[*/.-](?<!\*\*)|[*/.-]\s*$", text):
        raise UnitError(f"{text!r} is no unit")
    if re.search(r"(?<![A-Za-z])K(?:B|bit)\b", text):
        raise UnitError(f"{text!r} may mean 1000 or 1024: write kB or KiB")
    written = "".join(_WORDS.get(p, _SYMBOLS.get(p, p)) for p in parts).strip()
    if not written:
        return _registry().dimensionless
    try:
        found = _registry().parse_units(written)
    except Exception as error:  # pint raises many kinds: undefined, syntax, type, token errors
        raise UnitError(f"{text!r} is no unit that is known here") from error
    return found


@lru_cache(maxsize=4096)
def factor(source: Any, target: Any) -> float:
    """Return the factor that converts a number from the unit ``source`` to ``target``.

    Raises ``UnitError`` if the dimensions differ or the factor is too large or too small.
    """
    from pint import DimensionalityError  # noqa: PLC0415 - loaded already: it made the units

    try:
        if source == target:
            return 1.0
        found = float(_registry().convert(1.0, source, target))
    except DimensionalityError as error:
        raise UnitError(f"{name(source)} does not convert to {name(target)}") from error
    except ArithmeticError:
        found = math.inf
    if not 1 / LARGEST < found < LARGEST:
        message = f"the factor from {name(source)} to {name(target)} is too large or too small"
        raise UnitError(message)
    return found


def highest_power(of: Any) -> float:
    """Return the largest absolute exponent in a unit: 2 for ``m/s**2``."""
    from pint.util import to_units_container  # noqa: PLC0415 - loaded already: it made the units

    return max((abs(power) for power in to_units_container(of).values()), default=0)


def base(of: Any) -> Any:
    """Return the unit of the same dimension without prefix or factor: B/s for GB/s, none for %."""
    return _registry().get_base_units(of)[1]


def name(of: Any) -> str:
    """Return the name of a unit for messages."""
    text = f"{of:~}" if str(of) != "dimensionless" else ""
    return text.replace("percent", "%").replace(" ", "") or "a plain number"
