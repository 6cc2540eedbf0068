"""What recording, replacing and reproducing a result share: measure, print, write."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from perfnotes.labs.box import LabError
from perfnotes.labs.find import Labs
from perfnotes.labs.record import result_of, write
from perfnotes.labs.report import Progress, claims_table, failures, summary, verdicts
from perfnotes.labs.run import RunOutcome, run_lab
from perfnotes.model.lab import Lab
from perfnotes.model.machine import Machine
from perfnotes.model.result import Result
from perfnotes.model.verdict import Verdict


def measured(labs: Labs, lab: Lab, *, keep: bool = False) -> RunOutcome:
    """Run a lab that the user has agreed to run, with a line of progress on a terminal.

    With ``keep`` the scratch folder stays.
    """
    progress = Progress()
    try:
        return run_lab(lab, labs.root, progress.tell, keep=keep, consent=True)
    finally:
        progress.end()


def measure_and_print(labs: Labs, lab: Lab, machine: Machine) -> tuple[Result, dict[str, Verdict]]:
    """Run the lab, print what came out, and return the result with the verdict of each claim.

    Raises ``LabError`` if the outcome may not be recorded.
    """
    outcome = measured(labs, lab)
    sys.stderr.write(failures(outcome))
    result = result_of(labs, outcome, machine)
    found = verdicts(outcome, result)
    print_claims(lab, result, found)
    return result, found


def print_claims(lab: Lab, result: Result, found: Mapping[str, Verdict]) -> None:
    """Print each claim with its value and control, and why timings may be unfit."""
    print(f"{lab.id} on {result.machine.id}")
    sys.stdout.write(claims_table(lab, found))
    print(f"  {summary(found.values())}")
    for id, run in result.runs.items():
        if run.not_run:
            print(f"  {id}: not run: {run.not_run}")
    for reason in result.unfit:
        print(f"  unfit for timings, and recorded so: {reason}")


def save(labs: Labs, result: Result) -> str:
    """Write the result, print the path as findings show it, and return that path.

    Raises ``LabError`` if the file cannot be written.
    """
    try:
        write(labs, result)
    except OSError as error:
        where = labs.shown_file(result.lab, result.machine.id)
        raise LabError(f"{where}: cannot be written: {error.strerror}") from error
    shown = labs.shown_file(result.lab, result.machine.id)
    print(f"wrote {shown}")
    return shown
