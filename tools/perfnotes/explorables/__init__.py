"""The explorables: things that a reader can try on a note's page, one module each.

A note names one by a fence such as ```` ```text explore=roofline ````. A module of this folder has
an ``EXPLORABLE``. Most are pictures (see ``_explorable``): constants with the evidence for them,
controls, formulas and the functions that compute and draw it. Others answer a line that the
reader types (see ``_typed_line``). From these the page is made, which needs no script. The script
of the same name in the theme's folder ``assets/perfnotes/explorables`` has the same functions in
JavaScript, and a test compares both on random inputs. To add an explorable, add these two files. A
long script is a folder of modules in ``scripts/explorables`` instead.
"""

from __future__ import annotations

from functools import cache

from perfnotes.explorables._explorable import Explorable
from perfnotes.explorables._typed_line import TypedLine
from perfnotes.modules import modules_of


@cache
def explorables() -> dict[str, Explorable | TypedLine]:
    """Return every explorable by its name: the name of its module, with hyphens."""
    found = modules_of(__name__).items()
    return {name.replace("_", "-"): module.EXPLORABLE for name, module in found}
