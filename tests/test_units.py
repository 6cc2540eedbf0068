"""Units are read, converted and named as pint does it, which computes in floating point."""

from __future__ import annotations

import logging
import random
from functools import cache
from typing import Any

import pint
import pytest

from perfnotes.model.quantity import units
from perfnotes.model.quantity.units import Unit, UnitError, base, factor, highest_power, name, unit
from tests.examples import times

PREFIXES = """
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
"""
NAMED = """
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
COUNTS = ("access accesses", "branch branches", "entry entries", "miss misses", "cycle cycles",
          "core cores", "op ops", "operation operations", "page pages", "lane lanes")  # fmt: skip
SHORT = "s min h B bit FLOP OP OPS T J W V K m Hz percent ppm".split()
NAMES = [*SHORT, *(line.split()[0] for line in NAMED.split("\n") if line and "_" not in line),
         *" ".join(COUNTS).split(), "bits", "bytes", "seconds", "dimensionless", "KB", "Kbit",
         "X", "sS"]  # fmt: skip
BEFORE = ["", "", "", "", *"n p u m k M G T P E Ki Mi Gi Ti".split(), "nano", "giga", "kibi"]


@cache
def registry() -> Any:
    made: Any = pint.UnitRegistry(None, case_sensitive=True, cache_folder=None)
    made.load_definitions([line for line in (PREFIXES + NAMED).split("\n") if line])
    for count in COUNTS:
        one, many = count.split()
        made.define(f"{one} = 1 = _ = {many}")
    return made


def theirs(text: str) -> Any:
    """Return the unit that pint reads, or None."""
    try:
        return registry().parse_units(text.replace("·", "*").replace("^", "**"))
    except Exception:
        return None


def ours(text: str) -> Unit | None:
    try:
        return unit(text)
    except UnitError:
        return None


def named(r: random.Random) -> str:
    power = r.choice(["", "", "", "", "", f"**{r.randint(1, 9)}", f" ^ {r.randint(1, 9)}"])
    return f"{r.choice(BEFORE)}{r.choice(NAMES)}{'s' if r.random() < 0.1 else ''}{power}"


def written(r: random.Random, depth: int = 0) -> str:
    """Return a unit as somebody might write it, right or wrong."""
    parts = [f"({written(r, depth + 1)})" if r.random() < 0.1 and depth < 2 else named(r)]
    for _ in range(r.choice([0, 0, 1, 1, 2])):
        parts += [r.choice(["/", "*", " ", " * ", " / ", "·"]), named(r)]
    return ("1/" if depth == 0 and r.random() < 0.15 else "") + "".join(parts)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    logging.getLogger("pint").setLevel(logging.ERROR)  # of prefixes that are units as well
    r = random.Random(1)
    found = {written(r) for _ in range(times(1500))}
    return sorted(text for text in found if len(text) <= 60)


def test_the_same_texts_are_units(texts: list[str]) -> None:
    def is_refused(text: str) -> bool:
        return "KB" in text or "Kbit" in text  # pint knows no K, but Ki before bit and byte

    wrong = [t for t in texts if (ours(t) is None) != (theirs(t) is None) and not is_refused(t)]
    assert wrong == []
    assert len(texts) / 3 < sum(ours(text) is not None for text in texts) < len(texts)


@pytest.mark.slow
def test_units_have_the_same_names_and_dimensions(texts: list[str]) -> None:
    for text in texts:
        one, other = ours(text), theirs(text)
        if one is None:
            continue
        assert str(one) == str(other), text
        short = f"{other:~}".replace("percent", "%").replace(" ", "")
        assert name(one) == (short or "a plain number"), text
        assert str(base(one)) == str(registry().get_base_units(other)[1]), text
        assert one.dimensionless == other.dimensionless, text
        assert highest_power(one) == max((abs(p) for p in other._units.values()), default=0)


@pytest.mark.slow
def test_units_convert_and_multiply_alike(texts: list[str]) -> None:
    r = random.Random(2)
    known = [text for text in texts if ours(text) is not None]
    by_base: dict[Unit, list[str]] = {}
    for text in known:
        by_base.setdefault(base(unit(text)), []).append(text)
    converted = 0
    for a in r.sample(known, times(500)):
        for b in (r.choice(by_base[base(unit(a))]), r.choice(known)):
            one, other = unit(a), unit(b)
            if base(one) != base(other):
                with pytest.raises(UnitError, match="does not convert to"):
                    factor(one, other)
                continue
            expected = registry().convert(1.0, theirs(a), theirs(b))
            if 1e-290 < expected < 1e290:
                assert factor(one, other) == pytest.approx(expected, rel=4e-15)
                converted += 1
        two = theirs(a), theirs(b)
        assert str(unit(a) * unit(b)) == str(two[0] * two[1])
        assert str(unit(a) / unit(b)) == str(two[0] / two[1])
        assert str(unit(a) ** 2) == str(two[0] ** 2)
    assert converted > times(375)


def test_factors_are_exact() -> None:
    """pint's factor of TFLOP/s to GFLOP/s is 1000.0000000000001."""
    assert factor(unit("TFLOP/s"), unit("GFLOP/s")) == 1000
    assert factor(unit("Gbit/s"), unit("MB/s")) == 125
    assert factor(unit("%"), unit("")) == 0.01
    assert factor(unit("B") ** 0.5, unit("KiB") ** 0.5) == 1 / 32


WRONG = """
kB(s) | () | GB/(s | GB/s) | /s | s/ | s**2**2 | (s)**2 | s2 | 2*s | 1/1 | s-s | m.s | s**0
"""


@pytest.mark.parametrize("text", WRONG.strip().split(" | "))
def test_what_is_no_product_of_units_is_refused(text: str) -> None:
    with pytest.raises(UnitError, match=r"is no unit|a power in a unit"):
        unit(text)


def test_every_count_has_its_plural() -> None:
    for count in units._COUNTS:
        plural = {"access": "accesses", "branch": "branches", "entry": "entries", "miss": "misses"}
        assert unit(plural.get(count, f"{count}s")) == unit(count)


def test_full_names_with_an_underscore_are_read_back() -> None:
    """A bound number compares the full name of a fact's unit with the unit in the text."""
    for text in ("TOP/s", "TOPS"):
        assert unit(str(unit(text))) == unit(text)
    with pytest.raises(UnitError):
        unit("integer__operation")
