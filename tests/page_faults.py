"""What may be wrong with a page that a browser shows: contrast, width, late moves, barriers."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page as Tab

# The contrast of each text with what lies behind it (WCAG 2): where it is below 7:1.
LOW_CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const seen = new Map();  // a page has few colours and may have many thousand texts
  const rgba = (colour) => {
    if (!seen.has(colour)) {
      canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
      seen.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return seen.get(colour);
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const grounds = new Map();
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    if (!grounds.has(element)) {
      const colour = rgba(getComputedStyle(element).backgroundColor);
      const whole = colour[3] === 255 ? colour : null;
      grounds.set(element, colour[3] ? whole : behind(element.parentElement));
    }
    return grounds.get(element);
  };
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({opacityProperty: true})) continue;
    if (element.closest("script, noscript, annotation, .md-skip")) continue;
    const {color, fill} = getComputedStyle(element);
    const back = behind(element), front = rgba(element instanceof SVGElement ? fill : color);
    if (!back) continue;
    const [high, low] = [light(front), light(back)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio < 7) found.push(`${ratio.toFixed(2)}: ${node.data.trim().slice(0, 40)}`);
  }
  return found;
}"""
EXTRA_WIDTH = "document.documentElement.scrollWidth - document.documentElement.clientWidth"

# The contrast of 7:1 (4.5:1 for large text) and the size of what a finger hits are rules that axe
# leaves out by itself. By itself, its rule of 7:1 says nothing of a contrast below 4.5:1, which
# another rule reports; here it reports both, because either rule takes a third of the time of all.
_SHORT_LINKS = "link-in-text-block"
_LOOKS = ("color-contrast-enhanced", _SHORT_LINKS, "target-size")
_FROM_ZERO = {"minThreshold": 0}
_CONTRAST = {"contrastRatio": {"normal": _FROM_ZERO, "large": _FROM_ZERO}}
_AXE = {
    "resultTypes": ["violations"],
    "rules": {"color-contrast": {"enabled": False}, **{rule: {"enabled": True} for rule in _LOOKS}},
    "checks": {"color-contrast-enhanced": {"options": _CONTRAST}},
}
# Looking for what lies behind each text takes most of the time; rows and dots are made alike.
FIRST_ROWS = """() => document
  .querySelectorAll("tbody > tr:nth-child(n+12), dl > :nth-child(n+60), " +
    "pre code > :nth-child(n+60)")
  .forEach((each) => each.remove())"""
# A busy machine paints half a page while it still reads it: what the first frame of the whole page
# moves is not late.
WATCH_SHIFTS = """
  window.shifts = [];
  window.whole = Infinity;
  document.addEventListener("readystatechange", () => {
    requestAnimationFrame(() => requestAnimationFrame(() => {
      whole = Math.min(whole, performance.now());
    }));
  }, {once: true});
  new PerformanceObserver((list) => {
    for (const {startTime, value, sources} of list.getEntries()) {
      const moved = sources.map(({node}) => node?.outerHTML?.slice(0, 80) ?? node?.data);
      shifts.push([startTime, `${value.toFixed(4)} ${moved.join(" | ")}`]);
    }
  }).observe({type: "layout-shift", buffered: true});
"""
LATE_SHIFTS = """() =>
  shifts.filter(([time]) => time >= whole).map(([time, text]) => `${time - whole} ${text}`)"""


def violations(tab: Tab) -> list[str]:
    """Return what axe finds on the page that is open, each with the first element concerned.

    The page is changed: its details are opened, and rows of long tables and lists are removed.
    """
    response = _response(tab, _AXE)
    assert response["passes"], response
    return _told(response["violations"])


def unclear_links(tab: Tab) -> list[str]:
    """Return the links that axe cannot tell from the words beside them; the page is changed."""
    only = {"runOnly": {"type": "rule", "values": [_SHORT_LINKS]}}
    return _told(_response(tab, only)["violations"])


def _response(tab: Tab, options: dict[str, Any]) -> dict[str, Any]:
    tab.eval_on_selector_all("details", "all => all.forEach((each) => each.open = true)")
    tab.evaluate(FIRST_ROWS)
    response: dict[str, Any] = Axe().run(tab, options=options).response
    return response


def _told(violations: list[dict[str, Any]]) -> list[str]:
    return [
        f"{each['id']}: {len(each['nodes'])} times, first {each['nodes'][0]['html'][:200]}: "
        f"{each['nodes'][0]['failureSummary']}"
        for each in violations
    ]
