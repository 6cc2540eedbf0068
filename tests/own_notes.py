"""Our own notes, which each test process reads once at most."""

from __future__ import annotations

from functools import cache

from perfnotes.graph.site import Site
from perfnotes.search.document import SearchDocument
from perfnotes.site.searchable.documents import documents
from tests.example_notes import read_site
from tests.project import ROOT


@cache
def own_site() -> Site:
    """Returns the site of our notes and pages. Tests must not change it."""
    return read_site(ROOT)


@cache
def own_documents() -> list[SearchDocument]:
    """Returns everything that the search of our site finds."""
    return list(documents(own_site()))
