"""The search index in static shards, below ``search/``."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.search.documents import documents
from perfnotes.search.shards import Shards
from perfnotes.site import Site


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    shards = site.remains.shards = Shards()
    for name, data in shards.files(documents(site)):
        yield f"search/{name}", data
