"""``memory``: page faults, peak memory and CPU time of a whole process.

Quantities: ``minor_faults``, ``major_faults`` (counts), ``max_rss`` (B; of the largest among the
process and its children), ``cpu`` (s). They include the start of the program; if that matters,
subtract a run of a program that does nothing.
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import command_of, count, execute
from perfnotes.labs.instruments._schema import COMMAND, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

OPTIONS = options("command", command=COMMAND)


def needs(_run: Run) -> Needs:
    """Nothing."""
    return Needs()


def measure(run: Run, box: Box) -> Measurement:
    """Run the program once."""
    done = execute(run, box, command_of(run, box))
    quantities = {
        "minor_faults": count(done.minor_faults),
        "major_faults": count(done.major_faults),
        "max_rss": Samples((done.max_rss,), "B"),
        "cpu": Samples((done.cpu,), "s"),
    }
    return Measurement(quantities, done.stdout)
