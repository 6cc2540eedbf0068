"""What a whole build stores, so that a build after an edit can make what is different alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from perfnotes.build.up_to_date import note_inputs
from perfnotes.graph.coverage import Coverage
from perfnotes.graph.graph import Graph
from perfnotes.graph.site import Settings
from perfnotes.search.shards import Shards
from perfnotes.site.page import Page
from perfnotes.source.history import History
from perfnotes.source.inputs import Inputs
from perfnotes.storage.cache import Cache, digest
from perfnotes.text.findings import Finding

_LARGEST = 24_000_000  # characters of all notes: the record of more takes too long to read
_RECORD, _ROWS = "left", "rows"


@dataclass(frozen=True)
class Made:
    """What a page has beside its staged file: the ``files`` that it shows, and its findings."""

    files: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()  # of the page itself, and of what was dangerous in it


@dataclass
class Left:
    """A whole build, as the next one needs it.

    ``staged`` are the digests of the staged files except those that are made from the digests of
    all others; ``pages`` are by staged path; ``findings`` are those that belong to no page;
    ``maker`` is the digest of settings, templates and tools; ``missing`` is what git could not
    tell; ``files`` are the digests of the site's files by path.
    """

    inputs: Inputs
    graph: Graph
    coverages: Mapping[str, Coverage]
    settings: Settings
    history: History
    shards: Shards
    staged: dict[str, str]
    pages: dict[str, Made]
    findings: list[Finding]
    maker: str
    missing: str
    files: dict[str, str]
    count: int  # of pages
    rows: list[Page]  # every page as lists of pages need it, in the order of the build

    def keep(self, store: Cache, name: str) -> None:
        """Store it for the next build of the site ``name``, if reading it will be worth while.

        The rows are stored apart, since few edits need them.
        """
        size = sum(len(links.text.body.source.text) for links in self.graph.links.values())
        if size <= _LARGEST and self.maker:
            objects = store.objects(_file(name))
            objects.put(_RECORD, replace(self, rows=[]))
            objects.put(_ROWS, self.rows)
            note_inputs(store, name, self.inputs)
            store.save()


def left(store: Cache, name: str) -> Left | None:
    """Return what the last whole build of a site stored, without its rows."""
    found = store.objects(_file(name)).get(_RECORD)
    return found if isinstance(found, Left) else None


def rows(store: Cache, name: str) -> list[Page]:
    """Return the rows of the last whole build of a site."""
    found: list[Page] | None = store.objects(_file(name)).get(_ROWS)
    return found or []


def row(page: Page) -> Page:
    """Return a page as lists of pages need it: its address, title, note and languages."""
    return Page(
        page.url, page.lang, page.title, "", "",
        kind=page.kind, note=page.note, alternates=page.alternates,
    )  # fmt: skip


def _file(name: str) -> str:
    return f"built-{digest(name)[:12]}"
