"""What a whole build leaves, so that a build after an edit need not make everything again."""

from __future__ import annotations

from dataclasses import dataclass

from perfnotes.build.up_to_date import note_inputs
from perfnotes.graph.graph import Graph
from perfnotes.graph.site import Settings
from perfnotes.search.shards import Shards
from perfnotes.source.history import History
from perfnotes.source.inputs import Inputs
from perfnotes.storage.cache import Store, digest
from perfnotes.text.findings import Finding

_LARGEST = 24_000_000  # characters of all notes: of more, what is left takes too long to read
_KEY = "left"


@dataclass(frozen=True)
class Made:
    """A page as far as it says more than its staged file: the ``files`` it shows and findings."""

    files: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()  # of the page itself, and of what was dangerous in it


@dataclass
class Left:
    """``pages`` by staged path, ``findings`` those that belong to no page; ``missing`` is what git
    could not tell; ``files`` are the digests of the site's."""

    inputs: Inputs
    graph: Graph
    settings: Settings
    history: History
    shards: Shards
    staged: dict[str, str]  # digests of the staged files but the last, which speak of all others
    pages: dict[str, Made]
    findings: list[Finding]
    maker: str
    missing: str
    files: dict[str, str]

    def keep(self, store: Store, name: str) -> None:
        """Leave it for the next build of the site ``name``, if that will be quicker with it."""
        size = sum(len(links.text.body.source.text) for links in self.graph.links.values())
        if size <= _LARGEST and self.maker:
            objects = store.objects(_file(name))
            objects.put(_KEY, self)
            note_inputs(store, name, self.inputs)
            store.save()


def left(store: Store, name: str) -> Left | None:
    """What the last whole build of a site left."""
    found = store.objects(_file(name)).get(_KEY)
    return found if isinstance(found, Left) else None


def _file(name: str) -> str:
    return f"built-{digest(name)[:12]}"
