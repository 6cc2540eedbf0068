"""Pool the places where a result could open, so that a second reader judges their first screens.

    python -m benchmarks.search.screens make HALF POOL     # HALF is seen or unseen
    python -m benchmarks.search.screens merge HALF POOL    # once every place in POOL is judged
    python -m benchmarks.search.screens_report             # what was found, in totals

POOL is a list of {id, query, meant, screens}; each screen is {place, text, answers, reason}. The
places of a query are on the note that the search finds first, if that note is labelled as an
answer: where its result opens, its top, the best other section by the words of the query, and a
labelled place. They stand in an order that says nothing about which is which. The reader replaces
the ``null`` of ``answers`` by ``true`` or ``false`` and says why in ``reason``. Judgements are kept
in own_screens_seen.yml and own_screens_unseen.yml, with the digest of the screen that was read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from benchmarks.search.own_queries import HALVES, LOADER, OwnQuery, path_of, read_queries
from benchmarks.search.pool import dump

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.graph.site import Site
from perfnotes.search.analysis import analyse
from perfnotes.search.answer import SearchAnswer
from perfnotes.search.evaluate import JudgedError
from perfnotes.search.landing import section_share
from perfnotes.search.parse import parse
from perfnotes.search.query import Engine
from perfnotes.search.screen import screen_digest
from perfnotes.search.screenjudgements import (
    Judgements,
    ScreenJudgement,
    judgements_beside,
    read_judgements,
)
from perfnotes.search.shards import Shards
from perfnotes.site.searchable.documents import documents
from perfnotes.site.searchable.screens import Screens
from perfnotes.source.project import notes_folder
from perfnotes.storage.write import write_atomically

LEAST = 3  # places of a query, if the note has as many
HEAD = """\
# What a second reader judged, blind, of the {half} half of the queries about our own notes: whether
# the first screen at a place answers. README.md says how; `digest` is that of the screen's text.
"""


class ScreensError(ValueError):
    """Nothing was pooled or merged; the message says why."""


def sections_by_share(engine: Engine, query: OwnQuery, page: int) -> list[str]:
    """Return the sections of a page by the share of the query's evidence in them, best first."""
    ranked = engine._rank(analyse(parse(query.query).words), SearchAnswer(), expand=True)
    scored = ranked.scores.get(page)
    shares: dict[str, float] = {}
    for block in sorted(scored.blocks if scored else ()):
        card = engine.store.card(page, block)
        if scored and card and (anchor := card[1][0]):
            share = section_share(scored.blocks, engine.store.anchors(page, block), block)
            shares[anchor] = max(shares.get(anchor, 0.0), share)
    return sorted(shares, key=lambda anchor: -shares[anchor])


def places(note: str, landing: str, labels: Iterable[str], sections: Sequence[str]) -> list[str]:
    """Return the places of a note to judge: where it opens, its top, a section, a label, and more.

    ``sections`` are its sections, best first. They fill the pool up to three places.
    """
    labelled = [place for place in labels if place.partition("#")[0] == note]
    rest = [place for name in sections if (place := f"{note}#{name}") not in (landing, *labelled)]
    found = dict.fromkeys([landing, note, *rest[:1]])
    found |= dict.fromkeys([place for place in labelled if place not in found][:1])
    found |= dict.fromkeys(rest[: max(0, LEAST - len(found)) + 1])
    return list(found)


def mixed(query: str, pool: Iterable[str]) -> list[str]:
    """Return the places in an order that says nothing about which of them is opened or labelled."""
    return sorted(pool, key=lambda place: hashlib.sha256(f"{query} {place}".encode()).digest())


def make(site: Site, queries: Iterable[OwnQuery], known: Judgements) -> list[dict[str, Any]]:
    """Return the screens to judge for each query that has any; judged ones that changed again."""
    engine, screens = Engine(dict(Shards().files(documents(site))).get), Screens(site)
    pool = []
    for query in queries:
        found = engine.search(query.query, query.lang, 1).results
        if not found or found[0].id not in {each.partition("#")[0] for each in query.answers}:
            continue
        first = found[0]
        sections = sections_by_share(engine, query, first.page)
        rows = []
        for place in mixed(query.id, places(first.id, first.place, query.answers, sections)):
            text = screens.text(place, first.lang)
            judged = known.get((query.id, place))
            if text and not (judged and judged.digest == screen_digest(text)):
                rows.append({"place": place, "text": text, "answers": None, "reason": ""})
        if rows:
            pool.append(
                {"id": query.id, "query": query.query, "meant": query.meant, "screens": rows}
            )
    return pool


def merged(pool: Iterable[Mapping[str, Any]], known: Judgements) -> Judgements:
    """Return all judgements; those of the pool replace older ones.

    Raises ``ScreensError`` if a screen is not judged yet.
    """
    found = dict(known)
    for row in pool:
        for screen in row["screens"]:
            id, place, answers = row["id"], screen["place"], screen["answers"]
            if not isinstance(answers, bool) or not str(screen["reason"]).strip():
                raise ScreensError(f"{id}: {place} is not judged; say whether it answers, and why")
            digest = screen_digest(screen["text"])
            found[id, place] = ScreenJudgement(id, place, digest, answers, screen["reason"])
    return found


def as_yaml(half: str, judgements: Judgements, head: str = HEAD) -> str:
    """Return the file of the judgements of a half, sorted by query and place, below ``head``."""
    lines = [head.format(half=half)]
    last = ""
    for key in sorted(judgements):
        each = judgements[key]
        if each.query != last:
            lines.append(f"\n{each.query}:\n")
        last = each.query
        row = {"digest": each.digest, "answers": each.answers, "reason": each.reason}
        # JSON in one line is YAML too; it quotes digests that would read as numbers.
        lines.append(f"  {each.place}: {json.dumps(row, ensure_ascii=False)}\n")
    return "".join(lines)


def read_pool(file: Path) -> list[dict[str, Any]]:
    """Return the rows of a pool."""
    try:
        rows: list[dict[str, Any]] = yaml.load(file.read_text(encoding="utf-8"), Loader=LOADER)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ScreensError(f"{file} is no pool: {error}") from None
    return rows or []


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=("make", "merge"))
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("pool", type=Path, metavar="POOL")
    options = parser.parse_args(arguments)
    file = judgements_beside(path_of(options.half))
    try:
        known = read_judgements(file)
        if options.step == "make":
            site = Session(notes_folder(None), quiet=True).read(configuration())
            pool = make(site, read_queries(options.half), known)
            write_atomically(options.pool, dump(pool).encode())
        else:
            pool = read_pool(options.pool)
            write_atomically(file, as_yaml(options.half, merged(pool, known)).encode())
    except (JudgedError, ScreensError) as error:
        print(f"screens: {error}", file=sys.stderr)
        return 1
    print(f"{sum(len(row['screens']) for row in pool)} screens of {len(pool)} queries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
