"""Let readers label the queries about our own notes again, note by note, without seeing any rank.

    python -m benchmarks.search.relabel make FOLDER     # writes a pool for each note
    python -m benchmarks.search.relabel merge FOLDER    # once every query in FOLDER is judged

A pool is what a reader judges of one note: the first screens of its top and of all its sections, in
each language in which it was asked, and the queries of both halves, in the order of a hash. A query
is in the pool of each note that its labels name or that is among the first three pages that the
search finds; nothing says which. The reader replaces the ``null`` of ``answers`` by the places
whose first screen answers what is meant, or by ``[]``, and says why in ``reason``. ``merge``
replaces the places that queries have of these notes; labels of other pages stay. A note that was an
answer, and now has no such place, goes to ``deeper``: it answers, but not at once.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from benchmarks.search.own_queries import HALVES, LOADER, OwnQuery, path_of, read_queries
from benchmarks.search.pool import dump, with_lists

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.graph.site import Site
from perfnotes.search.query import Engine
from perfnotes.search.shards import Shards
from perfnotes.site.searchable.documents import documents
from perfnotes.site.searchable.screens import Screens
from perfnotes.source.project import notes_folder
from perfnotes.storage.write import write_atomically

DEPTH = 3  # results of a query that are pooled

Pool = dict[str, Any]
"""A page's pool: {page, screens: {lang: {place: text}}, queries: [{id, query, ...}]}."""


class RelabelError(ValueError):
    """Nothing was pooled or merged; the message says why."""


def pages_of(query: OwnQuery, found: Iterable[str]) -> list[str]:
    """Return the pages to judge for a query: those of its labels, and those found."""
    labels = {label.partition("#")[0] for label in query.answers}
    return sorted(labels | {*query.deeper} | {*found})


def screens_of(site: Site, page: str, lang: str) -> dict[str, str]:
    """Return the first screens of a note's places in a language."""
    screens, library = Screens(site), site.library
    twin = library.translations.get(page)
    shown = twin if twin and twin.lang == lang else library.notes[page]
    sections = site.graph.links[f"notes/{shown.file}"].text.body.sections
    places = [page, *(f"{page}#{section.id}" for section in sections)]
    return {place: text for place in places if (text := screens.text(place, lang))}


def make(site: Site, queries: Iterable[OwnQuery]) -> list[Pool]:
    """Return a pool for each note that a label names or that is among the first three found."""
    engine = Engine(dict(Shards().files(documents(site))).get)
    asked: defaultdict[str, list[OwnQuery]] = defaultdict(list)
    for query in queries:
        found = engine.search(query.query, query.lang, DEPTH).results
        for page in pages_of(query, (each.id for each in found)):
            if page in site.library.notes:
                asked[page].append(query)
    return [_pool(site, page, asked[page]) for page in sorted(asked)]


def _pool(site: Site, page: str, queries: Iterable[OwnQuery]) -> Pool:
    mixed = sorted(queries, key=lambda each: hashlib.sha256(f"{page} {each.id}".encode()).digest())
    rows: list[dict[str, Any]] = [
        {"id": each.id, "lang": each.lang, "query": each.query, "meant": each.meant}
        | {"answers": None, "reason": ""}
        for each in mixed
    ]
    langs = sorted({each.lang for each in mixed})
    return {
        "page": page,
        "screens": {lang: screens_of(site, page, lang) for lang in langs},
        "queries": rows,
    }


def judgements(pools: Iterable[Pool]) -> dict[str, dict[str, list[str]]]:
    """Return the places that answer, by query and page.

    Raises ``RelabelError`` if a query is not judged yet, or if a place is none of the page's.
    """
    found: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for pool in pools:
        page = pool["page"]
        for row in pool["queries"]:
            answers, known = row["answers"], pool["screens"][row["lang"]]
            if not isinstance(answers, list) or not str(row["reason"]).strip():
                raise RelabelError(f"{page}: {row['id']} is not judged; list its places, say why")
            if other := [place for place in answers if place not in known]:
                raise RelabelError(f"{page}: {row['id']}: {other[0]} is no place of this page")
            found[row["id"]][page] = answers
    return found


def relabelled(query: OwnQuery, judged: Mapping[str, Sequence[str]]) -> OwnQuery:
    """Return a query with the places judged to answer, and its older labels of other pages."""
    kept = [label for label in query.answers if label.partition("#")[0] not in judged]
    was = list(dict.fromkeys(label.partition("#")[0] for label in query.answers))
    pages = sorted(judged, key=lambda page: (was.index(page) if page in was else len(was), page))
    answers = (*[place for page in pages for place in judged[page]], *kept)
    deeper = [page for page in was if judged.get(page) == []]
    deeper += [page for page in query.deeper if not judged.get(page)]
    return replace(query, answers=answers, deeper=tuple(dict.fromkeys(deeper)))


def with_labels(text: str, queries: Mapping[str, OwnQuery]) -> str:
    """Return the text of a file of queries with new labels; all else stays as it is."""
    return with_lists(
        text,
        {id: {"answers": each.answers, "deeper": each.deeper or None}
         for id, each in queries.items()},
    )  # fmt: skip


def _file_of(page: str) -> str:
    return f"{page.replace('/', '+')}.yml"


def _write_pools(folder: Path) -> list[Pool]:
    site = Session(notes_folder(None), quiet=True).read(configuration())
    pools = make(site, [query for half in HALVES for query in read_queries(half)])
    folder.mkdir(parents=True, exist_ok=True)
    for pool in pools:
        write_atomically(folder / _file_of(pool["page"]), dump([pool]).encode())
    return pools


def _merge(folder: Path) -> list[Pool]:
    try:
        files = sorted(folder.glob("*.yml"))
        pools = [pool for file in files for pool in yaml.load(file.read_bytes(), Loader=LOADER)]
    except (OSError, yaml.YAMLError) as error:
        raise RelabelError(f"{folder} holds no pools: {error}") from None
    judged = judgements(pools)
    for half in HALVES:
        queries = {
            each.id: relabelled(each, judged[each.id])
            for each in read_queries(half)
            if each.id in judged
        }
        file = path_of(half)
        write_atomically(file, with_labels(file.read_text(encoding="utf-8"), queries).encode())
    return pools


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=("make", "merge"))
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    options = parser.parse_args(arguments)
    try:
        pools = (_write_pools if options.step == "make" else _merge)(options.folder)
    except RelabelError as error:
        print(f"relabel: {error}", file=sys.stderr)
        return 1
    print(f"{sum(len(pool['queries']) for pool in pools)} queries of {len(pools)} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
