"""The site by the keyboard and for screen readers: focus, its ring, names, what is read aloud."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from selectolax.lexbor import LexborHTMLParser

from tests.browser import opened, served
from tests.opened_notes import BELOW, FACTS
from tests.opened_notes import PROGRAMS as NOTE

pytestmark = pytest.mark.slow

LAB = "caches/ladder/lab/"
PHONE = 390
# How far the ring of what has the focus goes beyond it, in pixels.
RING = """() => {
  const { outlineOffset, outlineWidth } = getComputedStyle(document.activeElement);
  return parseFloat(outlineOffset) + parseFloat(outlineWidth);
}"""

# Promises the first two texts that an element gets. One that is read aloud soon goes.
TWO_TEXTS = """(line) => {
  const texts = [];
  window.said = new Promise((done) => new MutationObserver(() => {
    if (texts.push(line.textContent) === 2) done(texts);
  }).observe(line, { childList: true }));
}"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def site(built_for_browsers: Path) -> Iterator[str]:
    with served(built_for_browsers, BELOW) as base:
        yield base


def test_escape_closes_the_list_of_languages_and_keeps_the_focus(
    browser: Browser, site: str
) -> None:
    with opened(browser, site, calm=True) as (tab, _):
        tab.goto("caches/ladder/")
        button = tab.locator("[data-pn-select] button")
        links = tab.locator("[data-pn-select] a")
        button.focus()
        tab.keyboard.press("Tab")
        expect(links.first).to_be_focused()
        tab.keyboard.press("Escape")
        expect(button).to_be_focused()
        expect(button).to_have_attribute("aria-expanded", "false")
        expect(tab.locator(".md-select__inner")).to_have_css("opacity", "0")
        tab.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(tab.locator(".md-select__inner")).to_have_css("opacity", "1")
        tab.keyboard.press("Escape")
        tab.keyboard.press("Tab")
        expect(links.first).to_be_focused()
        expect(button).to_have_attribute("aria-expanded", "true")


def test_the_link_past_the_navigation_says_where_it_leads(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        for page, words in (("caches/ladder/", "Skip to content"), ("zh/caches/bus/", "跳到正文")):
            tab.goto(page)
            tab.keyboard.press("Tab")
            expect(tab.locator(":focus")).to_have_text(words)


def test_a_box_that_scrolls_keeps_its_own_name(
    browser: Browser, site: str, built_for_browsers: Path
) -> None:
    html = LexborHTMLParser((built_for_browsers / LAB / "index.html").read_text("utf-8"))
    names = {box.attributes["aria-label"] for box in html.css(".pn-scroll[aria-label]")}
    with opened(browser, site, width=240) as (tab, _):
        tab.goto(LAB)
        tab.locator(".pn-scroll").evaluate_all(
            "all => { for (const box of all) box.closest('details')?.setAttribute('open', ''); }"
        )
        for box in tab.locator(".pn-scroll").all():  # what is far away is not laid out
            box.scroll_into_view_if_needed()
            tab.evaluate(TWO_FRAMES)
        wide = tab.locator(".pn-scroll[tabindex='0']")
        told = wide.evaluate_all("all => all.map((box) => box.ariaLabel)")
        assert names & set(told)
        assert names >= {name for name in told if not name.startswith("Table ")}
        assert len(told) == len(set(told))


def test_buttons_that_copy_have_names_of_their_own_and_say_what_they_did(
    browser: Browser, site: str
) -> None:
    with opened(browser, site) as (tab, _):
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.goto(NOTE)
        tab.locator("body > [role=status]").evaluate(TWO_TEXTS)
        tab.get_by_role("button", name="Copy, code 2", exact=True).press("Enter")
        assert tab.evaluate("said") == ["Copied", ""]
        assert tab.evaluate("navigator.clipboard.readText()") == 'print("two")'


def test_all_results_of_a_calculator_are_read_aloud_once(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("caches/bus/")
        box = tab.locator(".pn-calc-ready").first
        said = tab.locator("body > [role=status]")
        expect(said).to_be_empty()
        for output in box.locator("output").all():
            expect(output).to_have_attribute("aria-live", "off")
        box.get_by_label("transfers per second").fill("8")
        expect(said).to_have_text(
            "bytes per second: 128\u00a0GB/s; time for these bytes: 7.813\u00a0ns"
        )


def test_the_ring_of_the_focus_is_whole_in_the_navigation(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("caches/ladder/")
        tab.keyboard.press("Tab")
        box = tab.locator(".md-sidebar__scrollwrap").bounding_box()
        assert box
        links = tab.locator(".pn-nav a")
        for link in (links.first, links.last):
            link.focus()
            ring = tab.evaluate(RING)
            at = link.bounding_box()
            assert at
            assert at["x"] - ring >= box["x"]
            assert at["x"] + at["width"] + ring <= box["x"] + box["width"]


def test_the_ring_of_the_focus_is_seen_around_a_program(browser: Browser, site: str) -> None:
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(LAB)
        tab.keyboard.press("Tab")
        tab.locator("#lab--sources ~ .highlight code").first.focus()
        room = tab.evaluate(
            "parseFloat(getComputedStyle(document.activeElement.parentElement).overflowClipMargin)"
        )
        assert room >= tab.evaluate(RING)


def test_what_has_the_focus_is_not_below_a_column_that_stays(browser: Browser, site: str) -> None:
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(FACTS)
        row = tab.locator(".pn-compare tbody tr").first
        links = row.locator("td a")
        assert row.evaluate("row => row.closest('.pn-scroll').scrollWidth > innerWidth")
        links.last.focus()
        while not links.first.evaluate("link => link === document.activeElement"):
            tab.keyboard.press("Shift+Tab")
            tab.evaluate(TWO_FRAMES)
            right = row.locator("th").evaluate("head => head.getBoundingClientRect().right")
            left = tab.evaluate("document.activeElement.getBoundingClientRect().left")
            assert left >= right, tab.evaluate("document.activeElement.outerHTML")


def test_buttons_on_a_phone_are_large_enough(browser: Browser, site: str) -> None:
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(FACTS)
        heights = tab.locator("article button").evaluate_all(
            "all => all.map((button) => button.getBoundingClientRect().height)"
        )
        assert heights
        assert min(heights) >= 24
