"""Build the site from the notes."""

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
from perfnotes.build.up_to_date import Standing, changed_since, git_state
from perfnotes.source.inputs import Inputs, file_content
from perfnotes.source.project import UsageError, notes_folder, project_root
from perfnotes.storage.digests import content_digest, digest
from perfnotes.storage.garbage_collection import without_garbage_collection
from perfnotes.storage.store import FOLDER, Store
from perfnotes.storage.write import NewFolder

if TYPE_CHECKING:
    from perfnotes.build.build import Built
    from perfnotes.build.clock import Clock
    from perfnotes.build.early_workers import Pagemakers

# Edited texts count from the last whole build, and every build of edits renders all of them. With
# more than this many a whole build runs, after which the count begins at zero.
_MOST_CHANGED = 20

EXAMPLE = "perfnotes build --notes ~/my-notes --site /tmp/my-site"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--notes", metavar="DIR", help="any folder of Markdown; without it the project's own notes"
    )
    parser.add_argument("--site", metavar="DIR", help="where the site goes; default: site/")
    parser.add_argument(
        "--stage",
        metavar="DIR",
        help="keep the Markdown that the engine reads in DIR, a new folder",
    )
    parser.add_argument(
        "--archive",
        metavar="FILE",
        help="pack the site into FILE as well, a .tar.gz or .zip to unpack and read anywhere",
    )
    parser.add_argument("--strict", action="store_true", help="warnings stop the build as well")
    parser.add_argument("--quiet", action="store_true", help="print errors only")
    parser.add_argument("--verbose", action="store_true", help="say why each page is made again")
    parser.add_argument("--no-cache", action="store_true", help="ignore what earlier runs kept")
    parser.add_argument(
        "--profile", action="store_true", help="print where the time went, on standard error"
    )


def run(options: argparse.Namespace) -> int:
    from perfnotes.build.clock import Clock, terminal
    from perfnotes.storage.archive import pack

    clock = Clock(None if options.quiet else terminal())
    task = _task(options)
    task.standing.complete()
    made = None if options.stage else task.standing.made()
    if made:
        site, pages = Path(made["place"]), made["pages"]
        task.refuse_archive_in(site)
        NewFolder(site).remove_abandoned()  # of builds that were killed
        if not options.quiet:
            sys.stderr.write(made["said"])
    else:
        from mkdocs.exceptions import Abort

        try:
            site, pages = task.build_edited(clock) or task.build(clock)
        except Abort as abort:
            print(abort, file=sys.stderr)
            return 1
    size = pack(site, task.archive) if task.archive else 0
    if options.profile:
        sys.stderr.write(clock.table())
    if options.quiet:
        return 0
    print(f"{pages} pages in {site}{', as before: nothing has changed' if made else ''}")
    if task.archive:
        print(f"{size / 1e6:.1f} MB in {task.archive}")
    how = f"python3 -m http.server -d {site}" if options.site else "make serve"
    print(f"to see it: {how}, then http://127.0.0.1:8000/")
    return 0


@dataclass(frozen=True)
class _Task:
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
        """Builds only what edits of a few texts have changed; returns the same as ``build``.

        Returns None if anything else has changed since the last whole build, so that a whole build
        has to run.
        """
        entry = None if self.options.stage or self.options.no_cache else self.standing.known()
        if not entry:
            return None
        if entry["fixed"] != self._fixed:
            return None
        texts = changed_since(self._store, self._name, self._inputs)
        if texts is not None and len(texts) > _MOST_CHANGED:
            texts = None
        # What both processes need is loaded before there are two.
        from perfnotes.build.early_workers import pagemakers

        with without_garbage_collection(), pagemakers(self._configure, self._store) as workers:
            return self._build_edited(clock, entry, texts, workers)

    def _build_edited(
        self, clock: Clock, entry: dict[str, Any], texts: list[str] | None, workers: Pagemakers
    ) -> tuple[Path, int] | None:
        from perfnotes.build.edited_build import Renewal, build_again
        from perfnotes.build.session import Session
        from perfnotes.source.read.memo import Remembering

        standing = self.standing
        place, stage = Path(entry["place"]), Path(entry["stage"]) if entry["stage"] else None
        self.refuse_archive_in(place)
        session = Session(
            self.notes,
            quiet=self.options.quiet,
            strict=entry["strict"],
            memo=Remembering(self._store, "read"),
            layouts=Remembering(self._store, "layouts"),
        )
        try:
            # Builds lock the staged tree. Where there is none, they lock the site's folder.
            session.take_turn(stage or place)
            if not standing.stands(entry):
                return None
            renewal = Renewal(
                session, self.root, self._project.folder, self._store, self._name, texts,
                self._inputs, entry, own=self.notes is None, verbose=self.options.verbose,
                clock=clock,
            )  # fmt: skip
            done = build_again(renewal, workers)
            if done is None:
                return None
            if not self._has_changed(texts):
                standing.record(
                    place, entry["themes"], stage, done.files, pages=done.pages, said=done.said,
                    strict=entry["strict"], fixed=self._fixed, edited=done.edited,
                    written=done.written,
                )  # fmt: skip
                if done.record:
                    done.record.store(self._store, self._name)
        finally:
            session.abandon()
        return place, done.pages

    def _has_changed(self, texts: list[str] | None) -> bool:
        """Returns whether one of these texts, or anything, has changed since the build began."""
        if texts is None:
            return self._inputs_now() != self._inputs
        folder, known = self._project.folder, self._inputs.texts
        return any(content_digest(file_content(folder / path)) != known[path] for path in texts)

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
        stage = Path(config["docs_dir"]) if not self.notes else None
        # What was built from files that changed meanwhile must not be recorded as up to date.
        unchanged = self._inputs_now() == self._inputs
        if unchanged and not ignored and not self.options.stage:
            from perfnotes.build.settings import own_themes

            files = self.standing.keep(done.site, done.digests)
            self.standing.record(
                done.site, own_themes(config), stage, files, pages=done.pages,
                said=done.said, strict=self.options.strict or bool(config["strict"]),
                fixed=self._fixed, edited={},
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
                keep_stage=not self.notes or bool(self.options.stage),
                clock=clock,
                store=self._store,
            ),
        )

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
        settings = file_content(self.root / "mkdocs.yml")
        day = os.environ.get("SOURCE_DATE_EPOCH", "")
        strict = "strict" if self.options.strict else ""
        return digest(settings, day, strict, *self._overrides().values())

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


def _task(options: argparse.Namespace) -> _Task:
    notes = notes_folder(options.notes)
    if notes and not options.site:
        raise UsageError("--notes needs --site DIR: the project's own site stays as it is")
    site = _site_folder(options.site, notes) if options.site else None
    archive = _archive_file(options.archive) if options.archive else None
    return _Task(options, project_root(), notes, site, archive)


def ignored_plugins(config: Any) -> list[str]:
    """Returns the plugins and hooks of ``mkdocs.yml`` that this build ignores: all but our hook."""
    return [name for name in config.plugins if not name.endswith("perfnotes/build/hook.py")]


def _site_folder(given: str, notes: Path | None) -> Path:
    """Returns the absolute path of the folder that the site goes to.

    Raises ``UsageError`` if the folder holds anything but a site of perfnotes, because a build
    replaces all of it, or if it lies in the notes or the notes lie in it.
    """
    from perfnotes.storage.write import is_replaceable

    site = Path(given).resolve()
    if notes:
        source = notes.resolve()
        if site == source or source in site.parents or site in source.parents:
            raise UsageError("--site and --notes must not lie inside each other")
    if not is_replaceable(site):
        raise UsageError(
            f"{given} holds something else than a site of perfnotes, and a build replaces all of "
            "it: empty it or name another folder"
        )
    return site


def _archive_file(given: str) -> Path:
    from perfnotes.storage.archive import KINDS

    if not Path(given).name.endswith(KINDS) or Path(given).name in KINDS:
        raise UsageError(f"{given}: an archive's name ends in {', '.join(KINDS)}")
    file = Path(given).resolve()
    if file.is_dir():
        raise UsageError(f"{given} is a folder: name a file for --archive")
    return file


def _stage_folder(given: str) -> Path:
    stage = Path(given).resolve()
    if stage.exists() and (not stage.is_dir() or any(stage.iterdir())):
        raise UsageError(f"{given} is not an empty folder: name a new one for --stage")
    stage.mkdir(parents=True, exist_ok=True)
    return stage
