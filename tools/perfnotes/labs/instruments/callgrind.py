"""``callgrind``: what a function costs with all that it calls, and how often it is called.

Quantities, all counts: those of cachegrind, of ``function`` alone, and ``calls`` (recursive ones
too) and ``Ir_inclusive`` (instructions of it and of what it calls). A list of functions is summed:
name none that calls another of the list.
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import count, several
from perfnotes.labs.instruments._callgrind_out import read
from perfnotes.labs.instruments._schema import COMMAND, FUNCTION, options
from perfnotes.labs.instruments._valgrind import CACHES, NEEDS, counts, simulate
from perfnotes.model.lab import Needs, Run

OPTIONS = options(
    "command",
    "caches",
    "function",
    command=COMMAND,
    function=FUNCTION,
    caches=CACHES,
    branches={"type": "boolean"},
)


def needs(_run: Run) -> Needs:
    """Valgrind."""
    return NEEDS


def measure(run: Run, box: Box) -> Measurement:
    """Run the command under callgrind."""
    text, done = simulate(run, box, "callgrind")
    profile = read(text)
    cost = profile.of(several(run.options["function"]))
    quantities = counts(profile.events, cost.own)
    quantities |= {"calls": count(cost.calls), "Ir_inclusive": count(cost.inclusive)}
    return Measurement(quantities, done.stdout)
