"""Verifying labs: their claims about counts are measured again, and recorded results are checked.

A recorded result must have the digest of its contents and come from the lab's present source.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct, field

from perfnotes.labs.box import LabError
from perfnotes.labs.find import Labs
from perfnotes.labs.fingerprint import fingerprint
from perfnotes.labs.report import amount, first_line, number, verdicts, where_it_ran
from perfnotes.labs.run import RunOutcome, Tell, Watch, run_lab, runs_of
from perfnotes.labs.scratch import Scratch
from perfnotes.model.lab import COUNT, Claim, Lab, Value
from perfnotes.model.result import Result
from perfnotes.model.verdict import HOLDS, NOT_RUN, Verdict, is_stale, judge


class VerifyReport(Struct):
    """The report on one lab: problems, claims that were not run, and a line for each claim."""

    lab: str
    wrong: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    lines: list[tuple[str, str, str]] = field(default_factory=list)  # claim, value, state
    where: str = ""  # whether it ran in the sandbox; empty if nothing ran


def verify(
    labs: Labs, ids: Sequence[str], tell: Tell, *, values: bool = False
) -> list[VerifyReport]:
    """The reports on the labs, in the order of ``ids``.

    Two labs run at a time, because that does not change counts. A person must have consented to
    running them. With ``values``, values of the kind count are measured again in addition to
    claims.
    """
    boxes: list[Scratch] = []
    over = threading.Event()

    def watch(box: Scratch) -> None:
        boxes.append(box)
        if over.is_set():
            box.stop()

    workers = min(2, len(os.sched_getaffinity(0)))
    fingerprint()  # fills its cache before the threads ask for it
    with ThreadPoolExecutor(workers) as pool:
        try:
            jobs = [pool.submit(_verify, labs, id, tell, watch, values) for id in ids]
            return [job.result() for job in jobs]
        except BaseException:
            # After Ctrl-C, running labs are stopped and waiting ones are not started.
            over.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for box in boxes:
                box.stop()
            raise


def _verify(labs: Labs, id: str, tell: Tell, watch: Watch, values: bool) -> VerifyReport:
    report = VerifyReport(id)
    if id in labs.broken:
        report.wrong += [str(finding) for finding in labs.broken[id]] or ["lab.yml cannot be read"]
        return report
    lab = labs.labs[id]
    report.wrong += [str(finding) for finding in labs.findings.get(id, [])]
    report.wrong += result_problems(lab, labs)
    counts = _counts(lab, values=values)
    if not counts:
        return report
    only = runs_of(counts)
    try:
        outcome = run_lab(lab, labs.root, tell, only=only, watch=watch, consent=True)
    except LabError as error:
        report.wrong.append(str(error))
        return report
    report.where = "" if outcome.not_run else where_it_ran(outcome)
    report.wrong += [f"{lab.id}: {run}: {why}" for run, why in outcome.failed.items()]
    found = verdicts(outcome)
    for claim in counts:
        _add_claim(labs, outcome, claim, found[claim.id], report)
    return report


def labs_to_run(labs: Labs, ids: Sequence[str], *, values: bool = False) -> list[Lab]:
    """The labs that ``verify`` runs, because a claim, or a value if ``values``, is a count."""
    found = (labs.labs[id] for id in ids if id in labs.labs)
    return [lab for lab in found if _counts(lab, values=values)]


def _counts(lab: Lab, *, values: bool) -> list[Value]:
    """The claims about counts; with ``values``, also the values that are counts."""
    judged: Mapping[str, Value] = lab.shown if values else lab.claims
    return [value for value in judged.values() if value.kind == COUNT]


def result_problems(lab: Lab, labs: Labs) -> list[str]:
    """The problems of a lab's recorded results: wrong digests and stale results."""
    wrong = []
    for machine, result in labs.results[lab.id].items():
        shown = labs.shown_file(lab.id, machine)
        if not result.is_as_recorded:
            wrong.append(
                f"{shown}: its digest does not match: the file was changed after recording; "
                f"{how_to_record(lab, machine)}"
            )
        if is_stale(lab, result):
            wrong.append(
                f"{shown}: stale: the lab's source has changed since; {how_to_record(lab, machine)}"
            )
    return wrong


def how_to_record(lab: Lab, machine: str) -> str:
    """A hint that says how to record the lab's result of ``machine`` again."""
    command = "replace" if machine == lab.reference else "record"
    where = "" if machine == fingerprint().id else f" on {machine}"
    return f"record again{where}: perfnotes lab {command} {lab.id}"


def _add_claim(
    labs: Labs, outcome: RunOutcome, claim: Value, found: Verdict, report: VerifyReport
) -> None:
    """Add to the report whether a claim holds now, and whether its number is the recorded one."""
    lab = outcome.lab
    value = amount(found.spread, claim.unit)
    if found.state == NOT_RUN:
        report.not_run.append(f"{lab.id}: {claim.id}: not run: {found.why}")
        report.lines.append((claim.id, "-", f"not run: {found.why}"))
        return
    if found.state != HOLDS:
        state = found.state + (f": {first_line(found.why)}" if found.why else "")
        report.lines.append((claim.id, value, state))
        expected = found.why
        if found.spread and isinstance(claim, Claim):
            expected = f"{value}, expected {claim.expect.text}"
        if not set(outcome.failed) & runs_of([claim]):  # a failed run is in the report already
            report.wrong.append(f"{lab.id}: {claim.id} {found.state}: {expected}")
        return
    recorded = comparable_result(labs, outcome)
    if recorded is None:
        report.lines.append((claim.id, value, "holds"))
        return
    was = judge(lab, claim, recorded)
    if was.spread is None or found.spread is None:
        report.lines.append((claim.id, value, "holds; the recorded result has no number"))
        return
    tolerance = claim.tolerance if isinstance(claim, Claim) else 0.0
    if differs(found.number, was.number, tolerance):
        then = number(was.number, claim.unit)
        report.lines.append((claim.id, value, f"holds, but {then} was recorded"))
        report.wrong.append(
            f"{lab.id}: {claim.id} is {number(found.number, claim.unit)}, recorded "
            f"{then} with the same compiler, libc and flags on {recorded.machine.id}: count "
            "what is deterministic, or give the claim a tolerance"
        )
        return
    report.lines.append((claim.id, value, "holds, as recorded"))


def comparable_result(labs: Labs, outcome: RunOutcome) -> Result | None:
    """The current result that was recorded with the same build lines and versions, if any.

    This machine's result is preferred, then the reference machine's.
    """
    lab = outcome.lab
    results = labs.results[lab.id]
    for machine in dict.fromkeys((fingerprint().id, lab.reference, *results)):
        result = results.get(machine)
        if result is None or is_stale(lab, result) or result.flags != outcome.flags:
            continue
        if all(result.versions.get(name) == text for name, text in outcome.versions.items()):
            return result
    return None


def differs(now: float, then: float, tolerance: float) -> bool:
    """Whether a count differs from the recorded one by more than the relative ``tolerance``.

    A relative difference of at most 1e-9 is a rounding error of a ratio.
    """
    return abs(now - then) > max(abs(then) * tolerance, abs(then) * 1e-9)
