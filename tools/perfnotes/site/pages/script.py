"""The scripts of pages, without comments. They take the place of the theme's files."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.site import Site
from perfnotes.site.scripts import asset, asset_scripts, page_script
from perfnotes.site.theme_files import is_on_demand

FILES_SHOW: frozenset[str] = frozenset()


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    del site
    yield "assets/perfnotes/site.js", page_script().encode()
    for address in asset_scripts():
        if not is_on_demand(address):
            yield address, asset(address)
