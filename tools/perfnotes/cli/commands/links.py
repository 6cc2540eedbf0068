"""Ask every external link whether it still leads somewhere.

Prints one line for each place in the notes whose address gives no good answer. Good answers are
kept for some days in .perfnotes-cache/, so a second run is quick.
"""

from __future__ import annotations

import argparse

from perfnotes.cli.commands._options import add_notes, add_timeout, days
from perfnotes.cli.commands._site import linked_site
from perfnotes.source.project import notes_folder, root_for

EXAMPLE = "perfnotes links --max-age 30"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_notes(parser)
    parser.add_argument(
        "--max-age",
        type=days,
        default=7,
        metavar="DAYS",
        help="ask again after this many days; default: 7",
    )
    add_timeout(parser)


def run(options: argparse.Namespace) -> int:
    from perfnotes.graph.external import KnownAnswers, addresses, ask_all
    from perfnotes.storage.store import FOLDER, Store

    notes = notes_folder(options.notes)
    site = linked_site(notes)
    places = addresses(site.graph)
    known = KnownAnswers(Store(root_for(notes) / FOLDER), options.max_age)
    answers = ask_all(places, known, options.timeout)
    broken = [a for a in answers if a.is_broken]
    for answer in broken:
        why = f"{answer.status} {answer.reason}".strip() if answer.status else answer.reason
        for place in places[answer.url]:
            print(f"{place.path}:{place.line}:{place.column}: {answer.url} ({why})")
    print(f"{len(answers)} addresses, {len(broken)} without an answer")
    return 1 if broken else 0
