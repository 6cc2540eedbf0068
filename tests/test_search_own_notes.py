"""What the search promises on our own notes: their names, the judged queries, and the bytes."""

from __future__ import annotations

import pytest

from perfnotes.graph.site import Site
from perfnotes.search.analysis import key_and_terms
from perfnotes.search.document import SearchDocument
from perfnotes.search.evaluate import (
    added_files,
    by_class,
    evaluate,
    packed_size,
    read_judged,
    summary,
)
from perfnotes.search.query import Engine
from perfnotes.site.scripts import search_script
from tests.project import ROOT
from tests.sampling import at_even_distances

pytestmark = pytest.mark.slow

LEXICAL = ("english", "chinese", "mixed", "code", "code part", "prefix", "typo")


def test_every_name_is_answered_first(
    own_site: Site,
    own_documents: list[SearchDocument],
    own_index: dict[str, bytes],
    all_notes: bool,
) -> None:
    """A note's and a term's title, aliases and abbreviations; all that share one come first.

    In the suite 200 names are asked for, with ``--all-notes`` every one.
    """
    library = own_site.library
    names: dict[str, set[str]] = {}
    for note in library.notes.values():
        for name in (note.meta.title, *note.meta.aliases):
            names.setdefault(name, set()).add(note.id)
    for twin in library.translations.values():
        names.setdefault(twin.meta.title, set()).add(twin.id)
    for term in library.terms.values():
        pages = {f"terms/{term.id}"} | ({term.note} & library.notes.keys())
        for name in (*term.spellings("en"), *term.spellings("zh")):
            names.setdefault(name, set()).update(pages)
    keys: dict[str, set[str]] = {}
    for document in own_documents:
        keys.setdefault(document.id, set()).update(key_and_terms(n)[0] for n in document.names)
    engine = Engine(own_index.get)
    for name, pages in at_even_distances(names.items(), len(names) if all_notes else 200):
        found = [r.id for r in engine.search(name, limit=max(10, len(pages) + 6)).results]
        named = [r for r in found if r in pages]
        assert set(named) == pages, f"{name!r}: {found}"
        others = found[: max(found.index(p) for p in pages)]
        for other in set(others) - pages:
            assert key_and_terms(name)[0] in keys[other], f"{name!r}: {other} before {pages}"


def test_first_results_cost_little(own_index: dict[str, bytes]) -> None:
    """Engine, root, shards and one page, for each judged query entered at once."""
    added = added_files(search_script().encode())
    size = packed_size(lambda name: added.get(name) or own_index.get(name))
    judged = read_judged(ROOT / "tests" / "search" / "judged.yml")
    for outcome in evaluate(Engine(own_index.get), judged, size, list(added)):
        assert outcome.bytes < 60_000, outcome.judged.query
        assert outcome.requests <= 8, outcome.judged.query


def test_our_own_judged_queries(
    own_documents: list[SearchDocument], own_index: dict[str, bytes]
) -> None:
    judged = read_judged(ROOT / "tests" / "search" / "judged.yml")
    assert len(judged) >= 150
    known = {document.id for document in own_documents}
    assert {page for each in judged for page in each.expected} <= known
    outcomes = evaluate(Engine(own_index.get), judged, lambda _: 0, [])
    lexical = [o for o in outcomes if o.judged.kind in LEXICAL]
    assert summary(lexical).mrr >= 0.92
    for kind, row in by_class(lexical).items():
        assert row.mrr >= 0.80, kind
