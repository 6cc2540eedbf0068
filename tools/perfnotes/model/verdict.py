"""Verdicts: what a result says of a lab's claims and values, computed from its raw samples."""

from __future__ import annotations

from dataclasses import dataclass

from perfnotes.model.lab import Claim, Lab, Value
from perfnotes.model.quantity.expression import ExpressionError, Lookup, UnknownNameError
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.model.quantity.vector import Spread, Vector, number, spread
from perfnotes.model.result import Result

HOLDS, FAILS, NOT_RUN, BROKEN = "holds", "fails", "not run", "broken"


@dataclass(frozen=True)
class Verdict:
    """How a claim or value stands in one result; ``why`` says it where it is not plain.

    state: ``holds`` (of a value: it was measured), ``fails``, ``not run`` (``needs X``) or
    ``broken`` (it cannot be computed from this result). ``controlled`` is whether the control
    failed as it must; a claim with a control that holds proves nothing and is ``broken``.
    """

    value: Value
    state: str
    spread: Spread | None = None
    control: Spread | None = None
    why: str = ""

    @property
    def number(self) -> float:
        assert self.spread is not None
        return self.spread.median


def lookup_of(lab: Lab, result: Result | None) -> Lookup:
    """Names of a lab's expressions: its parameters, and the quantities of a result."""

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
            there = ", ".join(sorted(found)[:12]) or "none"
            raise UnknownNameError(f"{run!r} has no quantity {quantity!r}; it has {there}")
        return found[quantity].vector

    return lookup


def judge(lab: Lab, value: Value, result: Result) -> Verdict:
    """What ``result`` says of one claim or value."""
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
            why = "its control holds too, so that it proves nothing"
            return Verdict(value, BROKEN, found, control, why)
        state = HOLDS if value.expect.holds(found.median, target, lookup) else FAILS
        return Verdict(value, state, found, control)
    except (ExpressionError, UnitError) as error:
        return Verdict(value, BROKEN, why=str(error))


def judge_all(lab: Lab, result: Result) -> dict[str, Verdict]:
    """By id of claim or value what a result says of it; claims first."""
    both = {**lab.claims, **lab.values}
    return {id: judge(lab, value, result) for id, value in both.items()}


def is_stale(lab: Lab, result: Result) -> bool:
    """Whether the lab's source has changed since the result was recorded."""
    return result.lab_digest != lab.digest
