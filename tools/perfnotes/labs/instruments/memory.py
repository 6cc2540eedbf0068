"""``memory``: page faults, memory in use, CPU time of a whole process.

Quantities: ``minor_faults``, ``major_faults`` (counts), ``max_rss`` (B; the largest process of
those that it started), ``cpu`` (s). The program's start is in them: subtract a run that does
nothing where that matters.
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import count, execute, words
from perfnotes.labs.instruments._schema import COMMAND, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

OPTIONS = options("command", command=COMMAND)


def needs(_run: Run) -> Needs:
    """Nothing."""
    return Needs()


def measure(run: Run, box: Box) -> Measurement:
    """Run the program once."""
    done = execute(run, box, words(run, box))
    quantities = {
        "minor_faults": count(done.minor_faults),
        "major_faults": count(done.major_faults),
        "max_rss": Samples((done.max_rss,), "B"),
        "cpu": Samples((done.cpu,), "s"),
    }
    return Measurement(quantities, done.stdout)
