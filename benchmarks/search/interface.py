"""What readers wait for and download: the site's own search box, driven in Chromium.

Each query gets a browser without any memory, on a page of the site. It is typed at ten characters a
second, deleted, and typed again: the first time is the cold one, the second the warm one. What is
timed is the last character's arrival in the field up to the frame that shows results for it.
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

from perfnotes.search.evaluate import Judged

KEYS_PER_SECOND = 10
_LATE = 120  # ms between two keys; where a busy machine takes longer, the query is typed anew
_TRIES = 3
_PATIENCE = 20_000  # ms
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Notes when characters arrive, and for each frame when it was on the screen, when the results that
# it shows were put there and whose whole answer they are. A task that follows a frame runs when
# that frame is painted.
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
    """One query, once typed: ms from the last key to the first results and to all of them."""

    first: float
    whole: float
    requests: int  # that the search made, up to the first results
    bytes: int
    whole_requests: int
    whole_bytes: int
    slowest_key: float  # ms between two keys, where a busy machine typed slower than it should


@dataclass(frozen=True)
class Visit:
    """A first visit: a query typed with nothing loaded, and once more."""

    judged: Judged
    cold: Typing
    warm: Typing


def chromium() -> str | None:
    """The browser that ``CHROMIUM`` names, or the one on the path."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium")


@contextmanager
def started_browser() -> Iterator[Browser]:
    """A Chromium that asks nobody for anything by itself."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(_QUIET))
        except Error as error:
            reason = error.message.splitlines()[0]
            raise EngineError(f"no Chromium that runs: {reason} (set CHROMIUM to one)") from None
        yield browser
        browser.close()


def sample(judged: Sequence[Judged], most: int) -> list[Judged]:
    """About ``most`` of the queries, as many of each class as of the others, spread over each."""
    by_kind: dict[str, list[Judged]] = {}
    for each in judged:
        by_kind.setdefault(each.kind, []).append(each)
    share = -(-most // max(1, len(by_kind)))
    chosen: list[Judged] = []
    for group in by_kind.values():
        step = max(1, len(group) / share)
        chosen += [group[int(i * step)] for i in range(min(share, len(group)))]
    return chosen


def measure(site: Path, start: str, judged: Sequence[Judged]) -> list[Visit]:
    """Type each query on the page ``start``, an address below the site."""
    visits = []
    with served(Files(site)) as base, started_browser() as browser:
        for each in judged:
            for _ in range(_TRIES):
                visit = _visited(browser, base + start, each)
                if max(visit.cold.slowest_key, visit.warm.slowest_key) < _LATE:
                    break
            visits.append(visit)
    return visits


def _visited(browser: Browser, start: str, judged: Judged) -> Visit:
    context = browser.new_context(viewport={"width": 1280, "height": 844})
    context.add_init_script(_PROBE)
    try:
        return _visit(context.new_page(), start, judged)
    except Error as error:
        reason = error.message.splitlines()[0]
        raise EngineError(f"{judged.query!r} on {start}: {reason}") from None
    finally:
        context.close()


def _visit(page: Page, start: str, judged: Judged) -> Visit:
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
    page.wait_for_timeout(100)  # for the frame that shows it
    return read_typing(query, page.evaluate(_READ), cold=cold)


def read_typing(query: str, seen: dict[str, Any], *, cold: bool) -> Typing:
    """What the probe wrote down while a query was typed.

    What the page itself brought of the search belongs to the cold one.
    """
    typed: list[float] = seen["typed"]
    last = typed[-1]
    frames = [f for f in seen["frames"] if f.get("painted", 0) >= last]
    whole: float = next(f["painted"] for f in frames if f["whole"] == query)
    # A query without results is answered when the reader is told so.
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
