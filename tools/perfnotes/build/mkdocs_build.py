"""The build by MkDocs' own loop over the pages, step by step as its events come (``hook.py``)."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

from msgspec import Struct

from perfnotes.build.session import Session
from perfnotes.checks import examine, grade
from perfnotes.graph.site import Site
from perfnotes.site.locate import locate
from perfnotes.site.safety import judge
from perfnotes.site.stage import Stage, stage
from perfnotes.storage.system_errors import write_file
from perfnotes.storage.write import put_tree
from perfnotes.text.findings import Finding


class MkDocsBuild(Session):
    """One build of the project's own notes, or one after another while MkDocs serves."""

    def __init__(self) -> None:
        super().__init__()
        self._site: Site | None = None
        self._staged = Stage()
        self._unsafe: list[Finding] = []  # found while MkDocs renders
        self._site_dir = ""  # as mkdocs.yml has it

    def stage(self, config: Any) -> Any:
        """Read, check and stage the notes; raises Abort if the findings forbid a site.

        Returns the configuration, which makes MkDocs write into a new folder.
        """
        self._unsafe = []
        tree = Path(config["docs_dir"])
        self.take_turn(tree)
        self.strict = self.strict or bool(config["strict"])
        self._site = self.read(config)
        self._staged = stage(self._site)
        self.report(examine(self._site, self._staged.findings))
        put_tree(tree, self._staged.files, keep=(".gitkeep",))
        os.environ.setdefault("SOURCE_DATE_EPOCH", str(self._site.history.timestamp))
        self._site_dir = config["site_dir"]
        config["site_dir"] = str(self.new_folder(Path(self._site_dir)))
        return config

    def judge_page(self, html: str, path: str) -> None:
        """Look for dangers in the HTML that MkDocs made of the staged file ``path``."""
        page = self._staged.pages.get(path)
        if page and self._site:
            self._unsafe += [locate(self._site, page, danger) for danger in judge(html)]

    def refuse_unsafe(self) -> None:
        """Print the dangers of all pages and raise Abort, if there are any."""
        if self._unsafe and self._site:
            self.stop(grade(self._unsafe, self._site.library))

    def finish(self, config: Any) -> None:
        """Add the Markdown copies to MkDocs' site and put it in its place."""
        if not self.has_new_folder:
            return
        for path, data in self._staged.markdown.items():
            file = Path(config["site_dir"]) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            write_file(file, data)
        self.publish()
        config["site_dir"] = self._site_dir
        # MkDocs has printed the name of the temporary folder.
        logging.getLogger("mkdocs.plugins.perfnotes").info(f"The site is in {self._site_dir}")

    def watch(self, server: Any, config: Any) -> Any:
        """Make MkDocs' server watch the notes, not the staged tree, and outlive a failed build."""
        from mkdocs.exceptions import MkDocsException  # noqa: PLC0415

        root = Path(config["config_file_path"]).resolve().parent
        for folder in ("notes", "docs"):
            server.watch(str(root / folder))
        server.unwatch(config["docs_dir"])
        build = server.builder

        def build_or_say_why() -> None:
            try:
                build()
            except (MkDocsException, OSError) as problem:
                print(f"{problem}\nperfnotes: still serving the last good build", file=sys.stderr)

        server.builder = build_or_say_why
        return server


class _Current(Struct):
    build: MkDocsBuild


current = _Current(MkDocsBuild())
"""MkDocs calls plain functions of the hook; here they find the build that they belong to."""
