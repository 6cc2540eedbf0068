"""``mca``: how many cycles a loop's body takes on a model of a processor, by llvm-mca.

Quantities of ``file`` (assembly) on ``cpu`` such as ``znver3``: ``cycles instructions uops``
(counts over ``iterations``, 100 unless given), ``ipc`` (instructions per cycle) and
``block_rthroughput`` (the least cycles per iteration that the processor's resources allow, to one
decimal). ``region`` names the region if ``# LLVM-MCA-BEGIN name`` marks more than one. The model
has no caches and no branch prediction. Models change between versions: ``llvm: 14`` requires
llvm-mca-14; without it any version is used.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from perfnotes.labs.box import Box, CannotRunError, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import ANY_STATUS, count, execute, file_of, quoted
from perfnotes.labs.instruments._mca_report import choose
from perfnotes.labs.instruments._schema import FILE, NAME, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

OPTIONS = options(
    "file",
    "cpu",
    file=FILE,
    cpu={"type": "string", "pattern": "^[a-z0-9][a-z0-9._-]{0,50}$"},
    region=NAME,
    iterations={"type": "integer", "minimum": 1, "maximum": 100000},
    triple={"type": "string", "pattern": "^[a-z0-9_]+-[a-z0-9_-]{1,50}$"},
    llvm={"type": "integer", "minimum": 8, "maximum": 999},
)
_NUMBERED = re.compile(r"llvm-mca-(\d+)")


def needs(run: Run) -> Needs:
    """The required version, or only the package: ``measure`` then looks for any version."""
    if version := run.options.get("llvm"):
        return Needs(tools=(f"llvm-mca-{version}",), debian=(f"llvm-{version}",))
    return Needs(debian=("llvm",))


def measure(run: Run, box: Box) -> Measurement:
    """Run llvm-mca on the file."""
    path, cpu = file_of(run, box), run.options["cpu"]
    tool = f"llvm-mca-{run.options['llvm']}" if "llvm" in run.options else find()
    arguments = [tool, f"-mcpu={cpu}", "-instruction-info=0", "-resource-pressure=0"]
    arguments += [f"-iterations={run.options.get('iterations', 100)}"]
    if "triple" in run.options:
        arguments += [f"-mtriple={run.options['triple']}"]
    done = execute(run, box, [*arguments, path], accept=ANY_STATUS)
    if "not a recognized processor" in done.stderr:
        raise CannotRunError(f"needs an llvm-mca that knows {cpu}; {tool} does not")
    if "error:" in done.stderr:
        raise LabError(f"{tool} printed {quoted(done.stderr)}")
    found = choose(done.stdout, run.options.get("region", ""))
    quantities = {
        "cycles": count(found.cycles),
        "instructions": count(found.instructions),
        "uops": count(found.uops),
        "ipc": Samples((found.instructions / found.cycles,)),
        "block_rthroughput": Samples((found.block_rthroughput,)),
    }
    return Measurement(quantities)


def find(path: str | None = None) -> str:
    """The name of an llvm-mca in PATH: ``llvm-mca``, or else the newest ``llvm-mca-N``.

    ``CannotRunError`` if there is none.
    """
    folders = (os.environ.get("PATH", "") if path is None else path).split(":")
    names = {file.name for folder in folders if folder for file in Path(folder).glob("llvm-mca*")}
    if "llvm-mca" in names:
        return "llvm-mca"
    versions = [int(m[1]) for m in map(_NUMBERED.fullmatch, names) if m]
    if not versions:
        raise CannotRunError("needs llvm-mca (Debian: llvm)")
    return f"llvm-mca-{max(versions)}"
