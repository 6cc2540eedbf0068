"""Verdicts: whether a lab's claims hold in a result, computed from the result's raw samples."""

from __future__ import annotations

from msgspec import Struct

from perfnotes.model.lab import Claim, Lab, Value
from perfnotes.model.quantity.expression import ExpressionError, Lookup, UnknownNameError
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.model.quantity.vector import Spread, Vector, number, spread
from perfnotes.model.result import Result

HOLDS, FAILS, NOT_RUN, BROKEN = "holds", "fails", "not run", "broken"


class Verdict(Struct, frozen=True):
    """The verdict on a claim or value in one result.

    ``state`` is one of four:

    - ``holds``: the expectation holds. A value without an expectation was measured.
    - ``fails``: the expectation does not hold.
    - ``not run``: the machine could not run what the value needs.
    - ``broken``: the value cannot be computed from this result, or the expectation also holds for
      the control, so that the claim proves nothing.

    ``why`` gives the reason for the last two. ``spread`` and ``control`` are the measured numbers,
    in the unit of ``value``.
    """

    value: Value
    state: str
    spread: Spread | None = None
    control: Spread | None = None
    why: str = ""

    @property
    def number(self) -> float:
        """The median of the measured numbers."""
        assert self.spread is not None
        return self.spread.median


def lookup_of(lab: Lab, result: Result | None) -> Lookup:
    """Return a function from the names in a lab's expressions to their values.

    A name is a parameter of the lab, or ``run.quantity`` of the result. The function raises
    ``UnknownNameError`` for any other name.
    """

    def lookup(name: str) -> Vector:
        if name in lab.parameters:
            return number(lab.parameters[name])
        run, dot, quantity = name.partition(".")
        if not dot:
            raise UnknownNameError(f"no parameter is called {name!r}")
        if run not in lab.runs:
            raise UnknownNameError(f"no run is called {run!r}")
        if result is None or run not in result.runs:
            raise UnknownNameError(f"the run {run!r} was not recorded")
        found = result.runs[run].quantities
        if quantity not in found:
            names = ", ".join(sorted(found)[:12]) or "none"
            raise UnknownNameError(f"{run!r} has no quantity {quantity!r}; it has {names}")
        return found[quantity].vector

    return lookup


def judge(lab: Lab, value: Value, result: Result) -> Verdict:
    """Return the verdict on one claim or value in ``result``."""
    wanted = value.all_runs if isinstance(value, Claim) else value.runs
    for id in sorted(wanted):
        run = result.runs.get(id)
        if run is not None and run.not_run:
            return Verdict(value, NOT_RUN, why=run.not_run)
    lookup = lookup_of(lab, result)
    try:
        target = unit(value.unit)
        found = spread(value.expression.evaluate(lookup).to(target))
        if not isinstance(value, Claim):
            return Verdict(value, HOLDS, found)
        control = spread(value.control.evaluate(lookup).to(target))
        if value.expect.holds(control.median, target, lookup):
            why = "the expectation holds for the control too, so the claim proves nothing"
            return Verdict(value, BROKEN, found, control, why)
        state = HOLDS if value.expect.holds(found.median, target, lookup) else FAILS
        return Verdict(value, state, found, control)
    except (ExpressionError, UnitError) as error:
        return Verdict(value, BROKEN, why=str(error))


def judge_all(lab: Lab, result: Result) -> dict[str, Verdict]:
    """Return the verdicts on all claims, then on all values, by id."""
    both = {**lab.claims, **lab.values}
    return {id: judge(lab, value, result) for id, value in both.items()}


def is_stale(lab: Lab, result: Result) -> bool:
    """Whether the lab's source has changed since the result was recorded."""
    return result.lab_digest != lab.digest
