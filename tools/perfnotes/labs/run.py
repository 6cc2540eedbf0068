"""Building a lab in a scratch folder and measuring its runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from msgspec import Struct, field

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.fingerprint import fingerprint, scaling_driver
from perfnotes.labs.instruments import Measurement, instruments
from perfnotes.labs.load import clock, share_of_others
from perfnotes.labs.needs import missing, missing_of_run
from perfnotes.labs.scratch import Scratch
from perfnotes.labs.versions import versions
from perfnotes.model.lab import TIMING, Claim, Lab, Run, Value
from perfnotes.model.machine import Machine
from perfnotes.model.result import Measured, Result, Samples

MOST_OUTPUT_KEPT = 64 << 10  # bytes of a run's output that its result keeps
LARGEST_LOAD = 0.25  # share of CPU time of other processes, above which timings are doubtful
# With these drivers the governor powersave adapts the clock to the load.
_ADAPTIVE_DRIVERS = ("intel_pstate", "amd-pstate-epp")

Tell = Callable[[str], None]
"""A function that is called with a few words about what is being done."""
Watch = Callable[[Scratch], None]
"""A function that is called with the box, so that another thread can stop it."""


class RunOutcome(Struct, frozen=True):
    """The outcome of running a lab. ``failed`` has the error message of each failed run."""

    lab: Lab
    not_run: str = ""  # "needs gcc": nothing was run
    runs: dict[str, Measured] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    folder: str = ""  # the scratch folder, if it was kept
    sandbox: str = ""  # such as "bubblewrap 0.8.0"; empty if it ran without a sandbox

    def result(self, machine: Machine | None = None, date: str = "", commit: str = "") -> Result:
        """The outcome as a result, of this machine if no other is given."""
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
) -> RunOutcome:
    """Build ``lab`` and measure its runs (or those in ``only``) in the sandbox.

    ``consent`` says that a person has agreed to what goes beyond the sandbox (see ``Scratch``).
    ``keep`` keeps the scratch folder. ``watch`` is called with the box, so that another thread can
    stop it. ``LabError`` if the lab cannot be built or needs consent; a failing run only adds to
    ``failed`` of the outcome.
    """
    runs = [run for run in lab.runs.values() if only is None or run.id in only]
    if lacks := missing(lab.needs):
        return RunOutcome(lab, lacks, {run.id: Measured(run.tool, not_run=lacks) for run in runs})
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
        not_skipped = [run for run in runs if run.id in failed or not done[run.id].not_run]
        used = versions(lab, not_skipped, box)
        folder = str(box.path) if keep else ""
        sandbox = box.sandbox.name if box.sandbox else ""
        return RunOutcome(lab, "", done, failed, used, flags, folder, sandbox)


def build(lab: Lab, box: Scratch, tell: Tell) -> tuple[str, ...]:
    """Build the lab; return the command lines as they were run. ``LabError`` if one fails."""
    lines = []
    for i, line in enumerate(lab.build, 1):
        tell(f"{lab.id}: build ({i}/{len(lab.build)})")
        arguments = box.arguments(line)
        try:
            box.execute(arguments, lab.limits)
        except LabError as error:
            raise LabError(f"{lab.id}: the build failed: {error}") from error
        except CannotRunError as error:
            message = f"{lab.id}: the build {error}, which is not among the lab's needs"
            raise LabError(message) from error
        lines.append(" ".join(arguments))
    return tuple(lines)


def measure(run: Run, box: Scratch) -> Measured:
    """Measure all repetitions of one run."""
    tool = instruments()[run.tool]
    before, started = clock(), time.monotonic()
    rounds = [tool.measure(run, box) for _ in range(run.repeat)]
    seconds = time.monotonic() - started
    load = share_of_others(before, clock())
    keeps = run.output or run.tool == "output"
    return Measured(
        tool=run.tool,
        quantities=_joined(rounds),
        output=_capped(box.clean(rounds[0].output)) if keeps else None,
        seconds=round(seconds, 3),
        load=load,
    )


def _joined(rounds: list[Measurement]) -> dict[str, Samples]:
    """The samples of all repetitions, joined per quantity.

    ``LabError`` if the repetitions give different quantities or units.
    """
    first = rounds[0].quantities
    for each in rounds[1:]:
        units = {name: samples.unit for name, samples in each.quantities.items()}
        if units != {name: samples.unit for name, samples in first.items()}:
            raise LabError("its repetitions give different quantities or units")
    return {
        name: Samples(
            tuple(_plain(s) for each in rounds for s in each.quantities[name].samples),
            samples.unit,
        )
        for name, samples in first.items()
    }


def _plain(sample: float) -> float:
    """A whole number as an ``int``, so that results show counts without a decimal point."""
    return int(sample) if abs(sample) < 2**53 and sample == int(sample) else float(sample)


def _capped(text: str) -> str:
    """The first lines of an output, as many as a result keeps, with ``…`` for the others."""
    data = text.encode("utf-8", "replace")
    if len(data) <= MOST_OUTPUT_KEPT:
        return text
    return data[:MOST_OUTPUT_KEPT].decode("utf-8", "ignore").rpartition("\n")[0] + "\n…\n"


def runs_of(values: Iterable[Value]) -> set[str]:
    """The runs whose quantities the claims and values use."""
    return {r for v in values for r in (v.all_runs if isinstance(v, Claim) else v.runs)}


def unfit(lab: Lab, runs: dict[str, Measured]) -> tuple[str, ...]:
    """Reasons to doubt the timings of these runs, just measured on this machine; often none."""
    reasons = []
    timed = runs_of(v for v in lab.shown.values() if v.kind == TIMING)
    for id, run in runs.items():
        if id in timed and run.load is not None and run.load > LARGEST_LOAD:
            share = f"{run.load:.0%}".replace("%", " %")
            reasons.append(f"{id}: others took {share} of the machine's CPU time")
    slow = fingerprint().governor == "powersave" and scaling_driver() not in _ADAPTIVE_DRIVERS
    if timed & set(runs) and slow:
        reasons.append("the governor powersave holds the clock at its lowest")
    return tuple(reasons)
