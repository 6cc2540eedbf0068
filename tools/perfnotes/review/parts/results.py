"""Labs and results: claims that newly fail or hold, changed promises, results recorded again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfnotes.labs.report import amount
from perfnotes.model.lab import Claim, Lab, Value
from perfnotes.model.result import Result
from perfnotes.model.verdict import FAILS, HOLDS, Verdict, is_stale
from perfnotes.review.entry import Line, ReportEntry, ReportPart, line
from perfnotes.review.pair import Pair

PLACE = 40
_ORDER = (
    "fails now", "holds now", "promise changed", "recorded again", "result added",
    "result removed", "lab added", "lab changed", "lab removed",
)  # fmt: skip


def compare(pair: Pair) -> ReportPart:
    old = {pair.id_now(id): lab for id, lab in pair.old.library.labs.items()}
    new = pair.new.library.labs
    found: list[ReportEntry] = []
    for id in sorted(old.keys() | new.keys()):
        if id in old and id in new:
            found += _lab(pair, old[id], new[id])
        elif id in new:
            found += _added(new[id], pair.new.library.results[id])
        else:
            found.append(ReportEntry("lab removed", line("{}", id), (), f"notes/{id}/lab/lab.yml"))
    found.sort(key=lambda e: _ORDER.index(e.kind))
    return ReportPart("results", "Labs and results", tuple(found))


def _added(lab: Lab, results: Mapping[str, Result]) -> list[ReportEntry]:
    about = line("claims: {}, results: {}", len(lab.claims), len(results))
    return [ReportEntry("lab added", line("{}", lab.id), (about,), lab.source.path)]


def _lab(pair: Pair, old: Lab, new: Lab) -> Iterator[ReportEntry]:
    yield from _promises(old, new)
    before = pair.old.library.results.get(old.id, {})
    after = pair.new.library.results.get(new.id, {})
    if old.digest != new.digest:
        late = sorted(m for m, result in after.items() if is_stale(new, result))
        details = tuple(line("its result of {} is from the old sources", m) for m in late)
        yield ReportEntry(
            "lab changed",
            line("the sources or the recipe of the lab {} changed", new.id),
            details,
            new.source.path,
        )
    if old.reference != new.reference:
        words = line("{}: the text shows the result of {} instead of {}",
                     new.id, new.reference, old.reference)  # fmt: skip
        yield ReportEntry("lab changed", words, (), new.source.path)
    for machine in sorted(before.keys() | after.keys()):
        path = f"notes/{new.folder}/results/{machine}.json"
        was = pair.old.graph.evidence.verdicts(old, machine) if machine in before else {}
        now = pair.new.graph.evidence.verdicts(new, machine) if machine in after else {}
        name = line("{} on {}", new.id, machine)
        if machine not in after:
            yield ReportEntry("result removed", name, (), path)
            continue
        yield from _states(new, machine, was, now, path)
        if machine not in before:
            yield ReportEntry("result added", name, (), path)
        elif before[machine].digest != after[machine].digest:
            yield ReportEntry("recorded again", name, tuple(_values(was, now)), path)


def _states(
    lab: Lab, machine: str, was: Mapping[str, Verdict], now: Mapping[str, Verdict], path: str
) -> Iterator[ReportEntry]:
    """Yield the claims whose verdict changed, and new claims that do not hold."""
    for id, verdict in now.items():
        claim = verdict.value
        if not isinstance(claim, Claim):
            continue
        before = was[id].state if id in was else ""
        if verdict.state == before or (verdict.state == HOLDS and not before):
            continue
        kind = "holds now" if verdict.state == HOLDS else "fails now"
        value = amount(verdict.spread, claim.unit)
        words = line("{} on {}: claim {}, which expects {}, comes to {}",
                     lab.id, machine, id, claim.expect.text, value)  # fmt: skip
        details = [] if verdict.state in (HOLDS, FAILS) else [line("it is {}", verdict.state)]
        details += [line("{}", verdict.why)] if verdict.why else []
        yield ReportEntry(kind, words, tuple(details), path)


def _values(was: Mapping[str, Verdict], now: Mapping[str, Verdict]) -> Iterator[Line]:
    """Yield old and new of each claim and value whose shown amount changed."""
    for id, verdict in now.items():
        unit = verdict.value.unit
        before, after = was.get(id), amount(verdict.spread, unit)
        then = amount(before.spread, before.value.unit) if before else "-"
        if then != after:
            yield line("{}: {} → {}", id, then, after)


def _promises(old: Lab, new: Lab) -> Iterator[ReportEntry]:
    """Yield the claims and values that were added, changed or removed."""
    before, after = old.shown, new.shown
    for id in [*after, *(i for i in before if i not in after)]:
        was, now = before.get(id), after.get(id)
        path = new.source.path
        if was is None and now is not None:
            words = line("{}: {} is new: {}", new.id, id, _promise(now))
            yield ReportEntry("promise changed", words, (), path)
        elif now is None:
            yield ReportEntry("promise changed", line("{}: {} is gone", new.id, id), (), path)
        elif was is not None and (details := tuple(_differences(was, now))):
            yield ReportEntry("promise changed", line("{}: {}", new.id, id), details, path)


def _promise(value: Value) -> str:
    expects = f" {value.expect.text}" if isinstance(value, Claim) else ""
    return f"{value.expression.text}{expects} [{value.unit}]"


def _differences(old: Value, new: Value) -> Iterator[Line]:
    pairs = [
        (line("what: {} → {}"), old.what.en, new.what.en),
        (line("expression: {} → {}"), old.expression.text, new.expression.text),
        (line("unit: {} → {}"), old.unit, new.unit),
        (line("kind: {} → {}"), old.kind, new.kind),
    ]
    if isinstance(old, Claim) and isinstance(new, Claim):
        pairs += [
            (line("expects: {} → {}"), old.expect.text, new.expect.text),
            (line("control: {} → {}"), old.control.text, new.control.text),
            (line("because: {} → {}"), old.because.en, new.because.en),
            (line("tolerance: {} → {}"), str(old.tolerance), str(new.tolerance)),
        ]
    elif isinstance(old, Claim) is not isinstance(new, Claim):
        promises = isinstance(new, Claim)
        yield line("it promises something now" if promises else "it promises nothing any more")
    for words, was, now in pairs:
        if was != now:
            yield Line(words.words, (was, now))
