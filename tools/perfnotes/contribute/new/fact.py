"""Begin a fact: a constant with its unit and source, or a formula over other facts.

An entity that is new (a processor, a bus, a program) needs its name, its kind and the file of
notes/facts/ that it belongs to as well.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.contribute.new._answers import Answers

if TYPE_CHECKING:
    from perfnotes.contribute.new._beginning import Beginning

EXAMPLE = (
    "perfnotes new fact epyc-7742/l1d --value 32 --unit KiB --source wikichip2024zen --place Caches"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ENTITY/NAME", nargs="?", help="what it is about, and its own name")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--value", metavar="NUMBER", help="as the source gives it")
    which.add_argument("--formula", metavar="TEXT", help="over facts, such as clock * lanes")
    parser.add_argument("--unit", metavar="UNIT", help='such as GB/s; "" for a bare count')
    parser.add_argument("--source", metavar="KEY", help="the reference that says so")
    parser.add_argument("--place", metavar="PLACE", help="where in it, such as table 1")
    parser.add_argument("--qualifier", metavar="WORDS", help="without which it means nothing")
    parser.add_argument("--qualifier-zh", metavar="WORDS", help="the same in Chinese")
    parser.add_argument("--file", metavar="FACTS", help="for a new entity: its file, without .yml")
    parser.add_argument("--entity", metavar="WORDS", help="for a new entity: its name")
    parser.add_argument("--kind", metavar="KIND", help="for a new entity: cpu, gpu, memory, bus, …")
    parser.add_argument("--year", metavar="YEAR", help="for a new entity: when it came out")


def planned(root: Path, answers: Answers) -> Beginning:
    from perfnotes.contribute.new._fact import planned_fact

    return planned_fact(root, answers)
