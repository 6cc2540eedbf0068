"""The queries about this project's own notes: reading them, their counts and the digest of a half.

own_queries_seen.yml and own_queries_unseen.yml hold a list of queries each; files that begin with
bash, gpu and pytorch hold those about one topic. README.md beside them says how they were written
and split. Prints the counts and the digests:

    python -m benchmarks.search.own_queries
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

HALVES = ("seen", "unseen")
LANGUAGES = ("en", "zh")
KINDS = ("symptom", "question", "name", "code", "comparison", "unanswered")
SEED = "own queries of round 2"
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class OwnQuery:
    """What somebody types, and what they want to know; a reader adds the pages that answer."""

    id: str
    query: str
    lang: str
    kind: str
    half: str
    labelled: bool
    answers: tuple[str, ...]
    meant: str = ""
    """One English sentence for the reader who looks for answers; empty if `kind` is unanswered."""
    thread: str = ""
    """For a symptom, OWNER/NAME#NUMBER of the public thread that its wording goes back to."""
    deeper: tuple[str, ...] = ()
    """Pages that answer further below than the first screen of any of their places."""
    near: bool = False
    """For an unanswered query: its words are near to the subjects of the notes."""


def path_of(half: str, collection: str = "own") -> Path:
    """The file that holds a half of a collection: `own`, or a topic such as `bash`."""
    return Path(__file__).with_name(f"{collection}_queries_{half}.yml")


def read_queries(half: str, collection: str = "own") -> list[OwnQuery]:
    """The queries of a half, in the order of the file.

    Raises TypeError if an entry has an unknown key or lacks one, yaml.YAMLError if it is no YAML.
    """
    entries = yaml.load(path_of(half, collection).read_text(encoding="utf-8"), Loader=LOADER)
    lists = ("answers", "deeper")
    return [
        OwnQuery(**{**entry, **{name: tuple(entry.get(name, ())) for name in lists}})
        for entry in entries
    ]


def digest(queries: Iterable[OwnQuery]) -> str:
    """The SHA-256 of the texts alone, sorted, one a line: labels do not change it."""
    lines = "".join(f"{text}\n" for text in sorted(query.query for query in queries))
    return hashlib.sha256(lines.encode()).hexdigest()


def order(query: str) -> str:
    """Where a query stands among those of its language and kind: halves alternate in this order."""
    return hashlib.sha256(f"{SEED}\n{query}".encode()).hexdigest()


def expected_halves(queries: Iterable[OwnQuery]) -> dict[str, str]:
    """The half of each id: within a language and kind, the first in hash order is unseen."""
    groups: defaultdict[tuple[str, str], list[OwnQuery]] = defaultdict(list)
    for query in queries:
        groups[query.lang, query.kind].append(query)
    return {
        query.id: "seen" if place % 2 else "unseen"
        for group in groups.values()
        for place, query in enumerate(sorted(group, key=lambda one: order(one.query)))
    }


def report(halves: dict[str, list[OwnQuery]]) -> list[str]:
    """A line for each language and kind with the count in each half, and one with each digest."""
    counts = Counter(
        (query.lang, query.kind, half) for half, queries in halves.items() for query in queries
    )
    lines = [
        f"{lang} {kind:<11}" + "".join(f"{counts[lang, kind, half]:>5}" for half in halves)
        for lang in LANGUAGES
        for kind in KINDS
    ]
    return lines + [
        f"{half:<6} {len(entries)} {digest(entries)}" for half, entries in halves.items()
    ]


def main() -> None:
    """Print the report."""
    print("\n".join(report({half: read_queries(half) for half in HALVES})))


if __name__ == "__main__":
    main()
