"""Claims whose kind, expectation or control changed, and whether the expectation got looser."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.model.lab import TIMING, Claim, Lab, Value
from perfnotes.model.quantity.expression import ExpressionError
from perfnotes.model.quantity.units import UnitError, unit
from perfnotes.model.result import Result
from perfnotes.model.verdict import lookup_of
from perfnotes.review.entry import Line, ReportEntry, line
from perfnotes.review.pair import Pair


def entries(pair: Pair) -> Iterator[ReportEntry]:
    """Yield what changed in the claims and values of labs that both sides have."""
    old = {pair.id_now(id): lab for id, lab in pair.old.library.labs.items()}
    for id, new in pair.new.library.labs.items():
        if id not in old:
            continue
        path, was = new.source.path, old[id]
        results = (
            pair.old.graph.evidence.reference(was),
            pair.new.graph.evidence.reference(new),
        )
        for name, before in was.shown.items():
            for kind, words in _changes(was, new, before, new.shown.get(name), results):
                yield ReportEntry(kind, Line(f"{{}}, {{}}: {words.words}",
                                       (id, name, *words.values)), (), path)  # fmt: skip
        if was.reference != new.reference:
            words = line("{}: {} → {}", id, was.reference, new.reference)
            yield ReportEntry("reference machine changed", words, (), path)


def _changes(
    old: Lab,
    new: Lab,
    was: Value,
    now: Value | None,
    results: tuple[Result | None, Result | None],
) -> Iterator[tuple[str, Line]]:
    if now is None:
        yield ("claim removed" if isinstance(was, Claim) else "value removed"), line("it is gone")
        return
    if was.kind != now.kind:
        more = "; perfnotes lab verify does not run it any more" if now.kind == TIMING else ""
        yield "kind changed", Line("{} → {}" + more, (was.kind, now.kind))
    if was.unit != now.unit:
        yield "unit changed", line("{} → {}", was.unit, now.unit)
    if was.expression.text != now.expression.text:
        words = line("{} → {}", was.expression.text, now.expression.text)
        yield "expression changed", words
    if not isinstance(was, Claim):
        return
    if not isinstance(now, Claim):
        yield "control removed", line("it is a value now, which promises nothing")
        return
    if was.expect.text != now.expect.text or old.parameters != new.parameters:
        before, after = _range(old, was, results[0]), _range(new, now, results[1])
        kind = _expectation_change(before, after)
        if was.expect.text != now.expect.text or kind != "expectation rewritten":
            yield kind, line("{} → {}", was.expect.text, now.expect.text)
    if was.control.text != now.control.text:
        yield "control changed", line("{} → {}", was.control.text, now.control.text)
    if was.tolerance != now.tolerance:
        kind = "tolerance raised" if now.tolerance > was.tolerance else "tolerance lowered"
        yield kind, line("{} → {}", str(was.tolerance), str(now.tolerance))
    if was.null is not now.null:
        promised = "it promises no effect now" if now.null else "it promises an effect now"
        yield "null result changed", Line(promised)


def _range(lab: Lab, claim: Claim, result: Result | None) -> tuple[float, float] | None:
    try:
        return claim.expect.range(unit(claim.unit), lookup_of(lab, result))
    except (ExpressionError, UnitError):
        return None


def _expectation_change(was: tuple[float, float] | None, now: tuple[float, float] | None) -> str:
    """Return how the range of expected values changed, as an entry's kind.

    If one of the two ranges cannot be computed, it is "expectation changed".
    """
    if was is None or now is None:
        return "expectation changed"
    if was == now:
        return "expectation rewritten"
    if now[0] <= was[0] and was[1] <= now[1]:
        return "expectation loosened"
    if was[0] <= now[0] and now[1] <= was[1]:
        return "expectation tightened"
    return "expectation changed"
