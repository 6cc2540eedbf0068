"""The script of every page, as one file of the theme."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.graph.site import Site
from perfnotes.site.scripts import page_script


def files(site: Site) -> Iterator[tuple[str, bytes]]:
    del site
    yield "assets/perfnotes/site.js", page_script().encode()
