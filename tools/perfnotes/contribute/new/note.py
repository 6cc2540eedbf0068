"""Begin a note, or with --lang zh the Chinese twin of an existing note.

The note gets its front matter and the usual sections. It is a draft until you remove the line
`draft: true`. The slug of TOPIC/SLUG may be left out if the title has Latin letters only.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.contribute.new._answers import Answers

if TYPE_CHECKING:
    from perfnotes.contribute.new._creation_plan import CreationPlan

EXAMPLE = (
    'perfnotes new note bash/pipes --title "What a pipe costs" --tags shell --level introductory\n'
    "  perfnotes new note bash/pipes --lang zh"
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("TOPIC/SLUG", nargs="?", help="the note's id, or its topic alone")
    parser.add_argument("--title", metavar="TITLE", help="the title, as readers see it")
    parser.add_argument(
        "--description", metavar="SENTENCE", help="what the reader will know, in one sentence"
    )
    parser.add_argument("--tags", metavar="TAGS", help="tags, with commas")
    parser.add_argument(
        "--level",
        choices=("introductory", "intermediate", "advanced"),
        help="how much the reader must know already",
    )
    parser.add_argument("--requires", metavar="NOTES", help="notes to read first, with commas")
    parser.add_argument(
        "--see",
        metavar="SENTENCE",
        help="a symptom: what a reader sees before knowing the name, in one sentence",
    )
    parser.add_argument(
        "--where", metavar="PLACE", help="the place of notes/symptoms.yml by which one looks for it"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--twin", action="store_true", help="begin its Chinese twin as well")
    which.add_argument("--lang", choices=("zh",), help="begin only the twin of an existing note")


def planned(root: Path, answers: Answers) -> CreationPlan:
    from perfnotes.contribute.new._note import planned_note
    from perfnotes.contribute.new._twin import planned_twin

    return (planned_twin if answers.option("lang") else planned_note)(root, answers)
