"""Begin a reference by answering questions. With a DOI or a file, `perfnotes cite` is shorter."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.contribute.new._answers import Answers

if TYPE_CHECKING:
    from perfnotes.contribute.new._creation_plan import CreationPlan

EXAMPLE = (
    'perfnotes new reference --type manual --title "Bash Reference Manual" --year 2022 \\\n'
    '    --author "Ramey, Chet and Fox, Brian" --url https://www.gnu.org/software/bash/manual/'
)
TYPES = (
    "article", "inproceedings", "book", "incollection", "techreport", "manual", "phdthesis",
    "mastersthesis", "misc",
)  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--type", choices=TYPES, help="the type of work; misc for a web page")
    parser.add_argument("--author", metavar="NAMES", help='"Family, Given and Family, Given"')
    parser.add_argument("--title", metavar="TITLE", help="the title, as the work has it")
    parser.add_argument("--year", metavar="YEAR", help="the year in which it appeared")
    parser.add_argument("--venue", metavar="NAME", help="journal, proceedings, publisher, school")
    for name in ("volume", "number", "pages", "edition"):
        parser.add_argument(f"--{name}", metavar="TEXT", help=f"its {name}, if it has one")
    parser.add_argument("--doi", metavar="DOI", help="its DOI")
    parser.add_argument("--arxiv", metavar="ID", help="its arXiv id")
    parser.add_argument("--isbn", metavar="ISBN", help="its ISBN")
    parser.add_argument("--url", metavar="ADDRESS", help="its web address, if it has no other id")
    parser.add_argument("--topic", metavar="TOPIC", help="the topic that it is about")
    parser.add_argument(
        "--key",
        metavar="NAME",
        help="the key of the entry; default: made from author, year and title",
    )
    parser.add_argument(
        "--distinct", action="store_true", help="write it although a known work has a similar title"
    )


def planned(root: Path, answers: Answers) -> CreationPlan:
    from perfnotes.contribute.new._reference import planned_reference

    return planned_reference(root, answers)
