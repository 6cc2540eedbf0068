"""Building a lab in a scratch folder and taking its measurements."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.fingerprint import fingerprint, scaling_driver
from perfnotes.labs.instruments import Measurement, instruments
from perfnotes.labs.load import clock, share_of_others
from perfnotes.labs.needs import missing_of_lab, missing_of_run
from perfnotes.labs.scratch import Scratch
from perfnotes.labs.versions import versions
from perfnotes.model.lab import TIMING, Claim, Lab, Run, Value
from perfnotes.model.machine import Machine
from perfnotes.model.result import Measured, Result, Samples

LARGEST_OUTPUT = 64 << 10
BUSIEST = 0.25  # share of the CPU time that others may take before timings deserve doubt
# With these drivers the governor powersave sets the clock by the load.
_BY_LOAD = ("intel_pstate", "amd-pstate-epp")

Tell = Callable[[str], None]
"""Is told what is going on, in a few words."""
Watch = Callable[[Scratch], None]
"""Is given a box, to stop it from another thread."""


@dataclass(frozen=True)
class Outcome:
    """What running a lab gave. ``failed`` says of runs without samples what went wrong."""

    lab: Lab
    not_run: str = ""  # "needs gcc": nothing was run
    runs: dict[str, Measured] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    folder: str = ""  # where the scratch folder was kept
    sandbox: str = ""  # such as "bubblewrap 0.8.0"; empty where it ran without one

    def result(self, machine: Machine | None = None, date: str = "", commit: str = "") -> Result:
        """As a result of this machine."""
        return Result(
            lab=self.lab.id,
            machine=machine or fingerprint(),
            lab_digest=self.lab.digest,
            date=date,
            commit=commit,
            versions=self.versions,
            flags=self.flags,
            runs=self.runs,
            unfit=unfit(self.lab, self.runs),
        )


def run_lab(
    lab: Lab,
    root: Path,
    tell: Tell,
    *,
    only: Collection[str] | None = None,
    keep: bool = False,
    watch: Watch | None = None,
    consent: bool = False,
) -> Outcome:
    """Build ``lab`` and do its runs (or ``only`` some) in the sandbox.

    ``consent`` says that somebody has agreed to what goes beyond the sandbox (see ``Scratch``).
    ``LabError`` where the lab cannot be built, or would need consent. ``watch`` is given the box,
    to stop it from elsewhere.
    """
    runs = [run for run in lab.runs.values() if only is None or run.id in only]
    if lacks := missing_of_lab(lab):
        return Outcome(lab, lacks, {run.id: Measured(run.tool, not_run=lacks) for run in runs})
    lacking = {run.id: missing_of_run(run, lab) for run in runs}
    with Scratch(lab, root, keep=keep, consent=consent) as box:
        if watch:
            watch(box)
        flags = build(lab, box, tell)
        done: dict[str, Measured] = {}
        failed: dict[str, str] = {}
        for i, run in enumerate(runs, 1):
            tell(f"{lab.id}: {run.id} ({i}/{len(runs)}, {run.tool})")
            if lacking[run.id]:
                done[run.id] = Measured(run.tool, not_run=lacking[run.id])
                continue
            try:
                done[run.id] = measure(run, box)
            except CannotRunError as error:
                done[run.id] = Measured(run.tool, not_run=str(error))
            except LabError as error:
                failed[run.id] = str(error)
        tell(f"{lab.id}: versions")
        able = [run for run in runs if not done.get(run.id, Measured("")).not_run]
        used = versions(lab, able, box)
        folder = str(box.path) if keep else ""
        sandbox = box.sandbox.name if box.sandbox else ""
        return Outcome(lab, "", done, failed, used, flags, folder, sandbox)


def build(lab: Lab, box: Scratch, tell: Tell) -> tuple[str, ...]:
    """The lab's build, and its lines as they were run; ``LabError`` where one fails."""
    lines = []
    for i, line in enumerate(lab.build, 1):
        tell(f"{lab.id}: build ({i}/{len(lab.build)})")
        words = box.words(line)
        try:
            box.execute(words, lab.limits)
        except LabError as error:
            raise LabError(f"{lab.id}: the build failed: {error}") from error
        except CannotRunError as error:
            message = f"{lab.id}: the build {error}, which is not among the lab's needs"
            raise LabError(message) from error
        lines.append(" ".join(words))
    return tuple(lines)


def measure(run: Run, box: Scratch) -> Measured:
    """All repetitions of one run."""
    tool = instruments()[run.tool]
    before, started = clock(), time.monotonic()
    rounds = [tool.measure(run, box) for _ in range(run.repeat)]
    seconds = time.monotonic() - started
    load = share_of_others(before, clock())
    keeps = run.output or run.tool == "output"
    return Measured(
        tool=run.tool,
        quantities=_together(rounds),
        output=_capped(box.clean(rounds[0].output)) if keeps else None,
        seconds=round(seconds, 3),
        load=load,
    )


def _together(rounds: list[Measurement]) -> dict[str, Samples]:
    """The samples of all repetitions, one after the other."""
    first = rounds[0].quantities
    for each in rounds[1:]:
        units = {name: samples.unit for name, samples in each.quantities.items()}
        if units != {name: samples.unit for name, samples in first.items()}:
            raise LabError("its repetitions give different quantities or units")
    return {
        name: Samples(
            tuple(_plain(s) for each in rounds for s in each.quantities[name].samples), of.unit
        )
        for name, of in first.items()
    }


def _plain(sample: float) -> float:
    """A whole number as such, so that results show counts as counts."""
    return int(sample) if abs(sample) < 2**53 and sample == int(sample) else float(sample)


def _capped(text: str) -> str:
    data = text.encode("utf-8", "replace")
    if len(data) <= LARGEST_OUTPUT:
        return text
    return data[:LARGEST_OUTPUT].decode("utf-8", "ignore").rpartition("\n")[0] + "\n…\n"


def runs_of(values: Iterable[Value]) -> set[str]:
    """The runs that claims and values rest on."""
    return {r for v in values for r in (v.all_runs if isinstance(v, Claim) else v.runs)}


def unfit(lab: Lab, runs: dict[str, Measured]) -> tuple[str, ...]:
    """Why timings taken here deserve doubt."""
    reasons = []
    timed = runs_of(v for v in lab.shown.values() if v.kind == TIMING)
    for id, run in runs.items():
        if id in timed and run.load is not None and run.load > BUSIEST:
            share = f"{run.load:.0%}".replace("%", " %")
            reasons.append(f"{id}: others took {share} of the machine's CPU time")
    slow = fingerprint().governor == "powersave" and scaling_driver() not in _BY_LOAD
    if timed & set(runs) and slow:
        reasons.append("the governor powersave holds the clock at its lowest")
    return tuple(reasons)


def with_id(machine: Machine, id: str) -> Machine:
    """The machine under a chosen id."""
    return replace(machine, id=id) if id else machine
