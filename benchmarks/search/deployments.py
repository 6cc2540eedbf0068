"""Does search lead to the right pages while a new site takes the place of an old one?

    python -m benchmarks.search.deployments
    python -m benchmarks.search.deployments --sites OLD NEW    # two sites built earlier

Two builds of our own notes, the second with seven more notes in it, are served one after the other
from one address. The site's own search answers 200 judged queries in Chromium:

- in a tab that was opened on the old site, half of them after their first result was shown there;
- in a visit to the new site by a browser that has files of the old site in its cache;
- without a network, in a tab of the old site and in one of the new site, after the service worker
  has switched to the new site.

An answer is wrong if its results as a whole are neither those of the old index nor those of the new
one. It is also wrong if any result, a first one included, leads to a page that does not exist, has
another title, or does not hold the words that the result shows.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.search.interface import started_browser
from benchmarks.search.measured import ROOT, run
from benchmarks.search.server import Files, served
from playwright.sync_api import Browser, BrowserContext, Page

from perfnotes.search.codec import unscript
from perfnotes.search.evaluate import read_judged

INSERTED = 7
ASKED = 200
_START = "search/"  # a page that loads the search at once
_PATIENCE = 60_000  # ms
_NOTE = """---
title: Inserted note {number}
description: Stands among the others, so that those behind it get other numbers.
tags: [linux]
level: introductory
authors: [perfnotes contributors]
date: 2026-01-0{number}
---

A warp, a cache line and an allocator meet in an inserted note.
"""

# Engines as the search box makes them, by the number of the query that each is to answer.
_BEGIN = """async ([queries, warm]) => {
  const make = pnSearch.deployed || pnSearch.create;
  window.pnEngines = [];
  for (let i = 0; i < queries.length; i++) {
    const engine = make({ base: new URL("search/", pnSearch.root).href, lang: "en" });
    await engine.preload();
    if (warm && i % 2) await engine.query(queries[i], { limit: 1, facets: false });
    pnEngines.push(engine);
  }
}"""
_ASK = """async (queries) => {
  const answers = [];
  for (let i = 0; i < queries.length; i++) {
    const first = [];
    const onPartial = (answer) => void first.push(...answer.results);
    const answer = await pnEngines[i].query(queries[i], { limit: 8, onPartial });
    answers.push({ results: answer.results, first, missing: answer.missing });
  }
  return answers;
}"""


class Texts:
    """The titles and texts of every page in a site's index, by the page's address.

    ``whole`` holds, for each query, the result addresses of each site when it is served alone.
    """

    def __init__(self, site: Path, whole: Mapping[str, list[list[str]]]) -> None:
        self._site = site
        self._whole = whole
        self._titles: dict[str, set[str]] = {}
        self._blocks: dict[str, list[str]] = {}
        for file in (site / "search" / "d").iterdir():
            _, url, title, _, _, blocks, _ = unscript(file.read_bytes())
            self._titles.setdefault(url, set()).add(title)
            self._blocks.setdefault(url, []).extend(text for _, _, text in blocks)

    def is_right(self, query: str, answer: dict[str, Any]) -> bool:
        """Return whether an answer is that of one index, and the site holds all its results."""
        urls = [result["sectionUrl"] for result in answer["results"]]
        shown = [*answer["first"], *answer["results"]]
        return urls in self._whole[query] and all(map(self.holds, shown))

    def holds(self, result: dict[str, Any]) -> bool:
        """Return whether the page that a result leads to has the title and words of the result."""
        url = result["url"]
        shown = "".join(part["text"] for part in result["snippet"])
        shown = shown.removeprefix("… ").removesuffix(" …")
        plain = url.partition("#")[0]
        is_there = not plain or (self._site / plain).is_dir() or (self._site / plain).is_file()
        is_titled = result["title"] in self._titles.get(url, ())
        return is_there and is_titled and any(shown in text for text in self._blocks[url])


@dataclass
class Outcome:
    """How many queries were asked, and how many answers were wrong or lacked files."""

    situation: str
    asked: int = 0
    wrong: int = 0
    missing: int = 0
    results: int = 0

    def add(self, queries: Sequence[str], answers: Sequence[dict[str, Any]], texts: Texts) -> None:
        for query, answer in zip(queries, answers, strict=True):
            self.asked += 1
            self.results += len(answer["results"])
            self.missing += bool(answer["missing"])
            self.wrong += not texts.is_right(query, answer)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the sites, ask the queries and print; return 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sites", type=Path, nargs=2, metavar="DIR", help="built sites")
    parser.add_argument("--queries", type=int, default=ASKED, metavar="N", help="default: 200")
    options = parser.parse_args(arguments)
    queries = [each.query for each in read_judged(ROOT / "tests" / "search" / "judged.yml")]
    queries = queries[: options.queries]
    with tempfile.TemporaryDirectory(prefix="perfnotes-deployments-") as name:
        old, new = options.sites or built(Path(name))
        outcomes = []
        with started_browser() as browser:
            texts = Texts(new, undisturbed(browser, (old, new), queries))
            for situation in (open_tab, warm_cache, offline):
                for outcome in situation(browser, old, new, queries, texts):
                    outcomes.append(outcome)
                    print(
                        f"{outcome.situation}: {outcome.wrong} of {outcome.asked} answers wrong, "
                        f"{outcome.missing} incomplete, {outcome.results} results",
                        flush=True,
                    )
    return int(any(outcome.wrong for outcome in outcomes))


def built(work: Path) -> tuple[Path, Path]:
    """Build our own site twice, the second time with the notes inserted; return both folders."""
    project = work / "project"
    for name in ("notes", "docs"):
        shutil.copytree(ROOT / name, project / name)
    shutil.copyfile(ROOT / "mkdocs.yml", project / "mkdocs.yml")
    (project / "tools").symlink_to(ROOT / "tools")
    (project / "build" / "stage").mkdir(parents=True)
    sites = work / "old", work / "new"
    for site in sites:
        print(f"building {site.name}", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "perfnotes", "build", "--quiet", "--site", site]
        run(command, work / "log.txt", cwd=project, more={"PYTHONPATH": str(ROOT / "tools")})
        insert(project / "notes")
    return sites


def insert(notes: Path) -> None:
    """Put notes at the beginning of topics, so that most pages get another number in the index."""
    topics = sorted({path.parent.parent.name for path in notes.glob("*/*/index.md")})
    for number in range(1, INSERTED + 1):
        topic = topics[number % len(topics)]
        text = _NOTE.format(number=number)
        (notes / topic / f"aa-inserted-{number}.md").write_text(text, encoding="utf-8")


@contextmanager
def visited(browser: Browser, *, worker: bool = False) -> Iterator[BrowserContext]:
    """Open a browser context with an empty cache; service workers run only with ``worker``."""
    context = browser.new_context(service_workers="allow" if worker else "block")
    context.set_default_timeout(_PATIENCE)
    try:
        yield context
    finally:
        context.close()


def opened(context: BrowserContext, base: str) -> Page:
    """Open a tab and wait until its search is loaded."""
    tab = context.new_page()
    tab.goto(base + _START)
    tab.wait_for_function("() => window.pnSearch && pnSearch.create && pnSearch.ui")
    return tab


def undisturbed(
    browser: Browser, sites: Sequence[Path], queries: list[str]
) -> dict[str, list[list[str]]]:
    """Return, for each query, the result addresses of each site when it is served alone."""
    found: dict[str, list[list[str]]] = {query: [] for query in queries}
    for site in sites:
        with served(Files(site)) as base, visited(browser) as context:
            tab = opened(context, base)
            tab.evaluate(_BEGIN, [queries, False])
            for query, answer in zip(queries, tab.evaluate(_ASK, queries), strict=True):
                found[query].append([result["sectionUrl"] for result in answer["results"]])
    return found


def open_tab(
    browser: Browser, old: Path, new: Path, queries: list[str], texts: Texts
) -> Iterator[Outcome]:
    """Ask in a tab that stays open; the server makes browsers revalidate every file."""
    outcome = Outcome("a tab that stays open, no-cache")
    files = Files(old, "no-cache")
    with served(files) as base, visited(browser) as context:
        tab = opened(context, base)
        tab.evaluate(_BEGIN, [queries, True])
        files.deploy(new)
        outcome.add(queries, tab.evaluate(_ASK, queries), texts)
    yield outcome


def warm_cache(
    browser: Browser, old: Path, new: Path, queries: list[str], texts: Texts
) -> Iterator[Outcome]:
    """Ask each query in a new visit of a browser that may use cached files for ten minutes."""
    outcome = Outcome("a new visit, max-age=600")
    for i, query in enumerate(queries):
        files = Files(old)
        with served(files) as base, visited(browser) as context:
            tab = opened(context, base)
            tab.evaluate(_BEGIN, [[queries[i - 1]], False])
            tab.evaluate(_ASK, [queries[i - 1]])
            files.deploy(new)
            tab = opened(context, base)
            tab.evaluate(_BEGIN, [[query], False])
            outcome.add([query], tab.evaluate(_ASK, [query]), texts)
    yield outcome


def offline(
    browser: Browser, old: Path, new: Path, queries: list[str], texts: Texts
) -> Iterator[Outcome]:
    """Ask in tabs without a network, after the service worker has the new site and its index."""
    files = Files(old)
    with served(files) as base, visited(browser, worker=True) as context:
        tab = opened(context, base)
        _keep_index(tab)
        tab.evaluate(_BEGIN, [queries, True])
        files.deploy(new)
        later = opened(context, base)
        later.evaluate("navigator.serviceWorker.ready.then((it) => it.update())")
        version = (new / "sw.js").read_text("utf-8").split('"version": "')[1].split('"')[0]
        later.wait_for_function(
            "async (version) => (await caches.keys()).every((name) => name.endsWith(version))",
            arg=version,
        )
        _keep_index(later)
        context.set_offline(True)
        outcome = Outcome("without a network, a tab of the old site")
        outcome.add(queries, tab.evaluate(_ASK, queries), texts)
        yield outcome
        later.evaluate(_BEGIN, [queries, False])
        outcome = Outcome("without a network, a tab of the new site")
        outcome.add(queries, later.evaluate(_ASK, queries), texts)
        yield outcome


def _keep_index(tab: Page) -> None:
    """Make the service worker keep the whole index, and wait until it has."""
    tab.evaluate("delete document.documentElement.dataset.offline")
    tab.evaluate(
        "navigator.serviceWorker.ready.then(({active}) => active.postMessage({index: true}))"
    )
    tab.wait_for_selector("html[data-offline=search]", state="attached")


if __name__ == "__main__":
    sys.exit(main())
