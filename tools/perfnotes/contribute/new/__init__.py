"""``perfnotes new``: a new note, lab, reference, term or fact that passes the checks as written.

There is one module for each kind. It has a docstring whose first line is its help, an ``EXAMPLE``,
a function ``arguments(parser)`` and a function ``planned(root, answers)`` that returns a
``CreationPlan``: what to write below the project's folder ``root``.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType

from perfnotes.modules import modules_of


@cache
def kinds() -> dict[str, ModuleType]:
    """Return the module of each kind by the kind's name."""
    return modules_of(__name__)
