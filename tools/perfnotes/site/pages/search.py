"""The files of the search index, below ``search/``."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.site import Site
from perfnotes.search.shards import Shards
from perfnotes.site.searchable.documents import documents


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    for name, data in site.derived(shards).files(documents(site)):
        yield f"search/{name}", data


def shards(site: Site) -> Shards:
    """Return a store for the index, which is empty until ``files`` has filled it."""
    del site
    return Shards()
