"""The process that makes the whole site, again and again, one build for each line that it reads.

    python -m perfnotes.serve.worker ROOT SITE [NOTES]

A line on standard input is a JSON list of the files that have changed. The answer is one JSON
object: the pages that were made anew, the findings, and what went wrong, if anything did.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from mkdocs.exceptions import MkDocsException

from perfnotes.build.build import BuildOptions, build
from perfnotes.build.configuration import configuration
from perfnotes.build.settings import NO_DOCS
from perfnotes.graph.graph import Graph
from perfnotes.source.project import UsageError
from perfnotes.source.read.memo import InMemory, Remembering
from perfnotes.storage.store import FOLDER, Store

_NICENESS = 10  # somebody may be waiting for the page that was edited


class Worker:
    """Makes the site of ``root`` in ``site``, as often as it is asked to."""

    def __init__(self, root: Path, site: Path, notes: Path | None) -> None:
        self._root, self._site, self._notes = root, site, notes
        self._store = Store(root / FOLDER)
        self._memo = InMemory(Remembering(self._store, "read"))
        self._graph: Graph | None = None
        self._digests: dict[str, str] = {}  # of the pages of the last build, by path

    def build(self, changed: list[str]) -> dict[str, Any]:
        """One build; what it says is to be written as JSON."""
        self._memo.forget(map(Path, changed))
        done = build(
            configuration(**overrides(self._site, self._notes)),
            BuildOptions(
                self._notes,
                quiet=True,
                keep_going=True,
                store=self._store,
                memo=self._memo,
                before=self._graph,
            ),
        )
        self._graph = done.graph
        self._store.save()
        findings = [asdict(finding) for finding in done.findings]
        made = {*done.made, *self._restored(done.digests)}
        return {"pages": done.pages, "made": sorted(made), "findings": findings}

    def _restored(self, digests: dict[str, str]) -> list[str]:
        """The addresses of pages that differ from the last build, also where the cache had them."""
        before, self._digests = self._digests, digests
        if not before:
            return []
        differ = [path for path, content in digests.items() if before.get(path) != content]
        return [path.removesuffix("index.html") for path in differ]


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
    for line in asked:
        try:
            answer = worker.build(json.loads(line))
        except (MkDocsException, UsageError, OSError) as problem:
            answer = {"problem": str(problem) or type(problem).__name__}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    # Whatever else prints does so where people look, not into the answers.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    main(sys.argv[1:], sys.stdin, out)
