"""What is different after an edit, compared with the last whole build.

There are two ways to find out. ``notes_edit`` is for edits of the text of notes, ``any_edit`` for
all others. In both, only the pages that are different are rendered, and only a part of the search
index is made.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from perfnotes.build.build_record import (
    BuildRecord,
    Made,
    RecordParts,
)
from perfnotes.graph.site import Site
from perfnotes.search.document import SearchDocument
from perfnotes.search.shards import Difference
from perfnotes.site.page import Page
from perfnotes.site.pages._changed import ChangedTexts
from perfnotes.source.inputs import Inputs
from perfnotes.text.findings import Finding

NOTHING = Made()
INDEX_FOLDER = "search/"  # the folder of the index


class LargeEditError(Exception):
    """More has changed than an edit can tell: everything is to be built. It says what."""


@dataclass(frozen=True)
class Renewed:
    """A page that is made again: its staged file and its twin; ``page`` is without its text."""

    page: Page
    source: bytes
    twin: bytes


@dataclass(frozen=True)
class Rebuilt:
    """A site after an edit.

    ``staged`` and ``files`` are digests by path, of the staged files and of all files of the site;
    ``dangers`` are the findings in the HTML of pages, by staged path.
    """

    inputs: Inputs
    staged: dict[str, str]
    files: dict[str, str]
    dangers: dict[str, list[Finding]]
    missing: str  # what git could not tell


class Edit(ABC):
    """What differs from the whole build ``before``. Each method may raise LargeEditError."""

    changed = ChangedTexts(frozenset(), frozenset(), frozenset())

    def __init__(self, before: BuildRecord) -> None:
        self.before = before

    @property
    @abstractmethod
    def site(self) -> Site:
        """The site as it is now."""

    @abstractmethod
    def pages(self, changed: ChangedTexts) -> dict[str, Renewed]:
        """The pages that may be different, by staged path.

        ``changed`` is what differed after the edits of earlier builds.
        """

    @abstractmethod
    def addresses(self) -> list[str]:
        """The addresses of all pages, in the order of the build."""

    def added(self) -> set[str]:
        """The addresses of the pages that the whole build did not have."""
        return {*self.addresses()} - {*self.before.summary.addresses}

    def gone(self) -> set[str]:
        """The addresses of the pages of the whole build that are no more."""
        return {*self.before.summary.addresses} - {*self.addresses()}

    @abstractmethod
    def files(self, pages: dict[str, Renewed]) -> Iterator[tuple[str, bytes]]:
        """The other files that may be different, except those of the search index."""

    def gone_files(self) -> set[str]:
        """The paths of other staged files of the whole build that are no more."""
        return set()

    @abstractmethod
    def documents(self) -> list[SearchDocument]:
        """What the search finds now."""

    def index(self) -> Difference:
        """What is different in the search index."""
        shards, staged = self.before.shards, self.before.summary.staged
        for name, content in shards.by_file.items():
            if staged.get(f"{INDEX_FOLDER}{name}") != content:
                raise LargeEditError("another file has the place of one of the search index")
        return shards.update(self.documents())

    @abstractmethod
    def findings(self, stale: Collection[Renewed]) -> list[Finding]:
        """All findings but what is dangerous in the ``stale`` pages, which are made again."""

    def record(self, done: Rebuilt) -> RecordParts | None:
        """What the next build is to compare with instead of ``before``, if it is another."""
        del done
        return None
