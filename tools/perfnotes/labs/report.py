"""Claims and values as text for a terminal, and as JSON for scripts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from perfnotes.labs.run import RunOutcome
from perfnotes.model.lab import Claim, Lab
from perfnotes.model.quantity.vector import Spread
from perfnotes.model.result import Result
from perfnotes.model.verdict import BROKEN, FAILS, HOLDS, NOT_RUN, Verdict, judge_all


class Progress:
    """One line of progress on a terminal; prints nothing if standard error is not a terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()

    def tell(self, text: str) -> None:
        if self._on:
            print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Remove the line."""
        if self._on:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def verdicts(outcome: RunOutcome, result: Result | None = None) -> dict[str, Verdict]:
    """The verdict on every claim and value, by id, from what was just measured.

    If a claim is broken because a run failed, the verdict gives the run's error as its reason.
    """
    found = judge_all(outcome.lab, result or outcome.result())
    for id, verdict in found.items():
        value = verdict.value
        needed = value.all_runs if isinstance(value, Claim) else value.runs
        if verdict.state == BROKEN and (failed := sorted(needed & set(outcome.failed))):
            why = f"the run {failed[0]} failed: {outcome.failed[failed[0]]}"
            found[id] = Verdict(value, BROKEN, why=why)
    return found


def is_bad(verdict: Verdict) -> bool:
    """Whether a claim fails, or a claim or value could not be computed."""
    return verdict.state in (FAILS, BROKEN)


def number(value: float, unit: str) -> str:
    """A number with its unit, to four significant digits; from 10,000 to a million, to a whole.

    Whole numbers are shown in full.
    """
    if value == int(value) and abs(value) < 1e15:
        digits = f"{value:,.0f}"
    elif 1e-3 <= abs(value) < 1e6:
        digits = f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    else:
        digits = f"{value:.4g}"
    return f"{digits} {unit}".rstrip()


def amount(spread: Spread | None, unit: str) -> str:
    """The median, with the quartiles in brackets if they differ; "-" without a value."""
    if spread is None:
        return "-"
    text = number(spread.median, unit)
    if spread.n > 1 and spread.low != spread.high:
        text += f" ({number(spread.low, '')} to {number(spread.high, '')})"
    return text


def table(rows: Sequence[Sequence[str]], indent: str = "  ") -> str:
    """Rows as aligned columns; the last column has no fixed width."""
    if not rows:
        return ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        lines.append((indent + "  ".join([*cells, row[-1]])).rstrip())
    return "\n".join(lines) + "\n"


def claims_table(lab: Lab, found: Mapping[str, Verdict]) -> str:
    """A table of the claims (value, expectation, control, state), followed by the values."""
    rows = [["", "value", "expected", "control", ""]]
    for id, claim in lab.claims.items():
        v = found[id]
        value, control = amount(v.spread, claim.unit), amount(v.control, claim.unit)
        rows.append([id, value, claim.expect.text, control, _state(v)])
    for id, value_of in lab.values.items():
        v = found[id]
        state = "" if v.state == HOLDS else _state(v)
        rows.append([id, amount(v.spread, value_of.unit), "", "", state])
    return table(rows)


def _state(verdict: Verdict) -> str:
    why = f": {first_line(verdict.why)}" if verdict.why else ""
    if verdict.state == NOT_RUN:
        return f"not run{why}"
    return f"{verdict.state}{why}"


def first_line(text: str) -> str:
    """The first line of a message that may have several."""
    return text.split("\n", 1)[0]


def failures(outcome: RunOutcome) -> str:
    """The full message of every run that failed."""
    return "".join(f"{outcome.lab.id}: {id}: {why}\n" for id, why in outcome.failed.items())


def where_it_ran(outcome: RunOutcome) -> str:
    """Whether the lab ran in the sandbox."""
    return f"ran in a sandbox ({outcome.sandbox})" if outcome.sandbox else "ran without a sandbox"


def as_json(outcome: RunOutcome, result: Result, found: Mapping[str, Verdict]) -> dict[str, Any]:
    """The outcome as JSON data, with state, value and spread of each claim and value."""
    lab = outcome.lab
    return {
        "lab": lab.id,
        "machine": result.machine.id,
        "not_run": outcome.not_run,
        "sandbox": outcome.sandbox,
        "unfit": list(result.unfit),
        "failed": dict(outcome.failed),
        "runs": {
            id: {
                "seconds": run.seconds,
                "load": run.load,
                "not_run": run.not_run,
                "quantities": {
                    name: {"unit": q.unit, "samples": list(q.samples)}
                    for name, q in run.quantities.items()
                },
            }
            for id, run in result.runs.items()
        },
        "claims": {id: _verdict(found[id]) for id in lab.claims},
        "values": {id: _verdict(found[id]) for id in lab.values},
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    data: dict[str, Any] = {"state": verdict.state, "unit": verdict.value.unit}
    if verdict.why:
        data["why"] = verdict.why
    for name, spread in (("value", verdict.spread), ("control", verdict.control)):
        if spread:
            keys = ("median", "low", "high", "min", "max", "n")
            data[name] = {key: getattr(spread, key) for key in keys}
    return data


def summary(found: Iterable[Verdict]) -> str:
    """How many claims are in each state: ``3 hold, 1 fails``."""
    counts = {HOLDS: 0, FAILS: 0, BROKEN: 0, NOT_RUN: 0}
    for verdict in found:
        if isinstance(verdict.value, Claim):
            counts[verdict.state] += 1
    words = {
        HOLDS: ("holds", "hold"),
        FAILS: ("fails", "fail"),
        BROKEN: ("is broken", "are broken"),
        NOT_RUN: ("was not run", "were not run"),
    }
    parts = [f"{n} {words[state][n != 1]}" for state, n in counts.items() if n]
    return ", ".join(parts) or "no claims"
