"""Begin a reference by questions; where there is a DOI or a file, `perfnotes cite` is shorter."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.contribute.new._answers import Answers

if TYPE_CHECKING:
    from perfnotes.contribute.new._beginning import Beginning

EXAMPLE = (
    'perfnotes new reference --type manual --title "Bash Reference Manual" --year 2022 \\\n'
    '    --author "Ramey, Chet and Fox, Brian" --url https://www.gnu.org/software/bash/manual/'
)
TYPES = (
    "article", "inproceedings", "book", "incollection", "techreport", "manual", "phdthesis",
    "mastersthesis", "misc",
)  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--type", choices=TYPES, help="what it is; misc for a web page")
    parser.add_argument("--author", metavar="NAMES", help='"Family, Given and Family, Given"')
    parser.add_argument("--title", metavar="TITLE", help="as it stands on the work")
    parser.add_argument("--year", metavar="YEAR", help="when it appeared")
    parser.add_argument("--venue", metavar="NAME", help="journal, proceedings, publisher, school")
    for name in ("volume", "number", "pages", "edition"):
        parser.add_argument(f"--{name}", metavar="TEXT", help="where the work has one")
    parser.add_argument("--doi", metavar="DOI", help="its DOI")
    parser.add_argument("--arxiv", metavar="ID", help="its arXiv id")
    parser.add_argument("--isbn", metavar="ISBN", help="its ISBN")
    parser.add_argument("--url", metavar="ADDRESS", help="its address, where it has no other id")
    parser.add_argument("--topic", metavar="TOPIC", help="what it is about")
    parser.add_argument("--key", metavar="NAME", help="its key, in place of the one made here")
    parser.add_argument(
        "--distinct", action="store_true", help="write it also where a reference has a like title"
    )


def planned(root: Path, answers: Answers) -> Beginning:
    from perfnotes.contribute.new._reference import planned_reference

    return planned_reference(root, answers)
