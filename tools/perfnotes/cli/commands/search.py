"""Search the notes in a terminal, with the same results as the site's own search.

The query language is that of the site: words, "phrases", -word, tag:, topic:, lang:, level:, type:.
Write -- before a query that begins with a dash.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from typing import TYPE_CHECKING

from msgspec import to_builtins

from perfnotes.cli.commands._options import whole
from perfnotes.cli.commands._search import add_arguments, engine, reader
from perfnotes.search.parse import parse
from perfnotes.source.project import UsageError

if TYPE_CHECKING:
    from perfnotes.search.answer import SearchAnswer, SearchResult
    from perfnotes.search.query import Engine

EXAMPLE = "perfnotes search false sharing --json"
_LISTED = 25  # values of a filter; if it has more, only those near the given one are listed


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORDS", help="what to look for")
    add_arguments(parser)
    parser.add_argument(
        "--json", action="store_true", help="print the results as JSON, for programs"
    )
    parser.add_argument(
        "--limit", type=whole(1), default=10, metavar="N", help="number of results; default: 10"
    )
    parser.add_argument(
        "--lang",
        choices=("en", "zh"),
        default="en",
        help="which of a note and its translation to show; default: en",
    )
    parser.add_argument(
        "--no-expand", action="store_true", help="do not search other names of glossary terms"
    )


def run(options: argparse.Namespace) -> int:
    text = " ".join(options.words)
    if not text.strip():
        raise UsageError("the query is empty: write what to look for")
    searched = engine(reader(options), options.site)
    found = searched.search(
        text,
        options.lang,
        options.limit,
        expand=not options.no_expand,
        facets=options.json,
    )
    if options.json:
        print(json.dumps(_as_data(found), ensure_ascii=False, indent=2))
    else:
        _show(found)
    for line in _unknown_filters(text, searched):
        print(f"perfnotes: {line}", file=sys.stderr)
    if found.missing:
        print(f"perfnotes: not searched: {', '.join(found.missing)}", file=sys.stderr)
    return 0


def _unknown_filters(text: str, searched: Engine) -> Iterator[str]:
    """Yield a message for each filter that no page passes, with values that exist or are near."""
    for kind, value in parse(text).filters:
        facets = searched.store.facets
        known = facets.known(kind)
        if not known or facets.pages(kind, value):
            continue
        if len(known) <= _LISTED:
            yield f"no page has {kind}:{value}; there are {', '.join(known)}"
        elif near := get_close_matches(value, known, 5):
            yield f"no page has {kind}:{value}; near are {', '.join(near)}"
        else:
            yield f"no page has {kind}:{value}; none of the {len(known)} that there are is near"


def _as_data(found: SearchAnswer) -> dict[str, object]:
    return {
        "total": found.total,
        "results": [{**to_builtins(r), "sectionUrl": r.section_url} for r in found.results],
        "facets": found.facets,
        "expanded": found.expanded,
        "corrected": [list(pair) for pair in found.corrected],
        "suggestions": found.suggestions,
        "missing": found.missing,
        "weak": found.is_weak,
    }


def _show(found: SearchAnswer) -> None:
    if found.expanded:
        print(f"also searched: {', '.join(found.expanded)}")
    for typed, word in found.corrected:
        print(f"searched {word} for {typed}")
    if found.is_weak and found.results:
        print("probably no note on this yet; near:")
    for result in found.results:
        print(f"{_heading(result)}\n    {result.section_url or './'}\n    {_start(result.text)}")
    if not found.results:
        print("nothing found")
        if found.suggestions:
            print(f"near: {', '.join(found.suggestions)}")
    elif found.total > len(found.results):
        print(f"{len(found.results)} of {found.total} pages")


def _heading(result: SearchResult) -> str:
    section = f" › {result.section}" if result.section else ""
    return f"{result.title}{section} [{result.id}]"


def _start(text: str) -> str:
    return text if len(text) <= 160 else f"{text[:157].rstrip()} …"
