"""After a visit from the search, a card shows the other place at which the answer may stand."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Route, expect
from playwright.sync_api import Page as Tab

from tests.browser import opened, served
from tests.page_faults import EXTRA_WIDTH, LATE_SHIFTS, WATCH_SHIFTS, violations
from tests.search_page import hits, other_places, search

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(built_sample: Path) -> Iterator[str]:
    with served(built_sample / "site", "/below/") as base:
        yield base


def another_place(tab: Tab, words: str) -> tuple[Locator, Locator]:
    """Searches; returns the first result that has another place, and the link to that place."""
    tab.goto("")
    search(tab, words)
    link = other_places(tab).first
    address = str(link.get_attribute("href")).partition("#")[0]
    return hits(tab).and_(tab.locator(f'[href^="{address}"]')).first, link


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize(
    ("words", "said", "link"),
    [
        ("cache line", "Alignment", "Alignment"),
        ("matrix columns", "the answer in short", "To the top of the note"),
    ],
)
def test_a_card_shows_the_other_place_and_closes(
    browser: Browser, site: str, width: int, words: str, said: str, link: str
) -> None:
    with opened(browser, site, width=width) as (tab, _):
        result, other = another_place(tab, words)
        assert said in other.inner_text()
        tab.add_init_script(WATCH_SHIFTS)
        result.click()
        card = tab.locator(".pn-other")
        expect(card).to_be_visible()
        expect(card.locator(".pn-other-link")).to_have_text(link)
        shown = card.locator(".pn-other-text").inner_text()
        if link == "Alignment":
            place = tab.locator("#alignment ~ p").first
        else:
            place = tab.locator("article > p:not([class])").first
        assert shown[:20] == place.inner_text()[:20]
        tab.wait_for_timeout(300)
        assert tab.evaluate(LATE_SHIFTS) == []
        assert tab.evaluate(EXTRA_WIDTH) <= 0
        assert not card.locator("[id], button:not(.pn-other-close)").count()
        card.get_by_role("button", name="Close").click()
        expect(card).to_have_count(0)
        tab.reload()  # what the search left was for one visit
        tab.wait_for_timeout(500)
        expect(card).to_have_count(0)


def test_a_low_card_stays_when_the_browser_scrolls_late_and_goes_when_the_reader_scrolls_on(
    browser: Browser, site: str
) -> None:
    """A loaded browser scrolls to the section that it opens after the scripts of the page ran."""
    with opened(browser, site, width=390) as (tab, _):
        result, _other = another_place(tab, "matrix columns")
        tab.set_viewport_size({"width": 390, "height": 200})
        tab.add_init_script(
            "addEventListener('DOMContentLoaded', () => {"
            " document.querySelector('article').style.display = 'none' })"
        )
        result.click()
        card = tab.locator(".pn-other")
        expect(card).to_have_count(1)
        assert tab.evaluate("scrollY") == 0
        tab.evaluate(
            "() => { document.querySelector('article').style.display = '';"
            " document.getElementById(location.hash.slice(1)).scrollIntoView() }"
        )
        tab.wait_for_timeout(300)
        assert tab.evaluate("scrollY > innerHeight")
        expect(card).to_be_visible()
        tab.evaluate("scrollBy(0, 2 * innerHeight)")
        expect(card).to_have_count(0)


def test_a_card_waits_for_its_style_sheet(browser: Browser, site: str) -> None:
    """Without the style sheet the card would stand in the text, and move all that is below it."""

    def late(route: Route) -> None:
        time.sleep(0.3)
        route.continue_()

    # A service worker would answer where the test cannot delay it.
    context = browser.new_context(
        base_url=site, viewport={"width": 390, "height": 844}, service_workers="block"
    )
    tab = context.new_page()
    result, _other = another_place(tab, "cache line")
    tab.add_init_script(WATCH_SHIFTS)
    tab.route("**/other.css", late)
    result.click()
    expect(tab.locator(".pn-other")).to_be_visible()
    tab.wait_for_timeout(300)
    assert tab.evaluate(LATE_SHIFTS) == []
    context.close()


@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_no_barrier_in_the_card(browser: Browser, site: str, width: int) -> None:
    with opened(browser, site, width=width) as (tab, _):
        another_place(tab, "matrix columns")[0].click()
        expect(tab.locator(".pn-other")).to_be_visible()
        assert violations(tab) == []


def test_a_plain_visit_loads_no_script_of_the_card(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto("caches/lines/")
        tab.wait_for_timeout(500)
        assert tab.locator(".pn-other").count() == 0
        assert not [url for url in asked if re.search(r"/other\.(js|css)$", url)]


def test_the_second_link_of_a_result_leads_to_the_other_place(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        another_place(tab, "cache line")[1].click()
        tab.wait_for_url(re.compile("/caches/lines/#alignment$"))
        card = tab.locator(".pn-other")  # which now shows the top, where the result opens
        expect(card.locator(".pn-other-link")).to_have_text("To the top of the note")
        card.locator(".pn-other-close").focus()
        tab.keyboard.press("Escape")
        expect(card).to_have_count(0)
