"""Entries of a table that were added, removed or changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from perfnotes.review.entry import Line, ReportEntry, line


def changes(
    what: str, old: Mapping[str, list[str]], new: Mapping[str, list[str]], path: str
) -> Iterator[ReportEntry]:
    """Yield the entries that were added, removed or changed.

    ``what`` is the word for an entry. ``old`` and ``new`` map its name to the texts that readers
    see.
    """
    for name in [*new, *(n for n in old if n not in new)]:
        before, after = old.get(name, []), new.get(name, [])
        if before == after:
            continue
        kind = "changed" if name in old and name in new else "added" if name in new else "removed"
        details: list[Line] = [line("now: {}", text) for text in after if text not in before]
        details += [line("no more: {}", text) for text in before if text not in after]
        yield ReportEntry(f"{what} {kind}", line("{}", name), tuple(details), path)
