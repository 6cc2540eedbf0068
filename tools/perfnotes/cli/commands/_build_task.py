"""What ``perfnotes build`` was asked to build, and the two ways: after an edit, or as a whole."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from perfnotes.build.check import CheckedProject
from perfnotes.build.configuration import configuration
from perfnotes.build.page_settings import KnownPageSettings
from perfnotes.build.up_to_date import (
    SiteState,
    StoredSite,
    changed_since,
    git_state,
    settings_digest,
)
from perfnotes.source.inputs import Inputs, file_content
from perfnotes.source.project import UsageError
from perfnotes.storage.digests import content_digest
from perfnotes.storage.garbage_collection import without_garbage_collection
from perfnotes.storage.store import FOLDER, Store

if TYPE_CHECKING:
    from perfnotes.build.build import Built
    from perfnotes.build.clock import Clock
    from perfnotes.build.early_workers import PageWorkers


@dataclass(frozen=True)
class BuildTask:
    """What to build. ``site`` and ``notes`` are None for the project's own.

    ``root``, ``site`` and ``archive`` are absolute paths.
    """

    options: argparse.Namespace
    root: Path
    notes: Path | None
    site: Path | None
    archive: Path | None

    @cached_property
    def stored_site(self) -> StoredSite:
        return StoredSite(self._store, self._name, self._inputs.whole)

    @property
    def _name(self) -> str:
        """The name under which the cache keeps the site's state.

        It is the absolute path of the site's folder, or else of the project, so that a copied
        project has another name.
        """
        return str(self.site or self.root)

    def build_edited(self, clock: Clock) -> tuple[Path, int] | None:
        """Build what edits have changed since the last whole build; return the same as ``build``.

        Returns None if a whole build has to run.
        """
        if self.options.stage or self.options.no_cache:
            return None
        last = self.stored_site.last()
        if not last or last.settings != self._settings:
            return None
        changed = changed_since(self._store, self._name, self._inputs)
        # A fork copies the modules that are loaded: what both processes need is imported before.
        from perfnotes.build.early_workers import page_workers

        pages = page_workers(self._page_settings, self._configure, self._store)
        with without_garbage_collection(), pages as workers:
            return self._build_edited(clock, last, changed, workers)

    def _build_edited(
        self, clock: Clock, last: SiteState, changed: list[str] | None, workers: PageWorkers
    ) -> tuple[Path, int] | None:
        from perfnotes.build.edited_build import EditedBuildTask, build_edited
        from perfnotes.build.session import Session
        from perfnotes.source.read.memo import Remembering

        stored = self.stored_site
        site = Path(last.folder)
        self.refuse_archive_in(site)
        session = Session(
            self.notes,
            quiet=self.options.quiet,
            strict=last.strict,
            memo=Remembering(self._store, "read"),
            layouts=Remembering(self._store, "layouts"),
        )
        try:
            session.take_turn(Path(last.lock))
            if not stored.is_untouched(last):
                return None
            task = EditedBuildTask(
                session, self.root, self._project.folder, self._store, self._name, changed,
                self._inputs, last, own=self.notes is None, verbose=self.options.verbose,
                clock=clock, size_of=stored.size_of,
            )  # fmt: skip
            done = build_edited(task, workers)
            if done is None:
                return None
            if not self._has_changed(changed):
                mark = done.later.put(self._store, self._name) if done.later else ""
                state = replace(
                    last,
                    files=done.files,
                    pages=done.pages,
                    messages=done.messages,
                    edits_mark=mark,
                )
                stored.save(state, done.written)
                if done.record:
                    done.record.store(self._store, self._name)
        finally:
            session.abandon()
        return site, done.pages

    def _has_changed(self, files: list[str] | None) -> bool:
        """Return whether one of ``files``, or anything if None, changed since the build began."""
        if files is None:
            return self._inputs_now() != self._inputs
        folder, known = self._project.folder, self._inputs.files
        return any(_digest_now(folder / path) != known.get(path) for path in files)

    def _configure(self) -> Any:
        return configuration(self.root, **self._overrides())

    def build(self, clock: Clock) -> tuple[Path, int]:
        """Build the whole site. Return its folder and the number of its pages."""
        config = self._configure()
        ignored = ignored_plugins(config)
        for name in ignored:
            message = f"{name} of mkdocs.yml works in `mkdocs build` only"
            print(f"perfnotes: {message}", file=sys.stderr)
        self.refuse_archive_in(Path(config["site_dir"]))
        done = self._built(config, clock)
        # A site is not recorded as up to date if files changed while it was built, or if settings
        # come from elsewhere than ``mkdocs.yml``: then there is no toolchain digest.
        is_recorded = self._inputs_now() == self._inputs and bool(done.parts.toolchain)
        if is_recorded and not ignored and not self.options.stage:
            from perfnotes.build.settings import own_themes

            files = self.stored_site.keep_files(done.site, done.digests, done.known)
            state = SiteState(
                folder=str(done.site),
                themes=sorted(own_themes(config)),
                files=files,
                settings=self._settings,
                pages=done.pages,
                messages=done.messages,
                strict=self.options.strict or bool(config["strict"]),
                lock=str(self._lock(config) or done.site),
            )
            self._page_settings.keep(config)
            self.stored_site.save(state)
            done.parts.record(self._inputs, files).store(self._store, self._name)
        return done.site, done.pages

    def refuse_archive_in(self, site: Path) -> None:
        """Raise ``UsageError`` if the archive would be written into the site that it packs."""
        if self.archive and site.resolve() in self.archive.parents:
            raise UsageError(
                "--archive must not lie inside the site that it holds: "
                f"name a file outside of {site}"
            )

    def _built(self, config: Any, clock: Clock) -> Built:
        from perfnotes.build.build import BuildOptions, build

        return build(
            config,
            BuildOptions(
                self.notes,
                strict=self.options.strict,
                quiet=self.options.quiet,
                verbose=self.options.verbose,
                keep_stage=bool(self.options.stage),
                lock=self._lock(config),
                clock=clock,
                store=self._store,
            ),
        )

    def _lock(self, config: Any) -> Path | None:
        """Return the folder that a whole build locks: the one that `mkdocs build` stages into.

        A whole build of another folder of notes, or of a project without a folder for the staged
        tree, locks nothing. A build after an edit locks the folder ``SiteState.lock``, which for
        such notes is the site.
        """
        from perfnotes.build.settings import NO_DOCS

        if not self.options.stage and (self.notes or config["docs_dir"] == NO_DOCS):
            return None
        return Path(config["docs_dir"])

    @cached_property
    def _store(self) -> Store:
        folder = None if self.options.no_cache else self.root / FOLDER
        return Store(folder, _tell) if self.options.verbose else Store(folder)

    @cached_property
    def _project(self) -> CheckedProject:
        return CheckedProject(self.root, self.notes)

    @cached_property
    def _inputs(self) -> Inputs:
        """All files and settings that the site depends on, as they were when the build began."""
        return self._inputs_now()

    def _inputs_now(self) -> Inputs:
        state = "" if self.notes else git_state(self.root)
        timestamp = os.environ.get("SOURCE_DATE_EPOCH", "")
        strict = "strict" if self.options.strict else ""
        return self._project.inputs(state, timestamp, strict)

    @property
    def _page_settings(self) -> KnownPageSettings:
        return KnownPageSettings(self._store, self.root, self._overrides())

    @cached_property
    def _settings(self) -> str:
        """A digest of the settings: after a change of one, everything is built."""
        strict = "strict" if self.options.strict else ""
        return settings_digest(self.root, strict, *self._overrides().values())

    def _overrides(self) -> dict[str, str]:
        from perfnotes.build.settings import foreign_overrides

        found = {"site_dir": str(self.site)} if self.site else {}
        if self.notes:
            found |= foreign_overrides(self.notes)
        if self.options.stage:
            found["docs_dir"] = str(_stage_folder(self.options.stage, self.site))
        return found


def _digest_now(file: Path) -> str | None:
    """Return the digest of a file as ``Inputs`` has it, or None if there is no such file."""
    return content_digest(file_content(file)) if file.exists() else None


def _tell(problem: str) -> None:
    print(f"perfnotes: {problem}", file=sys.stderr)


def ignored_plugins(config: Any) -> list[str]:
    """Return the plugins and hooks of ``mkdocs.yml`` that this build ignores: all but our hook."""
    return [name for name in config.plugins if not name.endswith("perfnotes/build/hook.py")]


def _stage_folder(given: str, site: Path | None) -> Path:
    stage = Path(given).resolve()
    if site and (stage == site or site in stage.parents or stage in site.parents):
        raise UsageError(
            f"--stage and --site must not lie inside each other: name another folder than {given}"
        )
    # The project's own folder for `mkdocs build` holds this file, which keeps it in git.
    is_ours = (stage / ".gitkeep").is_file() and not Path(given).is_symlink()
    if stage.exists() and not is_ours and (not stage.is_dir() or any(stage.iterdir())):
        raise UsageError(f"{given} is not an empty folder: name a new one for --stage")
    stage.mkdir(parents=True, exist_ok=True)
    return stage
