"""Plots in a browser: large enough to read on a phone, in both colours, without a moving page."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.browser import opened, served
from tests.page_faults import EXTRA_WIDTH
from tests.plot_notes import notes
from tests.project import commit, copy_project, perfnotes, run

pytestmark = pytest.mark.slow

_FAULTS = """(least) => [...document.querySelectorAll(".pn-chart svg")].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const scale = frame.width / svg.viewBox.baseVal.width;
  return [...svg.querySelectorAll("text")].flatMap((text) => {
    const size = parseFloat(getComputedStyle(text).fontSize) * scale;
    const box = text.getBoundingClientRect();
    const said = [];
    if (size < least) said.push(`${text.textContent}: ${size} pixels`);
    const cut = box.left < frame.left - 1 || box.right > frame.right + 1;
    if (cut) said.push(`${text.textContent} is cut`);
    return said;
  });
})"""
_COLOURS = """() => [...document.querySelectorAll(".pn-chart svg *")].flatMap((shape) => {
  const style = getComputedStyle(shape);
  return [style.fill, style.stroke];
})"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    project = copy_project(tmp_path_factory.mktemp("plots"), notes=notes())
    commit(project)
    run(project, perfnotes("build", "--quiet"))
    with served(Path(project) / "site") as base:
        yield base


@pytest.mark.parametrize("page", ["caches/ladder/", "zh/caches/ladder/"])
def test_words_can_be_read_and_nothing_is_cut(browser: Browser, site: str, page: str) -> None:
    with opened(browser, site) as (tab, _):
        for width in (320, 390, 1280):
            tab.set_viewport_size({"width": width, "height": 844})
            tab.goto(page)
            expect(tab.locator(".pn-chart svg")).to_have_count(8)
            assert tab.evaluate(_FAULTS, 11 if width >= 390 else 9) == [], width
            assert tab.evaluate(EXTRA_WIDTH) <= 0, width


def test_each_light_has_its_own_colours(browser: Browser, site: str) -> None:
    seen = []
    for scheme in ("light", "dark"):
        with opened(browser, site, scheme=scheme) as (tab, _):
            tab.goto("caches/ladder/")
            seen.append({c for c in tab.evaluate(_COLOURS) if c not in ("none", "rgb(0, 0, 0)")})
    assert seen[0]
    assert seen[1]
    assert not seen[0] & seen[1]


def test_the_numbers_open_by_keyboard_and_axe_finds_nothing(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("caches/ladder/")
        numbers = tab.locator(".pn-chart-numbers").first
        expect(numbers.locator("table")).not_to_be_visible()
        numbers.locator("summary").press("Enter")
        expect(numbers.locator("table")).to_be_visible()
        expect(numbers.get_by_role("link").first).to_have_attribute("href", "lab/#near")
        assert not Axe().run(tab, ".pn-chart, .pn-chart-numbers").response["violations"]


def test_what_is_folded_is_measured_when_it_opens(browser: Browser, site: str) -> None:
    """A box that is wider than its place can be focused and has its name, and no other one."""
    with opened(browser, site, width=320) as (tab, _):
        tab.goto("caches/ladder/")
        numbers = tab.locator(".pn-chart-numbers").first
        box = numbers.locator(".pn-scroll")
        box.evaluate("box => (box.firstElementChild.style.minWidth = '500px')")
        numbers.locator("summary").press("Enter")
        title = tab.locator(".pn-c-title").first.text_content() or ""
        # The page has two charts of this title, so their names have numbers.
        named = numbers.get_by_role("region", name=f"{title} 1", exact=True)
        expect(named).to_have_attribute("tabindex", "0")
        tab.set_viewport_size({"width": 1280, "height": 800})
        expect(box).to_be_visible()
        expect(named).to_have_count(0)
        assert box.get_attribute("tabindex") is None


def test_the_page_does_not_move_while_it_loads(browser: Browser, site: str) -> None:
    with opened(browser, site, width=390, script=True) as (tab, _):
        tab.goto("caches/ladder/")
        moved = tab.evaluate(
            "new Promise((done) => { const moved = []; new PerformanceObserver((list) => {"
            " for (const each of list.getEntries()) for (const { node } of each.sources)"
            " moved.push(node?.outerHTML?.slice(0, 200) ?? node?.textContent);"
            " }).observe({type: 'layout-shift', buffered: true});"
            " setTimeout(() => done(moved), 500); })"
        )
        assert moved == []


def test_a_drawing_keeps_its_size_on_a_phone_and_follows_the_switch(
    browser: Browser, site: str
) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        with opened(browser, site, width=390, scheme=scheme) as (tab, _):
            tab.goto("caches/ladder/")
            drawing = tab.get_by_role("img", name="Two words in a drawing")
            drawing.scroll_into_view_if_needed()
            box = drawing.bounding_box()
            assert box
            assert box["width"] == 700  # its words have the size that they have in the file
            assert tab.evaluate(EXTRA_WIDTH) <= 0
            grounds.append(_ground(browser, drawing.screenshot()))
    assert grounds == [[253, 252, 248], [22, 21, 18]]


def _ground(browser: Browser, picture: bytes) -> list[int]:
    """Return the colour of a picture's middle."""
    page = browser.new_page()
    found = page.evaluate(
        """async (data) => {
          const image = new Image();
          image.src = "data:image/png;base64," + data;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height);
          const draw = canvas.getContext("2d");
          draw.drawImage(image, 0, 0);
          const middle = [image.width / 2 | 0, image.height / 2 | 0, 1, 1];
          return [...draw.getImageData(...middle).data].slice(0, 3);
        }""",
        base64.b64encode(picture).decode(),
    )
    page.close()
    return [int(value) for value in found]
