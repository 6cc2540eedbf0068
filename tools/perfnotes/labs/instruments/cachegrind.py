"""``cachegrind``: instructions, memory accesses and cache misses of functions, by simulation.

Quantities, all counts: ``Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw`` (instructions, reads and writes,
and misses of the first and the last level), ``D1m`` = D1mr + D1mw, and with ``branches: true``
``Bc Bcm Bi Bim`` (conditional and indirect branches, and mispredictions). With ``function`` (one
name, or a list, which is summed) only these functions are counted, without the functions that they
call; otherwise the whole program.
"""

from __future__ import annotations

from perfnotes.labs.box import Box
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._cachegrind_out import read
from perfnotes.labs.instruments._call import as_list
from perfnotes.labs.instruments._valgrind import NEEDS, OPTIONS, counts, simulate
from perfnotes.model.lab import Needs, Run

__all__ = ["OPTIONS", "measure", "needs"]


def needs(_run: Run) -> Needs:
    """Valgrind."""
    return NEEDS


def measure(run: Run, box: Box) -> Measurement:
    """Run the command under cachegrind."""
    text, done = simulate(run, box, "cachegrind")
    profile = read(text)
    functions = as_list(run.options.get("function"))
    numbers = profile.sum_of(functions) if functions else profile.total
    return Measurement(counts(profile.events, numbers), done.stdout)
