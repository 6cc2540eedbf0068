"""Recording a lab's result on this machine. A result file is written whole or not at all."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from perfnotes.labs.box import LabError
from perfnotes.labs.find import Labs
from perfnotes.labs.fingerprint import fingerprint
from perfnotes.labs.privacy import refuse_private_data
from perfnotes.labs.revision import commit
from perfnotes.labs.run import RunOutcome
from perfnotes.model.lab import Lab
from perfnotes.model.machine import Machine
from perfnotes.model.result import Result, dumps
from perfnotes.storage.write import write_atomically

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_REFERENCE = re.compile(r"^reference:[^\n]*$", re.MULTILINE)
_DURATION = re.compile(r"^duration:[^\n]*$", re.MULTILINE)


def this_machine(id: str = "") -> Machine:
    """This machine, under another id if ``id`` is given; ``LabError`` if that is no valid id."""
    if id and not _ID.fullmatch(id):
        raise LabError(f"{id!r} is no id: lower case letters, digits and hyphens")
    return replace(fingerprint(), id=id) if id else fingerprint()


def refusal(labs: Labs, lab: Lab, machine: str) -> str:
    """Why ``lab record`` must not write the result of ``machine``, or "" if it may."""
    if machine == lab.reference and machine in labs.results[lab.id]:
        return (
            f"{lab.id}: {machine} is the reference machine, whose numbers the text shows, and it "
            f"already has a result: `--machine NAME` writes yours beside it, "
            f"`perfnotes lab replace {lab.id}` replaces it"
        )
    return ""


def result_of(labs: Labs, outcome: RunOutcome, machine: Machine) -> Result:
    """What was measured, as the result that is to be written to a file.

    ``LabError`` if the lab was not run, a run failed, or the result holds private data.
    """
    lab = outcome.lab
    if outcome.not_run:
        raise LabError(f"{lab.id}: not run: {outcome.not_run}; nothing is recorded")
    if outcome.failed:
        raise LabError(f"{lab.id}: nothing is recorded, since runs failed")
    day = datetime.now(UTC).date().isoformat()
    result = outcome.result(machine, day, commit(labs.root))
    refuse_private_data(result, labs.root)
    return result


def write(labs: Labs, result: Result) -> Path:
    """Write the result's file and return its path.

    ``LabError`` if its folder is a symbolic link, which may lead out of the notes.
    """
    file = labs.file(result.lab, result.machine.id)
    if file.parent.is_symlink():
        raise LabError(f"{file.parent} is a symbolic link: nothing is written; make it a folder")
    file.parent.mkdir(exist_ok=True)
    write_atomically(file, dumps(result).encode())
    return file


def set_reference(labs: Labs, lab: Lab, machine: str) -> None:
    """Write ``reference: machine`` into ``lab.yml``; it replaces the line if there is one."""
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
