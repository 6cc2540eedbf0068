"""Begin a fact: a constant with its unit and source, or a formula over other facts.

A new entity (a processor, a bus, a program) also needs its name, its kind and the file in
notes/facts/ that it belongs to.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.contribute.new._answers import Answers

if TYPE_CHECKING:
    from perfnotes.contribute.new._creation_plan import CreationPlan

EXAMPLE = (
    "perfnotes new fact epyc-7742/l1d --value 32 --unit KiB --source chen2026uarch \\\n"
    '    --place "docs/zen2.d2, Memory"'
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "ENTITY/NAME", nargs="?", help="the entity it is about, and the fact's own name"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--value", metavar="NUMBER", help="the value, as the source gives it")
    which.add_argument(
        "--formula", metavar="TEXT", help="a formula over other facts, such as clock * lanes"
    )
    parser.add_argument("--unit", metavar="UNIT", help='such as GB/s; "" for a bare count')
    parser.add_argument(
        "--source", metavar="KEY", help="the key of the reference that gives the value"
    )
    parser.add_argument(
        "--place", metavar="PLACE", help="the place in that reference, such as table 1"
    )
    parser.add_argument(
        "--qualifier", metavar="WORDS", help="words without which the value means nothing"
    )
    parser.add_argument("--qualifier-zh", metavar="WORDS", help="the same in Chinese")
    parser.add_argument("--file", metavar="FACTS", help="for a new entity: its file, without .yml")
    parser.add_argument("--entity", metavar="WORDS", help="for a new entity: its name")
    parser.add_argument("--kind", metavar="KIND", help="for a new entity: cpu, gpu, memory, bus, …")
    parser.add_argument("--year", metavar="YEAR", help="for a new entity: when it came out")


def planned(root: Path, answers: Answers) -> CreationPlan:
    from perfnotes.contribute.new._fact import planned_fact

    return planned_fact(root, answers)
