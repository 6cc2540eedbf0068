"""What ``perfnotes build`` was asked to build, and the ways to build it: edits alone, or all."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfnotes.build.check import CheckedProject
from perfnotes.build.configuration import configuration
from perfnotes.build.up_to_date import Standing, changed_since, fixed_settings, git_state
from perfnotes.source.inputs import Inputs, file_content
from perfnotes.source.project import UsageError
from perfnotes.storage.digests import content_digest
from perfnotes.storage.garbage_collection import without_garbage_collection
from perfnotes.storage.store import FOLDER, Store

if TYPE_CHECKING:
    from perfnotes.build.build import Built
    from perfnotes.build.clock import Clock
    from perfnotes.build.early_workers import Pagemakers


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
    def standing(self) -> Standing:
        return Standing(self._store, self._name, self._inputs.whole)

    @property
    def _name(self) -> str:
        """The name under which the cache keeps the site's state: a folder's absolute path.

        It is the site's folder or else the project's, so that a copied project has another name.
        """
        return str(self.site or self.root)

    def build_edited(self, clock: Clock) -> tuple[Path, int] | None:
        """Builds what edits have changed since the last whole build; returns the same as ``build``.

        Returns None if a whole build has to run.
        """
        entry = None if self.options.stage or self.options.no_cache else self.standing.known()
        if not entry:
            return None
        if entry["fixed"] != self._fixed:
            return None
        changed = changed_since(self._store, self._name, self._inputs)
        # What both processes need is loaded before there are two.
        from perfnotes.build.early_workers import pagemakers

        with without_garbage_collection(), pagemakers(self._configure, self._store) as workers:
            return self._build_edited(clock, entry, changed, workers)

    def _build_edited(
        self, clock: Clock, entry: dict[str, Any], changed: list[str] | None, workers: Pagemakers
    ) -> tuple[Path, int] | None:
        from perfnotes.build.edited_build import Renewal, build_again
        from perfnotes.build.session import Session
        from perfnotes.source.read.memo import Remembering

        standing = self.standing
        place = Path(entry["place"])
        self.refuse_archive_in(place)
        session = Session(
            self.notes,
            quiet=self.options.quiet,
            strict=entry["strict"],
            memo=Remembering(self._store, "read"),
            layouts=Remembering(self._store, "layouts"),
        )
        try:
            session.take_turn(Path(entry["lock"]))
            if not standing.stands(entry):
                return None
            renewal = Renewal(
                session, self.root, self._project.folder, self._store, self._name, changed,
                self._inputs, entry, own=self.notes is None, verbose=self.options.verbose,
                clock=clock, size_of=standing.size_of,
            )  # fmt: skip
            done = build_again(renewal, workers)
            if done is None:
                return None
            if not self._has_changed(changed):
                mark = done.later.put(self._store, self._name) if done.later else ""
                standing.record(
                    place, entry["themes"], done.files, pages=done.pages, said=done.said,
                    strict=entry["strict"], fixed=self._fixed,
                    lock=entry["lock"], written=done.written, later=mark,
                )  # fmt: skip
                if done.record:
                    done.record.store(self._store, self._name)
        finally:
            session.abandon()
        return place, done.pages

    def _has_changed(self, files: list[str] | None) -> bool:
        """Returns whether one of these files, or anything, has changed since the build began."""
        if files is None:
            return self._inputs_now() != self._inputs
        folder, known = self._project.folder, self._inputs.files
        now = ((path, folder / path) for path in files)
        return any(
            content_digest(file_content(file)) != known.get(path)
            if file.exists()
            else path in known
            for path, file in now
        )

    def _configure(self) -> Any:
        return configuration(**self._overrides())

    def build(self, clock: Clock) -> tuple[Path, int]:
        """Builds the whole site. Returns its folder and the number of its pages."""
        config = self._configure()
        ignored = ignored_plugins(config)
        for name in ignored:
            message = f"{name} of mkdocs.yml works in `mkdocs build` only"
            print(f"perfnotes: {message}", file=sys.stderr)
        self.refuse_archive_in(Path(config["site_dir"]))
        done = self._built(config, clock)
        # What was built from files that changed meanwhile must not be recorded as up to date.
        unchanged = self._inputs_now() == self._inputs
        if unchanged and not ignored and not self.options.stage:
            from perfnotes.build.settings import own_themes

            files = self.standing.keep(done.site, done.digests)
            self.standing.record(
                done.site, own_themes(config), files, pages=done.pages, said=done.said,
                strict=self.options.strict or bool(config["strict"]), fixed=self._fixed,
                lock=str(self._lock(config) or done.site),
            )  # fmt: skip
            done.record(self._inputs, files).store(self._store, self._name)
        return done.site, done.pages

    def refuse_archive_in(self, site: Path) -> None:
        """Raises ``UsageError`` if the archive would be written into the site that it packs."""
        if self.archive and site.resolve() in self.archive.parents:
            raise UsageError("--archive must not lie inside the site that it holds")

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
        """Returns what builds of the project lock: the folder that `mkdocs build` stages into.

        Builds of other folders lock the site once it is there.
        """
        return None if self.notes and not self.options.stage else Path(config["docs_dir"])

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
        day = os.environ.get("SOURCE_DATE_EPOCH", "")
        strict = "strict" if self.options.strict else ""
        return self._project.inputs(state, day, strict)

    @cached_property
    def _fixed(self) -> str:
        """A digest of what no build after an edit may find different."""
        strict = "strict" if self.options.strict else ""
        return fixed_settings(self.root, strict, *self._overrides().values())

    def _overrides(self) -> dict[str, str]:
        from perfnotes.build.settings import NO_DOCS

        found = {"site_dir": str(self.site)} if self.site else {}
        if self.notes:
            found["docs_dir"] = NO_DOCS
            found["site_name"] = self.notes.resolve().name
            found["site_url"] = ""
            found["repo_url"] = ""
        if self.options.stage:
            found["docs_dir"] = str(_stage_folder(self.options.stage))
        return found


def _tell(what: str) -> None:
    print(f"perfnotes: {what}", file=sys.stderr)


def ignored_plugins(config: Any) -> list[str]:
    """Returns the plugins and hooks of ``mkdocs.yml`` that this build ignores: all but our hook."""
    return [name for name in config.plugins if not name.endswith("perfnotes/build/hook.py")]


def _stage_folder(given: str) -> Path:
    stage = Path(given).resolve()
    # The one that a project has for `mkdocs build` is kept in git by this file, and is ours.
    is_ours = (stage / ".gitkeep").is_file()
    if stage.exists() and not is_ours and (not stage.is_dir() or any(stage.iterdir())):
        raise UsageError(f"{given} is not an empty folder: name a new one for --stage")
    stage.mkdir(parents=True, exist_ok=True)
    return stage
