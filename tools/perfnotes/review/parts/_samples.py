"""Results whose samples changed, or whose lab changed while the samples did not.

A digest shows only that a file is intact: a person who edits the samples can compute a new digest.
So a reviewer has to look at samples that changed although the source of the lab did not.
"""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.model.machine import Machine
from perfnotes.model.result import Result
from perfnotes.review.entry import Line, ReportEntry, line, listed
from perfnotes.review.pair import Pair


def entries(pair: Pair) -> Iterator[ReportEntry]:
    """Yield what changed in the results of each lab and machine, removed results too."""
    old = {pair.id_now(id): results for id, results in pair.old.library.results.items()}
    for id, new in pair.new.library.results.items():
        before = old.get(id, {})
        for machine in sorted(before.keys() & new.keys()):
            path = f"notes/{id}/lab/results/{machine}.json"
            name = line("{} on {}", id, machine)
            for kind, details in _changes(before[machine], new[machine]):
                yield ReportEntry(kind, name, details, path)
        for machine in sorted(before.keys() - new.keys()):
            if id in pair.new.library.labs:
                yield ReportEntry("result removed", line("{} on {}", id, machine))


def _changes(was: Result, now: Result) -> Iterator[tuple[str, tuple[Line, ...]]]:
    moved = [id for id, run in now.runs.items() if id in was.runs and was.runs[id] != run]
    samples = [id for id in moved if was.runs[id].quantities != now.runs[id].quantities]
    samples += [id for id in was.runs if id not in now.runs]
    outputs = [id for id in moved if was.runs[id].output != now.runs[id].output]
    same_source = was.lab_digest == now.lab_digest
    is_same_recording = (was.date, was.commit) == (now.date, now.commit)
    details = [line("the source of the lab is the same")] if same_source else []
    if is_same_recording:
        details.append(line("date and commit are the same: a new recording has others"))
    if samples:
        yield "samples changed", (line("runs: {}", listed(samples)), *details)
    if outputs and not samples:
        yield "output changed", (line("runs: {}", listed(outputs)), *details)
    if not same_source and not moved and was.runs:
        words = line("the source of the lab changed, and every sample is as before")
        yield "source changed without a new recording", (words,)
    hardware = [name for name in Machine.__struct_fields__ if _is_other_machine(was, now, name)]
    if hardware:
        yield "machine of a result changed", (line("{}", listed(hardware)),)
    about = ("versions", "flags", "unfit")
    rest = [name for name in about if getattr(was, name) != getattr(now, name)]
    if rest and not moved:
        yield "result edited", (line("{}", listed(rest)), *details)


def _is_other_machine(was: Result, now: Result, name: str) -> bool:
    """Return whether a field of the machine differs that is the same in every recording on it."""
    return bool(getattr(was.machine, name) != getattr(now.machine, name)) and name not in (
        "kernel", "microcode", "memory", "governor", "system",
    )  # fmt: skip
