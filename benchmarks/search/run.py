"""Compare our search with MiniSearch, Pagefind and Material's own, on books by other people.

    make bench-search BOOKS=DIR                   # makes the corpora of 1,000 and 10,000 pages
    python -m benchmarks.search.run --corpus DIR  # any folder of Markdown, with --queries FILE

DIR holds clones of the books that benchmarks/search/books.yml names; if one is missing, a message
names the command that gets it. Prints tables, and writes all figures to
build/bench-search/report.json. An engine that fails or takes more than ten minutes of CPU time is
reported as failed. For times that can be trusted let nothing else run: first run everything, then
once more with "--keep --only interface".
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks.search import interface, material, minisearch, ours, pagefind, results_page
from benchmarks.search.books import BooksError, make_corpus, read_books
from benchmarks.search.measured import ROOT, Cost, Engine, EngineError, Failure, kept, run
from benchmarks.search.report import as_data, report

from perfnotes.search.evaluate import JudgedError, JudgedQuery, read_judged

QUERIES = Path(__file__).with_name("queries.yml")
SIZES = (1_000, 10_000)
PARTS = ("ours", "minisearch", "pagefind", "material", "interface", "results")
TYPED = 48  # queries that are typed in the browser
SITE_LIMIT = 3600  # CPU seconds of building our site; the limit of engines does not apply to it


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--books", type=Path, metavar="DIR", help="folder of the books' clones")
    which.add_argument(
        "--corpus", type=Path, metavar="DIR", action="append", help="a folder of Markdown"
    )
    parser.add_argument("--queries", type=Path, default=QUERIES, help="judged queries")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS, help="what to measure")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "bench-search")
    parser.add_argument("--keep", action="store_true", help="use what an earlier run has built")
    options = parser.parse_args(arguments)
    options.work.mkdir(parents=True, exist_ok=True)
    try:
        judged = read_judged(options.queries)
        corpora = options.corpus or made(options.books, options.work / "books")
        for corpus in corpora:
            if not corpus.is_dir():
                raise EngineError(f"{corpus} is no folder")
        engines: list[Engine | Failure] = []
        visits: list[interface.Visit] = []
        opened: list[results_page.ResultsVisit] = []
        for corpus in corpora:
            step = Step(corpus, options.work / corpus.name, judged, options.keep)
            for engine in step.engines(options.only):
                engines.append(engine)
                record(options.work, engines, visits)
        if "interface" in options.only:
            # The last corpus is the largest.
            try:
                visits = step.visits()
            except EngineError as error:
                engines.append(Failure("interface", step.pages, str(error)))
        if "results" in options.only:
            try:
                opened = step.results()
            except EngineError as error:
                engines.append(Failure("results", step.pages, str(error)))
    except (BooksError, EngineError, JudgedError) as error:
        print(f"bench-search: {error}", file=sys.stderr)
        return 1
    print(f"\n{report(engines, visits, opened, f'{step.pages} pages')}")
    print(f"machine: {processor()}, {os.cpu_count()} CPUs, Python {platform.python_version()}")
    record(options.work, engines, visits, opened)
    return 0


def record(
    work: Path,
    engines: Sequence[Engine | Failure],
    visits: Sequence[interface.Visit],
    opened: Sequence[results_page.ResultsVisit] = (),
) -> None:
    """Write the figures so far: a run takes long and may be interrupted."""
    text = json.dumps(as_data(engines, visits, opened), ensure_ascii=False, indent=1)
    (work / "report.json").write_text(text, encoding="utf-8")


def made(books: Path, folder: Path) -> list[Path]:
    """Return the corpora of 1,000 and 10,000 pages, and make those that do not exist yet."""
    corpora = []
    for size in SIZES:
        corpus = folder / str(size)
        if not corpus.is_dir():
            say(f"copying the books, and generating notes up to {size} pages")
            make_corpus(read_books(), books, corpus, size)
        corpora.append(corpus)
    return corpora


@dataclass(frozen=True)
class Step:
    """The measurements on one corpus; all that is built for it goes to ``work``."""

    corpus: Path
    work: Path
    judged: Sequence[JudgedQuery]
    keep: bool

    def engines(self, parts: Collection[str]) -> Iterator[Engine | Failure]:
        """Measure the engines named in ``parts``, one after another."""
        judged, keep, work = self.judged, self.keep, self.work
        engines: dict[str, Callable[[], Engine]] = {
            "ours": lambda: ours.measure(self.index, judged),
            "minisearch": lambda: minisearch.measure(
                self.index, work / "minisearch", self.pages, judged, keep
            ),
            "pagefind": lambda: pagefind.measure(
                self.site, ours.read_pages(self.index), work / "pagefind", judged, keep
            ),
            "material": lambda: material.measure(self.corpus, work / "material", judged, keep),
        }
        for name, measure in engines.items():
            if name not in parts:
                continue
            say(f"{self.corpus.name}: {name}")
            try:
                yield measure()
            except EngineError as error:
                say(str(error))
                yield Failure(name, self.pages, str(error))

    def visits(self) -> list[interface.Visit]:
        """Types queries into our search box, on the page that the first query expects."""
        say(f"{self.corpus.name}: queries typed in the browser")
        urls = {page.id: page.url for page in ours.read_pages(self.index)}
        expected = (id for each in self.judged for id in each.expected)
        start = next((urls[id] for id in expected if id in urls), "")
        chosen = interface.sample(self.judged, TYPED)
        return interface.measure(self.site, start, chosen)

    def results(self) -> list[results_page.ResultsVisit]:
        """Open the page of results for the queries that are typed, each with an empty cache."""
        say(f"{self.corpus.name}: cold visits to the page of results")
        return results_page.measure(self.site, interface.sample(self.judged, TYPED))

    @cached_property
    def index(self) -> Path:
        """The folder of our own index, which is made when it is first needed."""
        ours.make(self.corpus, self.work / "ours", self.keep)
        return self.work / "ours"

    @property
    def pages(self) -> int:
        """The number of pages of the corpus."""
        return len(ours.read_pages(self.index))

    @cached_property
    def site(self) -> Path:
        """The folder of our site, which is built when it is first needed."""

        def make(folder: Path) -> Cost:
            say(f"{self.corpus.name}: building the site")
            command = [sys.executable, "-m", "perfnotes", "build", "--quiet",
                       "--notes", self.corpus.resolve(), "--site", folder / "site"]  # fmt: skip
            return run(command, folder / "log.txt", more={"PYTHONPATH": "tools"}, limit=SITE_LIMIT)

        folder = self.work / "site"
        kept(folder, self.keep, make)
        return folder / "site"


def say(text: str) -> None:
    """Print a line of progress on standard error."""
    print(text, file=sys.stderr, flush=True)


def processor() -> str:
    """Return the name of the machine's processor."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


if __name__ == "__main__":
    raise SystemExit(main())
