"""``output``: what a program prints, recorded so that notes can show it.

Quantities, both counts: ``lines``, the number of lines that it prints, and ``exit_status``. The run
fails if the program ends with another status than ``status`` (0 unless given).
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import command_of, count, execute
from perfnotes.labs.instruments._schema import COMMAND, options
from perfnotes.model.lab import Needs, Run

OPTIONS = options(
    "command", command=COMMAND, status={"type": "integer", "minimum": 0, "maximum": 255}
)


def needs(_run: Run) -> Needs:
    """Nothing."""
    return Needs()


def measure(run: Run, box: Box) -> Measurement:
    """Run the program once; the box raises ``LabError`` for an unexpected status."""
    status = int(run.options.get("status", 0))
    done = execute(run, box, command_of(run, box), accept=(status,))
    # A last line without a line end counts as well.
    lines = done.stdout.count("\n") + (not done.stdout.endswith("\n") and bool(done.stdout))
    return Measurement({"lines": count(lines), "exit_status": count(status)}, done.stdout)
