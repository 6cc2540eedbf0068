"""The process that makes the whole site, again and again, one build for each line that it reads.

    python -m perfnotes.serve.worker ROOT SITE [NOTES]

Each line on standard input asks for a build. The answer is one JSON object: the pages that were
made anew, the findings, and what went wrong, if anything did.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from mkdocs.exceptions import Abort, MkDocsException
from msgspec import to_builtins

from perfnotes.build.build import BuildOptions, Built, build
from perfnotes.build.build_record import copy_record
from perfnotes.build.check import CheckedProject
from perfnotes.build.clock import Clock
from perfnotes.build.configuration import configuration
from perfnotes.build.early_workers import pagemakers
from perfnotes.build.edited_build import EditedBuildResult, Renewal, build_again
from perfnotes.build.session import Session
from perfnotes.build.settings import NO_DOCS, own_themes
from perfnotes.build.up_to_date import Standing, changed_since, fixed_settings, git_state
from perfnotes.source.inputs import Inputs
from perfnotes.source.project import UsageError
from perfnotes.source.read.memo import Remembering
from perfnotes.storage.garbage_collection import without_garbage_collection
from perfnotes.storage.store import FOLDER, Store
from perfnotes.text.findings import Severity

_NICENESS = 10  # somebody may be waiting for the page that was edited


class Worker:
    """Makes the site of ``root`` in ``site``, as often as it is asked to.

    What an edit leaves as it is comes from the record of the last whole build, as it does for
    ``perfnotes build``. The first build puts together the site of the last server, or else that of
    ``perfnotes build``, and makes what differs from it. While an error stands in the notes, every
    build is a whole one.
    """

    def __init__(self, root: Path, site: Path, notes: Path | None) -> None:
        self._root, self._site, self._notes = root, site, notes
        self._project = CheckedProject(root, notes)
        # The folder of the site has another name each time, and the cache needs one record alone.
        self._name = f"served {notes or root}"
        self._digests: dict[str, str] = {}  # of all files of the site
        # Whether what the site was made from is stored; None before the first build.
        self._is_recorded: bool | None = None

    def build(self) -> dict[str, Any]:
        """One build; what it says is to be written as JSON."""
        store, inputs = Store(self._root / FOLDER), self._inputs()
        standing = Standing(store, self._name, inputs.whole)
        if self._is_recorded is None:
            self._copy_record_of_build(store, inputs)
            self._is_recorded = standing.put_into(self._site, self._fixed)
        done = self._edited(store, standing, inputs) if self._is_recorded else None
        if done:
            pages, findings = done.pages, done.findings
            made = {_address(path) for path in done.written if path.endswith("index.html")}
        else:
            built = self._whole(store, standing, inputs)
            pages, findings = built.pages, built.findings
            made = {*built.made, *self._restored(built.digests)}
        self._digests = done.files if done else built.digests
        return {"pages": pages, "made": sorted(made), "findings": [*map(to_builtins, findings)]}

    def _inputs(self) -> Inputs:
        state = "" if self._notes else git_state(self._root)
        return self._project.inputs(state, os.environ.get("SOURCE_DATE_EPOCH", ""), "")

    @property
    def _fixed(self) -> str:
        """A digest of what no build after an edit may find different."""
        return fixed_settings(self._root, "")

    def _copy_record_of_build(self, store: Store, inputs: Inputs) -> None:
        """Let the site of ``perfnotes build`` be the last one, if only that is of this commit."""
        built = str(self._root)
        if (
            self._notes is None
            and changed_since(store, self._name, inputs) is None
            and changed_since(store, built, inputs) is not None
        ):
            copy_record(store, built, self._name)

    def _configure(self) -> Any:
        return configuration(**overrides(self._site, self._notes))

    def _edited(self, store: Store, standing: Standing, inputs: Inputs) -> EditedBuildResult | None:
        """Make what edits have changed; None where all has to be made."""
        entry = standing.known()
        # Another server of the same notes has written down its own site.
        if not entry or entry["place"] != str(self._site) or not standing.stands(entry):
            return None
        session = Session(
            self._notes,
            quiet=True,
            memo=Remembering(store, "read"),
            layouts=Remembering(store, "layouts"),
        )
        changed = changed_since(store, self._name, inputs)
        try:
            with without_garbage_collection(), pagemakers(self._configure, store) as pool:
                renewal = Renewal(
                    session, self._root, self._project.folder, store, self._name, changed,
                    inputs, entry, own=self._notes is None, verbose=False, clock=Clock(),
                    size_of=standing.size_of,
                )  # fmt: skip
                done = build_again(renewal, pool)
                if done:
                    mark = done.later.put(store, self._name) if done.later else ""
                    standing.record(
                        self._site, entry["themes"], done.files,
                        written=done.written, later=mark, fixed=self._fixed,
                    )  # fmt: skip
                    # What was read from files that changed meanwhile is no record of ``inputs``.
                    if done.record and self._inputs() == inputs:
                        done.record.store(store, self._name)
                return done
        except Abort:  # an error; the whole build goes on all the same
            return None
        finally:
            session.abandon()

    def _whole(self, store: Store, standing: Standing, inputs: Inputs) -> Built:
        """Make everything, whatever the findings are."""
        config = self._configure()
        options = BuildOptions(self._notes, quiet=True, keep_going=True, store=store)
        built = build(config, options)
        has_errors = any(finding.severity is Severity.ERROR for finding in built.findings)
        self._is_recorded = not has_errors and self._inputs() == inputs
        if self._is_recorded:
            files = standing.keep(built.site, built.digests)
            standing.record(built.site, own_themes(config), files, fixed=self._fixed)
            built.record(inputs, files).store(store, self._name)
        store.save()
        return built

    def _restored(self, digests: dict[str, str]) -> list[str]:
        """The addresses of pages that differ from the last build, also where the cache had them."""
        before = self._digests
        pages = (path for path in digests if path.endswith("index.html")) if before else ()
        return [_address(path) for path in pages if before.get(path) != digests[path]]


def _address(path: str) -> str:
    return path.removesuffix("index.html")


def overrides(site: Path, notes: Path | None) -> dict[str, str]:
    """What replaces settings of ``mkdocs.yml`` while a site is served."""
    found = {"site_dir": str(site), "docs_dir": NO_DOCS}
    if notes:
        found |= {"site_name": notes.resolve().name, "site_url": "", "repo_url": ""}
    return found


def main(arguments: list[str], asked: TextIO, answers: TextIO) -> None:
    """Answer each line until there are no more."""
    root, site = Path(arguments[0]), Path(arguments[1])
    notes = Path(arguments[2]) if len(arguments) > 2 else None
    os.chdir(root)
    os.nice(_NICENESS)
    worker = Worker(root, site, notes)
    for _ in asked:
        try:
            answer = worker.build()
        except (MkDocsException, UsageError, OSError) as problem:
            answer = {"problem": str(problem) or type(problem).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    # Whatever else prints does so where people look, not into the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    main(sys.argv[1:], sys.stdin, out)
