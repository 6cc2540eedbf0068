"""Begin a lab: a small experiment that runs as it is, for you to turn into your own.

A note that is a single file moves into a folder, as NOTE/index.md, and links to it are mended.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.contribute.new._answers import Answers

if TYPE_CHECKING:
    from perfnotes.contribute.new._creation_plan import CreationPlan

EXAMPLE = "perfnotes new lab bash/pipes"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("NOTE", nargs="?", help="the id of the note whose numbers the lab measures")


def planned(root: Path, answers: Answers) -> CreationPlan:
    from perfnotes.contribute.new._lab import planned_lab

    return planned_lab(root, answers)
