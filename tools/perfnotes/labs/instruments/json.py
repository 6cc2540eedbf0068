"""``json``: quantities that the program measures itself.

The program ends its output with one JSON object, on one or more lines, that holds a number or a
list of numbers for each quantity. Quantities: those of the object, in the ``units`` given; without
a unit, a quantity is a plain number.
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import command_of, execute
from perfnotes.labs.instruments._printed import quantities
from perfnotes.labs.instruments._schema import COMMAND, UNITS, options
from perfnotes.model.lab import Needs, Run

OPTIONS = options("command", command=COMMAND, units=UNITS)


def needs(_run: Run) -> Needs:
    """Nothing."""
    return Needs()


def measure(run: Run, box: Box) -> Measurement:
    """Run the program once and read what it printed."""
    done = execute(run, box, command_of(run, box))
    return Measurement(quantities(done.stdout, run.options.get("units")), done.stdout)
