"""The list of all addresses and titles, from which the page "not found" suggests pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from perfnotes.graph.site import Site
from perfnotes.site.page import Page


def listings(site: Site, pages: Iterable[Page]) -> Iterator[tuple[str, bytes]]:
    del site
    rows = [[page.url, page.title] for page in pages]
    text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
    yield "search/addresses.json", text.encode()
