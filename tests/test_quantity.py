"""Numbers with units: how they are written, computed and held against a promise."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfnotes.model.quantity import expectation, expression
from perfnotes.model.quantity.expression import ExpressionError, UnknownNameError
from perfnotes.model.quantity.shown import ShownError, parse
from perfnotes.model.quantity.units import UnitError, factor, unit
from perfnotes.model.quantity.vector import Vector, number, spread

PLAIN = unit("")
QUANTITIES = {
    "n": number(4096),
    "time.rows": Vector((1.0, 2.0, 4.0), unit("s")),
    "time.columns": Vector((10.0, 18.0, 36.0), unit("s")),
    "time.one": number(2, "s"),
    "count.misses": number(262_145),
    "bytes.read": number(8, "GiB"),
}


def lookup(name: str) -> Vector:
    if name not in QUANTITIES:
        raise UnknownNameError(name)
    return QUANTITIES[name]


def value(text: str) -> Vector:
    return expression.parse(text).evaluate(lookup)


def test_units_convert_within_their_dimension() -> None:
    assert factor(unit("GB/s"), unit("TB/s")) == pytest.approx(0.001)
    assert factor(unit("KiB"), unit("B")) == 1024
    assert factor(unit("kB"), unit("B")) == 1000
    assert factor(unit("Gbit/s"), unit("MB/s")) == pytest.approx(125)
    assert factor(unit("%"), unit("×")) == pytest.approx(0.01)
    assert factor(unit("MHz") * unit("T/cycle") * unit("bit/T"), unit("GB/s")) == pytest.approx(
        1.25e-4
    )


@pytest.mark.parametrize(
    "bad",
    [
        "KB",
        "KB/s",
        "foo",
        "GB//s",
        "1 +",
        "import os",
        "__class__",
        "9**9**9**9",
        "s**99",
        "s**9**9",
        "(KiB**9)**9",
        "s^(9)",
        "1e9 s",
        "s" * 1000,
    ],
)
def test_what_is_no_unit_is_refused(bad: str) -> None:
    with pytest.raises(UnitError):
        unit(bad)


@pytest.mark.parametrize(("a", "b"), [("GB/s", "GFLOP/s"), ("B", ""), ("s", "B"), ("GT/s", "GHz")])
def test_dimensions_are_kept_apart(a: str, b: str) -> None:
    with pytest.raises(UnitError):
        factor(unit(a), unit(b))


def test_samples_are_divided_in_pairs() -> None:
    ratio = value("time.columns / time.rows")
    assert list(ratio.samples) == [10, 9, 9]
    assert ratio.unit == PLAIN
    found = spread(ratio)
    assert (found.median, found.low, found.high, found.min, found.max, found.n) == (
        9, 9, 9.5, 9, 10, 3,
    )  # fmt: skip


def test_reductions_and_single_samples_go_with_everything() -> None:
    assert value("median(time.columns) / time.one").samples == (9,)
    assert value("time.rows - time.one").samples == (-1, 0, 2)
    assert value("len(time.rows) + max(time.rows) / first(time.rows)").samples == (7,)
    assert value("(n / 16) ** 2 + log2(n)").samples == (65_548,)
    assert value("bytes.read / time.one").to(unit("GiB/s")).samples == (4,)
    assert value("-n").samples == (-4096,)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("time.rows / nobody.here", "nobody.here"),
        ("time.rows + n", "does not convert"),
        ("n / 0", "division by zero"),
        ("log2(time.rows)", "does not convert"),
        ("sqrt(0 - n)", "root of a negative"),
        ("n ** 1000", "between -64 and 64"),
        ("(n ** 64) ** 64", "too large"),
        ("min()", r"min\(\) takes one or more values"),
        ("median(1, 2)", r"median\(\) takes one value"),
    ],
)
def test_what_cannot_be_computed_says_why(bad: str, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        value(bad)


@pytest.mark.parametrize(
    "bad",
    [
        "", "1 +", "open('x')", "__import__('os')", "a.b.c", "[1]", "lambda: 1", "x := 1", "'a'",
        "n if n else 1", "n.__class__.__mro__", "median(1, 2)", "median(x=1)", "True", "1 < 2",
        "(" * 500 + "1" + ")" * 500, "1j", "f'{n}'", "9" * 5000, "+".join("1" * 300),
        "-" * 900 + "1", "9" * 1900, "0x" + "f" * 1900, "1e999", "1e200 * 1e200", "9**9**9**9",
        "(bytes.read**64)**64",
    ],
)  # fmt: skip
def test_nothing_but_arithmetic_is_an_expression(bad: str) -> None:
    with pytest.raises(ExpressionError):
        value(bad)


@given(st.text(max_size=40))
def test_any_text_is_an_expression_or_an_error(text: str) -> None:
    with suppress(ExpressionError):
        assert expression.parse(text).evaluate(lookup).samples


@pytest.mark.parametrize(
    ("text", "number", "of", "holds"),
    [
        ("> 4", 4.0, "×", False), ("> 4", 4.1, "×", True), (">= 4", 4.0, "×", True),
        ("< 4", 3.9, "×", True), ("<= 4", 4.1, "×", False),
        ("== 109482240", 109_482_240, "", True), ("== 109482240", 109_482_241, "", False),
        ("within 2 % of 16", 16.3, "×", True), ("within 2 % of 16", 16.4, "×", False),
        ("between 3 and 8", 3, "×", True), ("between 3 and 8", 8.1, "×", False),
        ("> 4 and < 8", 6, "×", True), ("> 4 and < 8", 9, "×", False),
        ("== n ** 2 / 64 + 1", 262_145, "", True), ("> 12", 13, "%", True),
        ("within 1 % of count.misses", 262_000, "", True),
        ("< time.one", 1500, "ms", True), ("< time.one", 2500, "ms", False),
        ("between 1 and 2 and > 1.5", 1.7, "×", True),
        ("between 1 and 2 and > 1.5", 1.4, "×", False),
    ],
)  # fmt: skip
def test_expectations(text: str, number: float, of: str, holds: bool) -> None:
    assert expectation.parse(text).holds(number, unit(of), lookup) is holds


@pytest.mark.parametrize("bad", ["", "4", "about 4", "> ", "within of 4", "between 3", "!= 4"])
def test_what_is_no_expectation_says_what_is(bad: str) -> None:
    with pytest.raises(ExpressionError):
        expectation.parse(bad)


@pytest.mark.parametrize(
    ("text", "value", "of"),
    [
        ("9.4×", 9.4123, "×"), ("9.4 ×", 9.35, "×"), ("9.4 倍", 9.44, "×"), ("9 times", 9.4, "×"),
        ("262,145", 262_145, ""), ("262145", 262_145, ""), ("262\u2009145", 262_145, ""),
        ("16 lines", 16, "lines"), ("16", 16, "lines"),
        ("898 GB/s", 898.048, "GB/s"), ("0.898 TB/s", 898.048, "GB/s"),
        ("26 M", 26_123_456, ""), ("26 million", 26_123_456, ""), ("2612 万", 26_123_456, ""),
        ("12 %", 12.4, "%"), ("12 %", 0.124, "×"), ("0.12×", 12.4, "%"),
        ("1.1 ns", 1.05e-9, "s"), ("64 KiB", 65_536, "B"), ("-3 %", -2.6, "%"), ("−3 %", -2.6, "%"),
        ("240 请求/秒", 240, "requests/s"),
        ("240 requests/s", 240, "requests/s"), ("0.24 requests/ms", 240, "requests/s"),
        ("3.3 GHz", 3_300, "MHz"), ("64 B", 64, "B/line"),
        ("0", 0, ""), ("0 B", 0, "B"),
    ],
)  # fmt: skip
def test_a_text_agrees_with_its_value(text: str, value: float, of: str) -> None:
    shown = parse(text)
    assert shown.agrees(value, of)
    assert parse(shown.write(value, of)).agrees(value, of)


@pytest.mark.parametrize(
    ("text", "value", "of"),
    [
        ("9.5×", 9.4123, "×"), ("9.41×", 9.4163, "×"), ("262,146", 262_145, ""),
        ("898 GB/s", 898.6, "GB/s"), ("898 GiB/s", 898, "GB/s"), ("64 kB", 65_536, "B"),
        ("26 M", 26_623_456, ""), ("3 %", -2.6, "%"),
    ],
)  # fmt: skip
def test_other_digits_do_not_agree(text: str, value: float, of: str) -> None:
    assert not parse(text).agrees(value, of)


@pytest.mark.parametrize(
    ("text", "value", "of"),
    [
        ("9.4", 9.4, "×"), ("16×", 16, ""), ("16 pages", 16, "lines"), ("898", 898, "GB/s"),
        ("898 GFLOP/s", 898, "GB/s"), ("12 %", 12, ""), ("0 ms", 0, "s"),
        ("240 Hz", 240, "requests/s"), ("240 lines/s", 240, "requests/s"),
        ("3 lines/s", 3e-9, "GHz"), ("64 B/page", 64, "B"),
    ],
)  # fmt: skip
def test_other_units_are_said(text: str, value: float, of: str) -> None:
    with pytest.raises((ShownError, UnitError)):
        parse(text).agrees(value, of)


@pytest.mark.parametrize("bad", ["", "about 4", "4 KB", "four", "4 to 8 ns", "1,23", "x4", "4 foo"])
def test_what_is_no_number_is_said(bad: str) -> None:
    with pytest.raises(ShownError):
        parse(bad)


@pytest.mark.parametrize("text", ["3,5×", "0,25 ms", "1,2345", "1,234,5", "1234,567"])
def test_a_comma_before_decimals_is_said(text: str) -> None:
    with pytest.raises(ShownError, match=r"decimals follow a point, as in 3\.5"):
        parse(text)


def test_mended_digits_keep_the_style() -> None:
    assert parse("1.0×").write(9.4123, "×") == "9.4×"
    assert parse("1,000 B").write(65_536, "B") == "65,536 B"
    assert parse("1 ns").write(1.6e-9, "s") == "2 ns"
    assert parse("0.0 ms").write(3.21e-6, "s") == "0.0032 ms"
    assert parse("9 倍").write(16.2, "×") == "16 倍"
    assert parse("900").write(262_145, "") == "262,145"


@given(
    st.floats(0.001, 1e9, allow_nan=False), st.integers(0, 4), st.sampled_from(["ns", "µs", "ms"])
)
def test_what_is_written_agrees(value: float, decimals: int, of: str) -> None:
    text = parse(f"1.{'0' * decimals} {of}" if decimals else f"1 {of}").write(value, "ns")
    assert parse(text).agrees(value, "ns")


@pytest.mark.parametrize(
    ("text", "value", "of", "other"),
    [
        ("2 MB", 2, "MiB", "MiB"), ("2 MiB", 2, "MiB", ""), ("4 KiB", 4096, "B", ""),
        ("4 kB", 4096, "B", "KiB"), ("4.1 kB", 4096, "B", ""), ("1.0 MB", 1_048_736, "B", "MiB"),
        ("1.05 MB", 1_048_736, "B", ""), ("2 GB/s", 2, "GiB/s", "GiB/s"), ("9 ns", 9.2, "ns", ""),
    ],
)  # fmt: skip
def test_two_kinds_of_prefix_are_told_apart(text: str, value: float, of: str, other: str) -> None:
    assert parse(text).other_fitting_unit(value, of) == other


def test_a_number_shown_is_bounded_and_any_value_can_be_held_against_it() -> None:
    for text in ("9" * 10_000, "1." + "0" * 40):
        with pytest.raises(ShownError, match="more than 30 digits"):
            parse(text)
    assert not parse("1.000000000000000000000000000").agrees(1e299, "")
    assert parse("5 s").write(1e299, "s").startswith("100,000,")
    with pytest.raises(ShownError, match="too large"):
        parse("1 ns").agrees(1e299, "s")


@pytest.mark.parametrize("text", ["within 1.2.3 % of 4", "within .. % of 4", "> " + "9" * 400])
def test_a_bound_that_is_no_number_is_an_expression_error(text: str) -> None:
    with pytest.raises(ExpressionError):
        expectation.parse(text).holds(1.0, PLAIN, lookup)
