"""A Session: what every kind of build does around its pages.

It reads and links the notes, prints the findings, and replaces the last site by the new one. The
new site is made in a folder of its own, and the two folders are exchanged in a single step, so a
full disk, an error or Ctrl-C leaves the last good site whole. Builds that lock the same folder take
turns.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from perfnotes.build.check import shown_as
from perfnotes.build.settings import build_settings
from perfnotes.graph.graph import link
from perfnotes.graph.site import Settings, Site
from perfnotes.model.library import Library
from perfnotes.report.text import write as as_text
from perfnotes.source.history import History, read_history
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.memo import InMemory, Memo
from perfnotes.source.read.site import read_site_pages
from perfnotes.storage.exchange import finish_interrupted
from perfnotes.storage.replaceable import is_replaceable
from perfnotes.storage.write import FolderLock, NewFolder
from perfnotes.text.findings import Finding, Severity


class Session:
    """One build, or one command that reads the notes as a build does.

    ``notes`` is the folder to build, or None for the project's own notes.

    ``memo`` has what earlier runs read, ``layouts`` the pictures that they laid out. With
    ``strict`` warnings stop the build; with ``quiet`` they are not printed. With ``silent`` errors
    are not printed either: whoever asked for the build tells them.
    """

    def __init__(
        self,
        notes: Path | None = None,
        *,
        quiet: bool = False,
        strict: bool = False,
        silent: bool = False,
        memo: Memo | None = None,
        layouts: Memo | None = None,
    ) -> None:
        self.notes = notes
        self.memo = memo or Memo()
        self.library_memo = InMemory(self.memo)  # what ``library_of`` read
        self.layouts = layouts or self.memo
        self.quiet = quiet or silent
        self.silent = silent
        self.strict = strict
        self.missing = ""  # a message about what git cannot tell
        self._new: NewFolder | None = None
        self._place = ""  # where its content is put
        self._lock: FolderLock | None = None

    def read(self, config: Any) -> Site:
        """Read and link the notes of the project that MkDocs' configuration belongs to."""
        root = Path(config["config_file_path"]).resolve().parent
        return self.site_of(root, build_settings(config))

    def site_of(self, root: Path, settings: Settings) -> Site:
        """Read and link the notes of the project at ``root``, with the history that git has."""
        library = self.library_of(root)
        history = read_history(root) if self.notes is None else None
        if history and history.missing:
            self.tell_missing(f"perfnotes: {history.missing}\n")
        return Site(link(library), settings, history or History(), self.layouts)

    def library_of(self, root: Path) -> Library:
        """Read the notes, and the pages of ``docs/`` if the notes are the project's own."""
        notes = root / "notes" if self.notes is None else self.notes
        memo = self.memo
        self.library_memo = memo if isinstance(memo, InMemory) else InMemory(memo)
        library = read_library(notes, shown_as(notes), self.library_memo, own=self.notes is None)
        if self.notes is None:
            read_site_pages(library, root / "docs", shown_as(root / "docs"), self.library_memo)
        return library

    def tell_missing(self, missing: str) -> None:
        """Print what git cannot tell, once for all builds of this session."""
        told, self.missing = self.missing, missing
        if not self.quiet and not told:
            sys.stderr.write(missing)

    def take_turn(self, folder: Path) -> None:
        """Wait until no other build locks the folder, which is made if it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = FolderLock.wait(folder, _say_waiting)

    def new_folder(self, place: Path) -> Path:
        """Make the folder for the new site, which ``publish`` puts at ``place``.

        Raises Abort if ``place`` holds something that is no site.
        """
        if not is_replaceable(place):
            raise _abort(
                f"perfnotes: {place} holds something else than a site of perfnotes, and a "
                "build replaces all of it: empty it or name another folder"
            )
        self._place = str(place.resolve())
        finish_interrupted(place.resolve())
        self._new = NewFolder(place)
        return self._new.make()

    def report(self, findings: list[Finding]) -> str:
        """Print the warnings; return them, after what git cannot tell.

        Raises Abort if there are errors, or warnings with ``strict``.
        """
        stopping = [f for f in findings if f.severity is Severity.ERROR]
        warnings = [f for f in findings if f.severity is Severity.WARNING]
        if self.strict:
            stopping, warnings = sorted(stopping + warnings), []
        if stopping:
            self.stop(stopping)
        text = as_text(warnings)
        if not self.quiet:
            sys.stderr.write(text)
        return self.missing + text

    def publish(self) -> None:
        """Put the finished site in its place."""
        if self._new:
            self._new.publish()
            self.abandon()

    def abandon(self) -> None:
        """Remove the folder of an unfinished site and release the lock, if there are any."""
        if self._new:
            self._new.drop()
            self._new = None
        if self._lock:
            self._lock.release()
            self._lock = None

    def name_place(self, error: OSError) -> None:
        """Let an error about a file of the unfinished site name the file's place in the site."""
        if self._new and isinstance(error.filename, str):
            error.filename = error.filename.replace(str(self._new.path), self._place, 1)

    @property
    def has_new_folder(self) -> bool:
        """Whether a site is being made: ``new_folder`` was called, ``publish`` not yet."""
        return self._new is not None

    def stop(self, errors: list[Finding]) -> None:
        """Give up the new site, print the errors and raise Abort."""
        self.abandon()
        if not self.silent:
            sys.stderr.write(as_text(errors))
        raise _abort(f"perfnotes: {_count(errors)}; the site was not built")


def _count(findings: list[Finding]) -> str:
    """Return how many errors there are, and how many warnings, such as "1 error and 2 warnings"."""
    parts = []
    for severity in (Severity.ERROR, Severity.WARNING):
        number = sum(finding.severity is severity for finding in findings)
        if number:
            parts.append(f"{number} {severity.value}{'s' if number > 1 else ''}")
    return " and ".join(parts)


def _say_waiting() -> None:
    print("perfnotes: another build is running here; waiting for its end", file=sys.stderr)


def _abort(message: str) -> Exception:
    """Return MkDocs' Abort, which takes long to load and is seldom needed."""
    from mkdocs.exceptions import Abort  # noqa: PLC0415

    return Abort(message)
