"""``output``: what a program prints, kept to be shown in notes.

Quantities, both counts: ``lines`` of its output, and ``exit_status``. A status other than 0 is a
failure unless ``status`` says that it is the one to expect.
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import count, execute, words
from perfnotes.labs.instruments._schema import COMMAND, options
from perfnotes.model.lab import Needs, Run

OPTIONS = options(
    "command", command=COMMAND, status={"type": "integer", "minimum": 0, "maximum": 255}
)


def needs(_run: Run) -> Needs:
    """Nothing."""
    return Needs()


def measure(run: Run, box: Box) -> Measurement:
    """Run the program once; any status but the expected one is the box's to refuse."""
    status = int(run.options.get("status", 0))
    done = execute(run, box, words(run, box), accept=(status,))
    # A last line without its end is a line as well.
    lines = done.stdout.count("\n") + (not done.stdout.endswith("\n") and bool(done.stdout))
    return Measurement({"lines": count(lines), "exit_status": count(status)}, done.stdout)
