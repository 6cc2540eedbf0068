"""What a first visit costs: all bytes before any input, layout shift and long tasks.

    make visit                                  # the built site
    make visit ARGS="--site /tmp/site-of-10000"  # another one

Each page is opened in a browser with an empty cache and the screen of a phone, and left alone until
there was no request for ten seconds. So what a script or the service worker loads later counts too.
The server counts the bytes, with the headers of its answers. It compresses text with gzip.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.page.node import ROOT
from benchmarks.page.pages import longest_note, pages_of
from benchmarks.page.server import Answer, Server, served
from playwright.sync_api import Browser, BrowserContext
from tests.browser import Watch, started_browser

NOTE_LIMIT = 60_000
_NOTES = ("note", "longest note", "calculator")  # calculators stand in the heaviest of all
_QUIET_SECONDS = 10.0
_OBSERVE = """
  window.shifts = []; window.longTasks = [];
  const watch = (type, keep) => new PerformanceObserver((list) => list.getEntries().forEach(keep))
    .observe({type, buffered: true});
  watch("layout-shift", (each) => shifts.push(each.value));
  watch("longtask", (each) => longTasks.push(each.duration));
"""


@dataclass(frozen=True)
class Visit:
    """The first visit to one page; ``long_tasks`` are in ms."""

    answers: list[Answer]
    shift: float
    long_tasks: list[float]
    problems: list[str]

    @property
    def size(self) -> int:
        return sum(answer.size for answer in self.answers)


def visit(browser: Browser, server: Server, url: str) -> Visit:
    """Open a page in a browser without a cache and wait; there is no input."""
    server.answers.clear()
    with _phone(browser) as context:
        watch = Watch(server.address).on(context)
        tab = context.new_page()
        tab.add_init_script(_OBSERVE)
        tab.goto(server.address + url, wait_until="load")
        seen, since = len(server.answers), time.monotonic()
        while time.monotonic() - since < _QUIET_SECONDS:
            tab.wait_for_timeout(250)
            if len(server.answers) != seen:
                seen, since = len(server.answers), time.monotonic()
        shifts, tasks = tab.evaluate("[shifts, longTasks]")
        return Visit(list(server.answers), sum(shifts), tasks, watch.problems)


@contextmanager
def _phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(
        viewport={"width": 412, "height": 823},
        device_scale_factor=1.75,
        is_mobile=True,
        has_touch=True,
    )
    try:
        yield context
    finally:
        context.close()


def main() -> int:
    """Print a line for each page.

    Returns 1 if a page has too many bytes, moves while it loads, or asks another host.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=ROOT / "site")
    parser.add_argument("--pages", help="kinds of pages, with commas; default: all")
    parser.add_argument("--files", action="store_true", help="print each answer too")
    options = parser.parse_args()
    pages = {**pages_of(options.site), "longest note": longest_note(options.site)}
    wanted = options.pages.split(",") if options.pages else pages
    bad = []
    print(f"{'page':<14}{'bytes':>9}{'answers':>9}{'CLS':>9}{'long tasks, ms':>16}")
    with served(options.site) as server, started_browser() as browser:
        for kind in wanted:
            seen = visit(browser, server, pages[kind])
            tasks = " ".join(f"{task:.0f}" for task in seen.long_tasks) or "none"
            print(f"{kind:<14}{seen.size:>9}{len(seen.answers):>9}{seen.shift:>9.4f}{tasks:>16}",
                  flush=True)  # fmt: skip
            if options.files:
                for answer in sorted(seen.answers, key=lambda a: -a.size):
                    print(f"    {answer.size:>9} {answer.status} {answer.path}")
            bad += [f"{kind}: {problem}" for problem in seen.problems]
            if seen.shift:
                bad.append(f"{kind}: something moved by {seen.shift:.4f}")
            if kind.startswith(_NOTES) and seen.size > NOTE_LIMIT:
                bad.append(f"{kind}: {seen.size} bytes are more than {NOTE_LIMIT}")
    for line in bad:
        print(line)
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
