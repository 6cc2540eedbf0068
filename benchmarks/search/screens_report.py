"""What the second reader of first screens found, beside the labels, in totals.

    python -m benchmarks.search.screens_report [--misses FILE]

Prints, for each half and for each language and kind: how many queries a note answers; how often the
first result opens where the labels say, and where they or a judgement say so; how many queries have
judged places, and how many of their tops and of the places that open answer, by judgements alone.
Then it prints how far labels and judgements agree on the places that both are about. FILE gets the
queries of the seen half of which another judged place answers, and not the one that opens; the
unseen half is not listed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.search.own_queries import HALVES, KINDS, LANGUAGES, OwnQuery, path_of, read_queries

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.search.query import Engine
from perfnotes.search.screenjudgements import Judgements, judgements_beside, read_judgements
from perfnotes.search.shards import Shards
from perfnotes.site.searchable.documents import documents
from perfnotes.site.searchable.screens import Screens
from perfnotes.source.project import notes_folder


@dataclass(frozen=True)
class Judged:
    """A query that a note answers, where its first result opens, and the judged places of it.

    ``screens`` says of each place whether it answers; a place whose text has changed is left out.
    """

    query: OwnQuery
    landing: str
    screens: dict[str, bool]

    @property
    def lands(self) -> bool:
        """Whether the labels name the place that opens."""
        return self.landing in self.query.answers

    @property
    def answers(self) -> bool:
        """Whether the labels name it, or it was judged to answer."""
        return self.lands or self.screens.get(self.landing, False)

    @property
    def top(self) -> bool | None:
        """Whether the top of the judged note answers; None if no note was judged."""
        return next((yes for place, yes in self.screens.items() if "#" not in place), None)

    @property
    def better(self) -> list[str]:
        """The judged places that answer, if the one that opens does not."""
        return [] if self.answers else [place for place, yes in self.screens.items() if yes]


def judge(
    engine: Engine, screens: Screens, queries: Iterable[OwnQuery], known: Judgements
) -> list[Judged]:
    """Ask each query that has an answer."""
    found = []
    for query in queries:
        if not query.answers:
            continue
        results = engine.search(query.query, query.lang, 1).results
        lang = results[0].lang if results else query.lang
        judged = {
            place: answers
            for id, place in known
            if id == query.id and (answers := screens.judged(known, id, place, lang)) is not None
        }
        found.append(Judged(query, results[0].place if results else "", judged))
    return found


def agreement(found: Iterable[Judged]) -> str:
    """Return how far labels and judgements agree, by their shares and Cohen's kappa."""
    pairs = [
        (place in each.query.answers, yes) for each in found for place, yes in each.screens.items()
    ]
    many = len(pairs) or 1
    both, neither = pairs.count((True, True)), pairs.count((False, False))
    refused, added = pairs.count((True, False)), pairs.count((False, True))
    same = (both + neither) / many
    yes = (both + refused) * (both + added) / many**2
    no = (added + neither) * (refused + neither) / many**2
    kappa = (same - yes - no) / (1 - yes - no) if yes + no < 1 else 1.0
    return (
        f"{len(pairs)} places: {both} both yes, {neither} both no, {refused} labelled and judged "
        f"no, {added} not labelled and judged yes; agree {same:.3f}, kappa {kappa:.3f}"
    )


def row(name: str, found: Sequence[Judged]) -> str:
    """Return a line of the table."""
    tops = [each.top for each in found if each.top is not None]
    opened = [yes for each in found if (yes := each.screens.get(each.landing)) is not None]
    cells = [
        _share(found, lambda each: each.lands),
        _share(found, lambda each: each.answers),
        f"{len(tops):>6}",
        f"{sum(tops) / (len(tops) or 1):>6.3f}",
        f"{len(opened):>6}",
        f"{sum(opened) / (len(opened) or 1):>6.3f}",
    ]
    return f"{name:<22} {len(found):>7} {' '.join(cells)}"


def _share(found: Sequence[Judged], holds: Callable[[Judged], bool]) -> str:
    return f"{sum(map(holds, found)) / (len(found) or 1):>7.3f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the totals."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--misses", type=Path, metavar="FILE", help="list those of the seen half")
    options = parser.parse_args(arguments)
    site = Session(notes_folder(None), quiet=True).read(configuration())
    engine, screens = Engine(dict(Shards().files(documents(site))).get), Screens(site)
    print(f"{'':<22} queries   lands answers   tops answer  opened answer")
    for half in HALVES:
        known = read_judgements(judgements_beside(path_of(half)))
        found = judge(engine, screens, read_queries(half), known)
        print(row(half, found))
        for lang in LANGUAGES:
            of_lang = [each for each in found if each.query.lang == lang]
            print(row(f"  {lang}", of_lang))
            for kind in KINDS:
                some = [each for each in of_lang if each.query.kind == kind]
                if some:
                    print(row(f"    {kind}", some))
        print(f"{half}: {agreement(found)}")
        if half == "seen":
            misses = [each for each in found if each.better]
            print(f"seen: {len(misses)} where another judged place answers, not the one that opens")
            if options.misses:
                options.misses.write_text("".join(map(_miss, misses)), encoding="utf-8")


def _miss(each: Judged) -> str:
    return f"{each.query.id}\t{each.landing}\t{' '.join(each.better)}\n"


if __name__ == "__main__":
    main()
