"""Files beside the pages: figures, other linked files, and the files that make the site."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.review.entry import ReportEntry, ReportPart, line, listed
from perfnotes.review.pair import Pair
from perfnotes.review.side import Side

PLACE = 90
# Beginnings of the paths of the program, its theme and its settings.
_PROGRAM = ("tools/", "mkdocs.yml", "requirements/", ".github/", "Makefile")


def compare(pair: Pair) -> ReportPart:
    old = {pair.new_paths.get(p, p): o for p, o in _figures(pair.before).items()}
    found = list(_changes(old, _figures(pair.after)))
    return ReportPart("files", "Other files", (*found, *_program(pair)))


def _figures(side: Side) -> dict[str, str]:
    """Return the hashes of the figures and files beside the pages, by path."""
    library = side.site.library
    paths = {f"notes/{a}" for a in library.assets} | {f"docs/{a}" for a in library.page_assets}
    tables = {s.path for s in library.sources.values()}
    facts = {f.source.path for f in library.facts.files.values()}
    return {p: side.objects[p] for p in sorted(paths - tables - facts) if p in side.objects}


def _changes(old: dict[str, str], new: dict[str, str]) -> Iterator[ReportEntry]:
    for path in sorted(old.keys() | new.keys()):
        if old.get(path) != new.get(path):
            kind = "added" if path not in old else "changed" if path in new else "removed"
            yield ReportEntry(f"figure or file {kind}", line("{}", path), (), path)


def _program(pair: Pair) -> Iterator[ReportEntry]:
    """Yield changes of the program, theme and settings, after which any page may change."""
    for start in _PROGRAM:
        old, new = (_below(side, start) for side in (pair.before, pair.after))
        names = sorted(p for p in old.keys() | new.keys() if old.get(p) != new.get(p))
        if names:
            words = line("files of {} that differ: {}", start, len(names))
            yield ReportEntry("what makes the site", words, (line("{}", listed(names)),))


def _below(side: Side, start: str) -> dict[str, str]:
    return {p: o for p, o in side.objects.items() if p.startswith(start)}
