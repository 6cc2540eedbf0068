"""Recording: a lab's result on this machine, written whole or not at all."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from perfnotes.labs.box import LabError
from perfnotes.labs.find import Labs
from perfnotes.labs.fingerprint import fingerprint
from perfnotes.labs.privacy import guard
from perfnotes.labs.revision import commit
from perfnotes.labs.run import Outcome, with_id
from perfnotes.model.lab import Lab
from perfnotes.model.machine import Machine
from perfnotes.model.result import Result, dumps
from perfnotes.storage.write import write_atomically

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_REFERENCE = re.compile(r"^reference:[^\n]*$", re.MULTILINE)
_DURATION = re.compile(r"^duration:[^\n]*$", re.MULTILINE)


def this_machine(id: str = "") -> Machine:
    """This machine, under its own id or a chosen one."""
    if id and not _ID.fullmatch(id):
        raise LabError(f"{id!r} is no id: lower case letters, digits and hyphens")
    return with_id(fingerprint(), id)


def refusal(labs: Labs, lab: Lab, machine: str) -> str:
    """Why a result of ``machine`` may not be written over without more ado, or nothing."""
    if machine == lab.reference and machine in labs.results[lab.id]:
        return (
            f"{lab.id}: {machine} is the reference machine, whose numbers the text shows, and it "
            f"has a result: `--machine NAME` writes yours beside it, and "
            f"`perfnotes lab replace {lab.id}` in its place"
        )
    return ""


def result_of(labs: Labs, outcome: Outcome, machine: Machine) -> Result:
    """What was measured as a result to be written; ``LabError`` where it may not be."""
    lab = outcome.lab
    if outcome.not_run:
        raise LabError(f"{lab.id}: not run: {outcome.not_run}; nothing is recorded")
    if outcome.failed:
        raise LabError(f"{lab.id}: nothing is recorded, since runs failed")
    day = datetime.now(UTC).date().isoformat()
    result = outcome.result(machine, day, commit(labs.root))
    guard(result, labs.root)
    return result


def write(labs: Labs, result: Result) -> Path:
    """Write the result's file."""
    file = labs.file(result.lab, result.machine.id)
    file.parent.mkdir(exist_ok=True)
    write_atomically(file, dumps(result).encode())
    return file


def set_reference(labs: Labs, lab: Lab, machine: str) -> None:
    """Name ``machine`` in the lab's ``reference:`` line."""
    file = labs.root / lab.folder / "lab.yml"
    text = file.read_bytes().decode("utf-8-sig")
    line = f"reference: {machine}"
    if _REFERENCE.search(text):
        text = _REFERENCE.sub(line, text, count=1)
    elif _DURATION.search(text):
        text = _DURATION.sub(lambda found: f"{found[0]}\n{line}", text, count=1)
    else:
        text = f"{line}\n{text}"
    write_atomically(file, text.encode())
