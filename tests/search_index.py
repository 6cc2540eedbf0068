"""A search index made in memory, and the browser's search engine over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perfnotes.graph.graph import link
from perfnotes.graph.site import Settings, Site
from perfnotes.search.shards import Shards
from perfnotes.site.scripts import SEARCH_SCRIPTS, joined
from perfnotes.site.searchable.documents import documents
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.site import read_site_pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def site_of(notes: Path, docs: Path | None = None) -> Site:
    library = read_library(notes, "notes")
    if docs:
        read_site_pages(library, docs, "docs")
    return Site(link(library), Settings("example"))


def index_of(notes: Path, docs: Path | None = None) -> dict[str, bytes]:
    return dict(Shards().files(documents(site_of(notes, docs))))


def file_of(index: Mapping[str, bytes], shard: str) -> str:
    """Return the name of the file that holds this shard of an index."""
    return next(name for name in index if name.startswith(f"{shard}."))


def write_folder(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


class BrowserEngine:
    """The engine in a page that was opened from a file, as an unpacked download is."""

    def __init__(self, page: Any) -> None:
        self._page = page

    def ask(self, queries: list[str], lang: str = "en", **options: object) -> list[Any]:
        found: list[Any] = self._page.evaluate(
            """async ([queries, lang, options]) => {
              const search = pnSearch.create({ base: "search/", lang });
              const answers = [];
              for (const query of queries) answers.push(await search.query(query, options));
              return answers;
            }""",
            [queries, lang, options],
        )
        return found


@contextmanager
def browser_engine(
    browser: Browser, folder: Path, index: Mapping[str, bytes]
) -> Iterator[BrowserEngine]:
    """Write the index and a page with the engine to ``folder`` and open that page."""
    for name, data in index.items():
        file = folder / "search" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    engine = joined(SEARCH_SCRIPTS / "engine.js")
    (folder / "engine.js").write_text(f"(() => {{\n{engine}}})();\n", encoding="utf-8")
    script = '<script src="engine.js"></script>'
    policy = "default-src 'none'; script-src 'self' file:"
    (folder / "index.html").write_text(
        f'<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{policy}"><title>search</title>{script}',
        encoding="utf-8",
    )
    with browser.new_context() as context:
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto((folder / "index.html").as_uri())
        yield BrowserEngine(page)
        assert not problems
