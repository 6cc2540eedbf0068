"""The scripts of the theme as browsers load them: joined, and without comments."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.site import Site
from perfnotes.site.scripts import own_scripts, page_script


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    del site
    yield "assets/perfnotes/site.js", page_script().encode()
    yield from own_scripts()
