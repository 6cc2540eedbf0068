"""A Binding: a number of a text, held against the value that its link names."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator

from msgspec import Struct

from perfnotes.graph.resolve import Problem
from perfnotes.model.fact import Fact
from perfnotes.model.lab import Lab, Value
from perfnotes.model.quantity.shown import ShownError
from perfnotes.model.quantity.shown import parse as parse_shown
from perfnotes.model.quantity.units import UnitError, name, unit
from perfnotes.model.verdict import Verdict
from perfnotes.text.tokens import Link


class Found(Struct, frozen=True):
    """What a binding's address names.

    ``number`` is None if the address names nothing, or something without a value; ``problem`` then
    says why. For a lab, ``stat`` is the part of the spread that the address names (``low``, ``n``),
    empty for the median.
    """

    lab: Lab | None = None
    value: Value | None = None
    machine: str = ""
    stat: str = ""
    verdict: Verdict | None = None
    fact: Fact | None = None
    number: float | None = None
    unit: str = ""
    problem: Problem | None = None


class Binding(Struct, frozen=True):
    """One bound number of a text: its link, the address, the text shown and the value found."""

    link: Link
    address: str
    shown: str
    found: Found
    problem: Problem | None = None
    mended: str = ""  # the text with the right digits, if a program can write them


def compare(shown: str, found: Found) -> tuple[Problem | None, str]:
    """Compare a number as shown with the value found.

    Returns the problem and the text with the right digits. The problem is None if they agree; the
    text is empty if they agree or if more than the digits is wrong.
    """
    assert found.number is not None
    try:
        text = parse_shown(" ".join(shown.split()))
        if text.agrees(found.number, found.unit):
            other = text.other_fitting_unit(found.number, found.unit)
            if not other:
                return None, ""
            what = f"{shown} would be just as right in {other}"
            message = f"{what}: too few digits, or the wrong unit"
            return ("PN912", message, f"the value is {describe(found)}"), ""
        right = text.write(found.number, found.unit)
    except (ShownError, UnitError) as error:
        return ("PN912", str(error), f"the value is {describe(found)}"), ""
    message = f"the text shows {shown}, the value is {describe(found)}"
    return ("PN911", message, f"write {right}"), right


def describe(found: Found) -> str:
    """The value for a message, to six significant digits: ``9.4123 ×``. Whole numbers in full."""
    assert found.number is not None
    digits = f"{found.number:,.6g}" if found.number != int(found.number) else f"{found.number:,.0f}"
    of = found.unit if found.unit in ("×", "%") else name(unit(found.unit)) if found.unit else ""
    return f"{digits} {of}".strip()


class KnownAmounts:
    """The numbers with units that a text has evidence for; tells whether a text repeats one."""

    def __init__(self, known: Iterable[tuple[float, str]]) -> None:
        self._by_unit: dict[str, list[float]] = defaultdict(list)
        for number, of in sorted(set(known)):
            self._by_unit[of].append(number)
        self._answers: dict[str, bool] = {}

    def include(self, amount: str) -> bool:
        """Whether a text such as ``16×`` shows one of the numbers, rounded to its digits."""
        if amount not in self._answers:
            self._answers[amount] = any(
                compare(amount, Found(number=number, unit=of))[0] is None
                for number, of in self._near(amount)
            )
        return self._answers[amount]

    def _near(self, amount: str) -> Iterator[tuple[float, str]]:
        """Yield the numbers near an amount, because comparing with all would take minutes."""
        try:
            shown = parse_shown(" ".join(amount.split()))
        except ShownError:
            return
        for of, numbers in self._by_unit.items():
            try:
                low, high = shown.interval(of)
            except (ShownError, UnitError):
                continue
            for number in numbers[bisect_left(numbers, low) : bisect_right(numbers, high)]:
                yield number, of
