"""``callgrind``: the cost of a function including its callees, and how often it is called.

Quantities, all counts: those of cachegrind for ``function`` without its callees, ``calls``
(including recursive calls) and ``Ir_inclusive`` (instructions of the function and its callees). A
list of functions is summed; it must not name a function that calls another one in the list.
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import as_list, count
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
    cost = profile.cost_of(as_list(run.options["function"]))
    quantities = counts(profile.events, cost.own)
    quantities |= {"calls": count(cost.calls), "Ir_inclusive": count(cost.inclusive)}
    return Measurement(quantities, done.stdout)
