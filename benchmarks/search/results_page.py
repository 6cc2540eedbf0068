"""What a cold visit to the page of results costs: files, bytes, layout shift and time.

The page is opened in a browser with an empty cache at the address of a query, as by a link, and
left alone until it has shown the whole answer and nothing has been asked for in a second. Every
file counts that the server sends, also what the service worker asks for. The network is that of
``interface``: 10 Mbit/s, and 40 ms for each request.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from benchmarks.search.interface import slowed, started_browser
from benchmarks.search.measured import EngineError
from benchmarks.search.server import Files, served
from playwright.sync_api import Browser, Error, Page

from perfnotes.search.evaluate import JudgedQuery

WINDOWS = {"desktop": (1280, 844), "phone": (412, 823)}
_PATIENCE = 20_000  # ms
_QUIET = 1.0  # seconds without a request
_INDEX = re.compile(r"/search/(root\.js|m\.|[a-z]/)")

# Records layout shifts, the first paint with a result, and the paint with the whole answer, in ms
# since the page was asked for.
_PROBE = """
(() => {
  const probe = window.pnProbe = { shift: 0, first: 0, whole: 0 };
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) probe.shift += value;
  }).observe({ type: "layout-shift", buffered: true });
  const query = new URL(location.href).searchParams.get("q");
  const note = (name) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => (probe[name] ||= performance.now());
    channel.port2.postMessage(null);
  });
  new MutationObserver(() => {
    const box = document.querySelector(".pn-search");
    if (!box) return;
    if (box.querySelector("[data-page]")) note("first");
    if (box.dataset.shown === query && !box.hasAttribute("aria-busy")) note("whole");
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["data-shown"] });
})();
"""


@dataclass(frozen=True)
class ResultsVisit:
    """One cold visit; ``first`` and ``whole`` are ms until results are painted, 0 without any.

    ``data`` is the number of files that belong to the index.
    """

    query: str
    window: str
    files: int
    data: int
    bytes: int
    shift: float
    first: float
    whole: float


def measure(site: Path, judged: Sequence[JudgedQuery]) -> list[ResultsVisit]:
    """Visit the page of results of each query, in the language of the query if the site has it."""
    visits = []
    files = Files(site)
    with served(files) as base, started_browser() as browser:
        for each in judged:
            folder = "zh/search/" if _is_chinese(each.query) else "search/"
            if not (site / folder / "index.html").is_file():
                folder = "search/"
            for window in WINDOWS:
                visits.append(_visited(browser, files, base + folder, each.query, window))
    return visits


def _is_chinese(query: str) -> bool:
    return any("\u4e00" <= char <= "\u9fff" for char in query)


def _visited(browser: Browser, files: Files, address: str, query: str, window: str) -> ResultsVisit:
    width, height = WINDOWS[window]
    context = browser.new_context(
        viewport={"width": width, "height": height}, is_mobile=window == "phone"
    )
    context.add_init_script(_PROBE)
    files.asked.clear()
    try:
        page = context.new_page()
        slowed(page)
        page.goto(f"{address}?q={quote(query)}")
        page.wait_for_function("() => window.pnProbe.whole", timeout=_PATIENCE)
        _wait_for_quiet(page, files)
        seen = page.evaluate("() => window.pnProbe")
    except Error as error:
        raise EngineError(f"{query!r}: {error.message.splitlines()[0]}") from None
    finally:
        context.close()
    asked = list(files.asked)
    return ResultsVisit(
        query, window, len(asked), sum(_INDEX.match(path) is not None for path in asked),
        sum(map(files.size, asked)), round(seen["shift"], 4), seen["first"], seen["whole"],
    )  # fmt: skip


def _wait_for_quiet(page: Page, files: Files) -> None:
    seen, since = len(files.asked), time.monotonic()
    while time.monotonic() - since < _QUIET:
        page.wait_for_timeout(100)
        if len(files.asked) != seen:
            seen, since = len(files.asked), time.monotonic()
