"""Facets: language, type, topic, level and tags of every page, for filters and counts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from perfnotes.search.codec import numbers
from perfnotes.search.constants import KINDS


class Facets:
    """The facets of all pages, read from the data of the shard ``m``.

    If ``data`` is None because the shard is missing, no page matches any filter.
    """

    def __init__(self, data: Any, pages: int) -> None:
        self.values: dict[str, list[str]] = {kind: [""] * pages for kind in KINDS}
        self.tags: dict[str, list[int]] = {}
        if data is None:
            return
        for kind in KINDS:
            at, names = 0, data["names"][kind]
            runs = list(numbers(data["runs"][kind]))
            for name, many in zip(runs[::2], runs[1::2], strict=True):
                self.values[kind][at : at + many] = [names[name]] * many
                at += many
        self.tags = {tag: list(accumulate(numbers(gaps))) for tag, gaps in data["tags"].items()}

    def pages(self, kind: str, value: str) -> set[int]:
        """Return the pages that match a filter; for a topic also the pages of its subtopics."""
        value = value.lower()
        if kind == "tag":
            return {p for tag, pages in self.tags.items() if tag.lower() == value for p in pages}
        below = f"{value}/"
        return {
            page
            for page, has in enumerate(self.values[kind])
            if has.lower() == value or (kind == "topic" and has.lower().startswith(below))
        }

    def known(self, kind: str) -> list[str]:
        """Return the values of a facet that pages have, sorted."""
        return sorted(self.tags if kind == "tag" else {*self.values[kind]} - {""})

    def counts(self, pages: Iterable[int]) -> dict[str, dict[str, int]]:
        """Count the pages with each value of each facet, as facet → value → number of pages."""
        chosen = set(pages)
        found: dict[str, dict[str, int]] = {}
        for kind in KINDS:
            values = found.setdefault(kind, {})
            for page in sorted(chosen):
                value = self.values[kind][page]
                if value:
                    values[value] = values.get(value, 0) + 1
        tags = {tag: len(chosen & set(pages_of)) for tag, pages_of in self.tags.items()}
        found["tag"] = {tag: many for tag, many in tags.items() if many}
        return found
