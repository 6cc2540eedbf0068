"""Pool the cards that stand beside first results, so that a reader judges them.

    python -m benchmarks.search.cards make POOL      # both halves, mixed
    python -m benchmarks.search.cards merge POOL     # once every card in POOL is judged

POOL has the form of ``screens.py``, with one card for each query. In it are all queries whose first
result is a labelled note and opens where, by labels and judgements, no answer is, and as many
others: the reader does not know which are which. Judgements are kept in own_cards_seen.yml and
own_cards_unseen.yml, with the digest of the card that was read.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.search.own_queries import HALVES, OwnQuery, path_of, read_queries
from benchmarks.search.pool import dump
from benchmarks.search.screens import ScreensError, as_yaml, merged, read_pool

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.graph.site import Site
from perfnotes.search.evaluate import JudgedError
from perfnotes.search.query import Engine
from perfnotes.search.screenjudgements import (
    CARDS,
    Judgements,
    judgements_beside,
    read_judgements,
)
from perfnotes.search.shards import Shards
from perfnotes.site.searchable.documents import documents
from perfnotes.site.searchable.screens import Screens
from perfnotes.source.project import notes_folder
from perfnotes.storage.write import write_atomically

HEAD = """\
# What a reader judged, blind, of the {half} half of the queries about our own notes: whether the
# card beside the place where the first result opens answers. README.md says how; `digest` is that
# of what the card shows.
"""


def mixed(query: str) -> bytes:
    """Return a key whose order says nothing about a query."""
    return hashlib.sha256(f"cards {query}".encode()).digest()


def make(site: Site, queries: Iterable[OwnQuery], known: Judgements) -> list[dict[str, Any]]:
    """Return the cards to judge; ``known`` are the judgements of first screens."""
    engine, screens = Engine(dict(Shards().files(documents(site))).get), Screens(site)
    missed: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for query in queries:
        found = engine.search(query.query, query.lang, 1).results
        notes = {each.partition("#")[0] for each in query.answers}
        if not found or found[0].id not in notes:
            continue
        opens, lang = found[0].place, found[0].lang
        text = screens.card(opens, lang, query.query)
        if not text:
            continue
        card = {"place": opens, "text": text, "answers": None, "reason": ""}
        row = {"id": query.id, "query": query.query, "meant": query.meant, "screens": [card]}
        answers = opens in query.answers or screens.judged(known, query.id, opens, lang)
        (others if answers else missed).append(row)
    others.sort(key=lambda row: mixed(str(row["id"])))
    return missed + others[: len(missed)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=("make", "merge"))
    parser.add_argument("pool", type=Path, metavar="POOL")
    options = parser.parse_args(arguments)
    try:
        if options.step == "make":
            site = Session(notes_folder(None), quiet=True).read(configuration())
            pool = [
                row
                for half in HALVES
                for row in make(
                    site, read_queries(half), read_judgements(judgements_beside(path_of(half)))
                )
            ]
            pool.sort(key=lambda row: mixed(str(row["id"])))
            write_atomically(options.pool, dump(pool).encode())
        else:
            pool = read_pool(options.pool)
            for half in HALVES:
                ids = {query.id for query in read_queries(half)}
                file = judgements_beside(path_of(half), CARDS)
                own = [row for row in pool if row["id"] in ids]
                text = as_yaml(half, merged(own, read_judgements(file)), HEAD)
                write_atomically(file, text.encode())
    except (JudgedError, ScreensError) as error:
        print(f"cards: {error}", file=sys.stderr)
        return 1
    print(f"{len(pool)} cards")
    return 0


if __name__ == "__main__":
    sys.exit(main())
