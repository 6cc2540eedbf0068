"""How long readers wait and what they download: the site's own search box, driven in Chromium.

Each query is typed in a browser with an empty cache, on a page of the site: at ten characters a
second, then deleted, and typed again. The first time is "cold", the second "warm". The time runs
from the arrival of the last character in the field to the frame that shows results for it. The
network is slowed to 10 Mbit/s and 40 ms for each request.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.search.measured import EngineError
from benchmarks.search.server import Files, served
from playwright.sync_api import Browser, Error, Page, sync_playwright

from perfnotes.search.evaluate import JudgedQuery

KEYS_PER_SECOND = 10
LATENCY, MEGABITS = 40, 10  # ms of a request, and Mbit/s
_LATE = 120  # ms between two keys; if a busy machine takes longer, the query is typed again
_TRIES = 3
_PATIENCE = 20_000  # ms
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Records when characters arrive. Of each frame it records when it was painted, when its results
# were put into the list, and the query that they are the whole answer to. A message posted in an
# animation frame is delivered once that frame is painted.
_PROBE = """
(() => {
  const probe = window.pnProbe = { typed: [], frames: [] };
  performance.setResourceTimingBufferSize(5000);
  addEventListener("beforeinput", (event) => probe.typed.push(event.timeStamp), true);
  const channel = new MessageChannel();
  const drawn = [];
  channel.port1.onmessage = () => (drawn.shift().painted = performance.now());
  let listed = 0, waiting = false;
  function look(changes) {
    const box = document.querySelector(".pn-search");
    if (!box) return;
    const list = box.querySelector("[role=listbox]");
    const isList = changes.some(({ type, target }) => type === "childList" && target === list);
    if (isList && list.querySelector("[data-page]")) listed = performance.now();
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      const frame = { listed, whole: box.hasAttribute("aria-busy") ? null : box.dataset.shown };
      probe.frames.push(frame);
      drawn.push(frame);
      channel.port2.postMessage(null);
    });
  }
  const what = { subtree: true, childList: true, attributeFilter: ["data-shown", "aria-busy"] };
  new MutationObserver(look).observe(document, what);
})();
"""

_READ = """
() => ({
  ...window.pnProbe,
  resources: performance.getEntriesByType("resource")
    .map((each) => [new URL(each.name).pathname, each.startTime, each.encodedBodySize]),
})
"""

_WHOLE = """
(query) => {
  const box = document.querySelector(".pn-search");
  return box.dataset.shown === query && !box.hasAttribute("aria-busy");
}
"""


@dataclass(frozen=True)
class Typing:
    """One query, typed once. ``first`` and ``whole`` are ms from the last key to results."""

    first: float
    whole: float
    requests: int  # of the search, up to the first results; ``bytes`` likewise
    bytes: int
    whole_requests: int
    whole_bytes: int
    slowest_key: float  # the longest pause between two keys, in ms


@dataclass(frozen=True)
class Visit:
    """A first visit: a query typed with an empty cache (cold), and once more (warm)."""

    judged: JudgedQuery
    cold: Typing
    warm: Typing


def chromium() -> str | None:
    """Return the path of the browser: ``CHROMIUM``, or chromium on the PATH, or None."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start a Chromium that makes no requests of its own; ``EngineError`` if none starts."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(_QUIET))
        except Error as error:
            reason = error.message.splitlines()[0]
            raise EngineError(f"no Chromium that runs: {reason} (set CHROMIUM to one)") from None
        yield browser
        browser.close()


def slowed(page: Page) -> None:
    """Slows the network of a page to ``LATENCY`` and ``MEGABITS``."""
    speed = MEGABITS * 1_000_000 / 8
    conditions = {"offline": False, "latency": LATENCY,
                  "downloadThroughput": speed, "uploadThroughput": speed}  # fmt: skip
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", conditions)


def sample(judged: Sequence[JudgedQuery], most: int) -> list[JudgedQuery]:
    """Return about ``most`` queries, equally many of each class, spread evenly over the class."""
    by_kind: dict[str, list[JudgedQuery]] = {}
    for each in judged:
        by_kind.setdefault(each.kind, []).append(each)
    share = -(-most // max(1, len(by_kind)))
    chosen: list[JudgedQuery] = []
    for group in by_kind.values():
        step = max(1, len(group) / share)
        chosen += [group[int(i * step)] for i in range(min(share, len(group)))]
    return chosen


def measure(site: Path, start: str, judged: Sequence[JudgedQuery]) -> list[Visit]:
    """Types each query on the page ``start``, an address relative to the site's root."""
    visits = []
    with served(Files(site)) as base, started_browser() as browser:
        for each in judged:
            for _ in range(_TRIES):
                visit = _visited(browser, base + start, each)
                if max(visit.cold.slowest_key, visit.warm.slowest_key) < _LATE:
                    break
            visits.append(visit)
    return visits


def _visited(browser: Browser, start: str, judged: JudgedQuery) -> Visit:
    context = browser.new_context(viewport={"width": 1280, "height": 844})
    context.add_init_script(_PROBE)
    try:
        return _visit(context.new_page(), start, judged)
    except Error as error:
        reason = error.message.splitlines()[0]
        raise EngineError(f"{judged.query!r} on {start}: {reason}") from None
    finally:
        context.close()


def _visit(page: Page, start: str, judged: JudgedQuery) -> Visit:
    slowed(page)
    page.goto(start, wait_until="load")
    page.keyboard.press("/")
    page.wait_for_selector(".pn-search-input:focus", timeout=_PATIENCE)
    cold = _typing(page, judged.query, cold=True)
    page.keyboard.press("Control+a")
    page.keyboard.press("Backspace")
    page.wait_for_function(_WHOLE, arg="", timeout=_PATIENCE)
    page.evaluate("() => { window.pnProbe.typed = []; window.pnProbe.frames = []; }")
    warm = _typing(page, judged.query, cold=False)
    return Visit(judged, cold, warm)


def _typing(page: Page, query: str, *, cold: bool) -> Typing:
    began = time.perf_counter()
    for i, character in enumerate(query):
        time.sleep(max(0.0, began + i / KEYS_PER_SECOND - time.perf_counter()))
        page.keyboard.type(character)
    page.wait_for_function(_WHOLE, arg=query, timeout=_PATIENCE)
    page.wait_for_timeout(100)  # until the frame that shows the answer is recorded
    return read_typing(query, page.evaluate(_READ), cold=cold)


def read_typing(query: str, seen: dict[str, Any], *, cold: bool) -> Typing:
    """Read what the probe recorded while a query was typed.

    Files of the search that the page itself loads count for the cold query.
    """
    typed: list[float] = seen["typed"]
    last = typed[-1]
    frames = [f for f in seen["frames"] if f.get("painted", 0) >= last]
    whole: float = next(f["painted"] for f in frames if f["whole"] == query)
    # A query without results counts as answered when the page says that there are none.
    first: float = next((f["painted"] for f in frames if f["listed"] >= last), whole)
    since = 0.0 if cold else typed[0]
    own = [(at, size) for path, at, size in seen["resources"] if "/search/" in path and at >= since]
    before = [size for at, size in own if at <= first]
    until = [size for at, size in own if at <= whole]
    gaps = [b - a for a, b in pairwise(typed)]
    return Typing(
        first - last, whole - last, len(before), sum(before), len(until), sum(until),
        max(gaps, default=0.0),
    )  # fmt: skip
