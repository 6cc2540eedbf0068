"""Begin a term of the glossary, in English and Chinese."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from perfnotes.contribute.new._answers import Answers

if TYPE_CHECKING:
    from perfnotes.contribute.new._creation_plan import CreationPlan

EXAMPLE = (
    'perfnotes new term "cache line" --zh 缓存行 --note caches/row-order \\\n'
    '    --definition "The unit in which caches hold memory." --definition-zh 缓存保存内存的单位。'
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("WORDS", nargs="?", help="the term in English")
    parser.add_argument("--zh", metavar="WORDS", help="the term in Chinese")
    parser.add_argument("--definition", metavar="SENTENCE", help="what it is, in English")
    parser.add_argument("--definition-zh", metavar="SENTENCE", help="what it is, in Chinese")
    parser.add_argument("--abbr", metavar="WORDS", help="abbreviations, with commas")
    parser.add_argument("--aliases", metavar="WORDS", help="other English words, with commas")
    parser.add_argument("--aliases-zh", metavar="WORDS", help="other Chinese words, with commas")
    parser.add_argument("--note", metavar="NOTE", help="the note that explains it")
    parser.add_argument(
        "--id", metavar="NAME", help="the term's id; default: made from the English term"
    )


def planned(root: Path, answers: Answers) -> CreationPlan:
    from perfnotes.contribute.new._term import planned_term

    return planned_term(root, answers)
