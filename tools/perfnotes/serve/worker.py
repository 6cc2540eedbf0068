"""The process that builds the whole site for ``perfnotes serve``, once for each line that it reads.

    python -m perfnotes.serve.worker ROOT SITE [NOTES]

Each line on standard input asks for a build. Each answer is a line with one JSON object: the number
of pages, the addresses of those that differ from the last build, and the findings; or the problem
that stopped the build.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from mkdocs.exceptions import Abort, MkDocsException
from msgspec import to_builtins
from msgspec.structs import replace

from perfnotes.build.build import BuildOptions, Built, build
from perfnotes.build.build_record import RecordParts, copy_record
from perfnotes.build.check import CheckedProject
from perfnotes.build.clock import Clock
from perfnotes.build.configuration import configuration
from perfnotes.build.early_workers import page_workers
from perfnotes.build.edited_build import EditedBuildResult, EditedBuildTask, build_edited
from perfnotes.build.page_settings import KnownPageSettings
from perfnotes.build.session import Session
from perfnotes.build.settings import NO_DOCS, foreign_overrides, own_themes
from perfnotes.build.up_to_date import (
    SiteState,
    StoredSite,
    changed_since,
    git_state,
    settings_digest,
)
from perfnotes.source.inputs import Inputs
from perfnotes.source.project import UsageError
from perfnotes.source.read.memo import Remembering
from perfnotes.storage.garbage_collection import without_garbage_collection
from perfnotes.storage.store import FOLDER, Store
from perfnotes.storage.system_errors import in_words
from perfnotes.text.findings import Severity

_NICENESS = 10  # somebody may be waiting for the page that was edited


class Worker:
    """Builds the site of the project at ``root`` in the folder ``site``, again and again.

    As for ``perfnotes build``, what an edit cannot have changed comes from the record of the last
    whole build. The first build restores the site of the last server, or else the one of
    ``perfnotes build``, and makes what differs from it. While the notes have an error, every build
    is a whole one.
    """

    def __init__(self, root: Path, site: Path, notes: Path | None) -> None:
        self._root, self._site, self._notes = root, site, notes
        self._project = CheckedProject(root, notes)
        # Each server has another folder for its site. One name for all of them keeps one record
        # in the cache.
        self._name = f"served {notes or root}"
        # The digests of the site's files by path. After a whole build only the files that the page
        # cache keeps are in it.
        self._digests: dict[str, str] = {}
        # Whether what the site was made from is stored; None before the first build.
        self._is_recorded: bool | None = None
        self._unstored: tuple[Store, RecordParts] | None = None  # what ``store_record`` stores

    def build(self) -> dict[str, Any]:
        """Build once and return the answer, which can be written as JSON."""
        store, inputs = Store(self._root / FOLDER), self._inputs()
        stored = StoredSite(store, self._name, inputs.whole)
        if self._is_recorded is None:
            self._copy_record_of_build(store, inputs)
            self._is_recorded = stored.restore_into(self._site, self._settings)
        done = self._build_edited(store, stored, inputs) if self._is_recorded else None
        if done:
            pages, findings = done.pages, done.findings
            made = {_address(path) for path in done.written if path.endswith("index.html")}
        else:
            built = self._build_whole(store, stored, inputs)
            pages, findings = built.pages, built.findings
            made = {*built.made, *self._changed_pages(built.digests)}
        self._digests = done.files if done else built.digests
        return {"pages": pages, "made": sorted(made), "findings": [*map(to_builtins, findings)]}

    def store_record(self) -> None:
        """Store the record of the last build, if it has one. Browsers need not wait for that."""
        if not self._unstored:
            return
        store, record = self._unstored
        self._unstored = None
        try:
            is_same = self._inputs() == record.inputs
        except (OSError, UsageError):
            return  # the next build will meet this problem and report it
        if is_same:  # otherwise a file changed meanwhile, and this is no record of what is there
            record.store(store, self._name)

    def _inputs(self) -> Inputs:
        state = "" if self._notes else git_state(self._root)
        return self._project.inputs(state, os.environ.get("SOURCE_DATE_EPOCH", ""), "")

    @property
    def _settings(self) -> str:
        """A digest of the settings: after a change of one, everything is built."""
        return settings_digest(self._root, "")

    def _copy_record_of_build(self, store: Store, inputs: Inputs) -> None:
        """Copy the record of ``perfnotes build`` if only that one can be continued.

        A record can be continued if nothing but files of the notes changed since it was stored.
        After a commit, for example, it cannot.
        """
        built = str(self._root)
        if (
            self._notes is None
            and changed_since(store, self._name, inputs) is None
            and changed_since(store, built, inputs) is not None
        ):
            copy_record(store, built, self._name)

    def _configure(self) -> Any:
        return configuration(self._root, **overrides(self._site, self._notes))

    def _page_settings(self, store: Store) -> KnownPageSettings:
        return KnownPageSettings(store, self._root, overrides(self._site, self._notes))

    def _build_edited(
        self, store: Store, stored: StoredSite, inputs: Inputs
    ) -> EditedBuildResult | None:
        """Make what edits have changed; return None if everything has to be made."""
        last = stored.last()
        if not last or last.settings != self._settings:
            return None
        # Another server of the same notes may have stored the state of its own site.
        if last.folder != str(self._site) or not stored.is_untouched(last):
            return None
        session = Session(
            self._notes,
            silent=True,
            memo=Remembering(store, "read"),
            layouts=Remembering(store, "layouts"),
        )
        changed = changed_since(store, self._name, inputs)
        try:
            workers = page_workers(self._page_settings(store), self._configure, store)
            with without_garbage_collection(), workers as pool:
                task = EditedBuildTask(
                    session, self._root, self._project.folder, store, self._name, changed,
                    inputs, last, own=self._notes is None, verbose=False, clock=Clock(),
                    size_of=stored.size_of,
                )  # fmt: skip
                done = build_edited(task, pool)
                if done:
                    mark = done.later.put(store, self._name) if done.later else ""
                    stored.save(replace(last, files=done.files, edits_mark=mark), done.written)
                    self._unstored = (store, done.record) if done.record else None
                return done
        except Abort:  # the notes have an error; a whole build makes a site all the same
            return None
        finally:
            session.abandon()

    def _build_whole(self, store: Store, stored: StoredSite, inputs: Inputs) -> Built:
        """Make everything, whatever the findings are."""
        config = self._configure()
        options = BuildOptions(self._notes, quiet=True, keep_going=True, store=store)
        built = build(config, options)
        has_errors = any(finding.severity is Severity.ERROR for finding in built.findings)
        # Without a toolchain digest the settings come from elsewhere than ``mkdocs.yml``.
        has_toolchain = bool(built.parts.toolchain)
        self._is_recorded = not has_errors and has_toolchain and self._inputs() == inputs
        if self._is_recorded:
            files = stored.keep_files(built.site, built.digests, built.known)
            themes = sorted(own_themes(config))
            state = SiteState(
                folder=str(built.site), themes=themes, files=files, settings=self._settings
            )
            self._page_settings(store).keep(config)
            stored.save(state)
            built.parts.record(inputs, files).store(store, self._name)
        store.save()
        return built

    def _changed_pages(self, digests: dict[str, str]) -> list[str]:
        """Return the addresses of pages that differ from the last build, from the cache or not."""
        before = self._digests
        pages = (path for path in digests if path.endswith("index.html")) if before else ()
        return [_address(path) for path in pages if before.get(path) != digests[path]]


def _address(path: str) -> str:
    return path.removesuffix("index.html")


def overrides(site: Path, notes: Path | None) -> dict[str, str]:
    """Return what replaces settings of ``mkdocs.yml`` while a site is served."""
    ours = {"site_dir": str(site), "docs_dir": NO_DOCS}
    return ours | foreign_overrides(notes) if notes else ours


def main(arguments: list[str], asked: Iterable[str], answers: TextIO) -> None:
    """Answer each line until there are no more."""
    root, site = Path(arguments[0]), Path(arguments[1])
    notes = Path(arguments[2]) if len(arguments) > 2 else None
    os.chdir(root)
    os.nice(_NICENESS)
    worker = Worker(root, site, notes)
    for _ in asked:
        try:
            answer = worker.build()
        except OSError as problem:
            answer = {"problem": in_words(problem)}
        except (MkDocsException, UsageError) as problem:
            answer = {"problem": str(problem) or type(problem).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
        worker.store_record()


if __name__ == "__main__":
    # Answers go to the real standard output. All other output goes to standard error.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    main(sys.argv[1:], sys.stdin, out)
