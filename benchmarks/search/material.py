"""Measuring Material's own search: MkDocs and Material, with the search plugin for both languages.

The index is made of the pages' content alone, so the theme's templates are left out: with ten
thousand pages in the navigation they would take most of the time. The library jieba segments
Chinese, as Material's documentation recommends.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import material
import yaml
from benchmarks.search.measured import Cost, Engine, EngineError, kept, outcome, run
from benchmarks.search.node import FOLDER, JIEBA, node

from perfnotes.search.evaluate import JudgedQuery
from perfnotes.site.searchable.documents import page_id

_SCRIPT = Path(__file__).with_name("material.mjs")
_HOOK = Path(__file__).with_name("material_hook.py")
_JAVASCRIPTS = Path(material.__file__).parent / "templates" / "assets" / "javascripts"

# The separator that Material's documentation gives for code, and the mark between Chinese words.
_SEPARATOR = r"""[\s\u200b\-_,:!=\[\]()"`/]+|\.(?!\d)|&[lg]t;|(?!\b)(?=[A-Z][a-z])"""
_EXTENSIONS = [
    "admonition", "attr_list", "def_list", "footnotes", "tables", "toc",
    {"pymdownx.arithmatex": {"generic": True}}, "pymdownx.details", "pymdownx.superfences",
    {"pymdownx.tabbed": {"alternate_style": True}}, "pymdownx.tasklist",
]  # fmt: skip


def configuration(corpus: Path, folder: Path) -> str:
    """Return the text of an ``mkdocs.yml`` for the corpus."""
    return yaml.safe_dump({
        "site_name": "peer",
        "docs_dir": str(corpus.resolve()),
        "site_dir": str(folder / "site"),
        "theme": {"name": "material", "font": False, "custom_dir": str(folder / "theme")},
        "plugins": [{"search": {"lang": ["en", "zh"], "separator": _SEPARATOR}}],
        "markdown_extensions": _EXTENSIONS,
        "hooks": [str(_HOOK)],
        "extra": {"measured": str(folder / "measured.json")},
    })  # fmt: skip


def measure(corpus: Path, work: Path, judged: Sequence[JudgedQuery], keep: bool) -> Engine:
    """Build the index and ask the queries.

    A visit loads the worker, its languages and the whole index, from which lunr builds its own.
    """
    program = node()
    packages = _jieba()

    def make(folder: Path) -> Cost:
        (folder / "theme").mkdir()
        (folder / "theme" / "main.html").write_text("{{ page.content }}\n", encoding="utf-8")
        file = folder / "mkdocs.yml"
        file.write_text(configuration(corpus, folder), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", file]
        more = {"PYTHONPATH": str(packages), "NO_MKDOCS_2_WARNING": "1"}
        whole = run(command, folder / "log.txt", more=more)
        seen = json.loads((folder / "measured.json").read_text(encoding="utf-8"))
        return Cost(seen["cpu"], whole.memory)

    cost = kept(work, keep, make)
    pages = json.loads((work / "measured.json").read_text(encoding="utf-8"))["pages"]
    index = work / "site" / "search" / "search_index.json"
    queries, found = work / "queries.json", work / "found.json"
    queries.write_text(json.dumps([each.query for each in judged]), encoding="utf-8")
    run([program, _SCRIPT, _JAVASCRIPTS, index, queries, found], work / "ask.log")
    seen = json.loads(found.read_text(encoding="utf-8"))
    loaded = [_JAVASCRIPTS / name for name in seen["files"]] + [index]
    size = sum(len(gzip.compress(file.read_bytes(), 6)) for file in loaded)
    outcomes = tuple(
        outcome(each, [page_id(pages[url]) for url in urls], size, len(loaded))
        for each, urls in zip(judged, seen["answers"], strict=True)
    )
    remark = f"then {seen['setup']:.1f} CPU s in the reader's browser before the first query"
    return Engine("Material", len(pages), outcomes, cost, (remark,))


def _jieba() -> Path:
    """Return the folder with jieba, which is installed first if it is missing."""
    folder = FOLDER.with_name("search-jieba")
    if not (folder / "jieba" / "__init__.py").is_file():
        print("installing jieba below build/ (once)", flush=True)
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                   "--disable-pip-version-check",
                   "--target", str(folder), JIEBA]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise EngineError(f"pip could not install jieba: {done.stderr.strip()[-600:]}")
    return folder
