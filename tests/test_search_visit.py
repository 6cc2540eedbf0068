"""After a visit from the search, a card shows the passages that say most of the query."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Route, expect
from playwright.sync_api import Page as Tab

from perfnotes.site.searchable.screens import Screens
from tests.browser import opened, served
from tests.example_notes import read_site
from tests.page_faults import EXTRA_WIDTH, LATE_SHIFTS, WATCH_SHIFTS, violations
from tests.search_page import hits, other_places, search

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(built_sample: Path) -> Iterator[str]:
    with served(built_sample / "site", "/below/") as base:
        yield base


WORDS = "prefetching stride streams"  # of a section that is not on the first screen
TABLE = "prefetching value"  # in a row of a table with more than two columns


def opened_result(tab: Tab, words: str = WORDS) -> Locator:
    """Searches in the language of the words; returns the first result, which is a note."""
    tab.goto("" if words.isascii() else "zh/")
    search(tab, words)
    return hits(tab).first


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize(
    ("words", "heading", "said"),
    [
        (WORDS, "In a program", ["Walk with one stride.", "Keep few streams.", "Measure again."]),
        ("lonely total program prefetching", "In a program", ["lonely_total", "return sum"]),
        ("预取 步长", "在程序里", ["用一个步长访问。", "少用几个流。", "再测一次。"]),
    ],
)
def test_a_card_shows_the_passages_and_closes(
    browser: Browser, site: str, width: int, words: str, heading: str, said: list[str]
) -> None:
    with opened(browser, site, width=width) as (tab, _):
        result = opened_result(tab, words)
        tab.add_init_script(WATCH_SHIFTS)
        result.click()
        card = tab.locator(".pn-passages")
        expect(card).to_be_visible()
        link = card.locator(".pn-passages-link").first
        expect(link).to_have_text(heading)
        shown = card.locator(".pn-passages-text").inner_text()
        assert all(each in shown for each in said), shown
        tab.wait_for_timeout(300)
        assert tab.evaluate(LATE_SHIFTS) == []
        assert tab.evaluate(EXTRA_WIDTH) <= 0
        assert not card.locator("[id], button:not(.pn-passages-close)").count()
        card.get_by_role("button", name=re.compile("Close|关闭")).click()
        expect(card).to_have_count(0)
        tab.reload()  # what the search left was for one visit
        tab.wait_for_timeout(500)
        expect(card).to_have_count(0)


def letters(text: str) -> list[str]:
    """Return all letters and digits of a text. In them a formula is the same in TeX and MathML."""
    return re.findall(r"[^\W_]", unicodedata.normalize("NFKC", text))


def test_the_browser_chooses_what_is_judged(
    browser: Browser, site: str, built_sample: Path
) -> None:
    screens = Screens(read_site(built_sample))
    shown = 0
    with opened(browser, site) as (tab, _):
        asked = (WORDS, "loop page end stops", "page walk measure again", "matrix columns", TABLE)
        for words in asked:
            result = opened_result(tab, words)
            place = str(result.get_attribute("data-page"))
            fragment = str(result.get_attribute("href")).partition("#")[2].partition(":~:")[0]
            judged = screens.card("#".join(filter(None, (place, fragment))), "en", words)
            result.click()
            tab.wait_for_timeout(500)
            card = tab.locator(".pn-passages-text")
            found = letters(card.inner_text() if card.count() else "")
            assert found == letters((judged or "").replace("\\frac", "")), words
            shown += bool(found)
            if words == TABLE:
                assert tab.locator(".pn-passages-head").count() == 1
    assert shown >= 3


def test_a_low_card_stays_when_the_browser_scrolls_late_and_goes_when_the_reader_scrolls_on(
    browser: Browser, site: str
) -> None:
    """A loaded browser scrolls to the section that it opens after the scripts of the page ran."""
    with opened(browser, site, width=390) as (tab, _):
        opened_result(tab, "loop page end stops")
        section = other_places(tab).first
        tab.set_viewport_size({"width": 390, "height": 200})
        tab.add_init_script(
            "addEventListener('DOMContentLoaded', () => {"
            " document.querySelector('article').style.display = 'none' })"
        )
        section.click()
        card = tab.locator(".pn-passages")
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
    result = opened_result(tab)
    tab.add_init_script(WATCH_SHIFTS)
    tab.route("**/passages.css", late)
    result.click()
    expect(tab.locator(".pn-passages")).to_be_visible()
    tab.wait_for_timeout(300)
    assert tab.evaluate(LATE_SHIFTS) == []
    context.close()


@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_no_barrier_in_the_card(browser: Browser, site: str, width: int) -> None:
    with opened(browser, site, width=width) as (tab, _):
        opened_result(tab).click()
        expect(tab.locator(".pn-passages")).to_be_visible()
        assert violations(tab) == []


def test_a_plain_visit_loads_no_script_of_the_card(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto("caches/lines/")
        tab.wait_for_timeout(500)
        assert tab.locator(".pn-passages").count() == 0
        assert not [url for url in asked if re.search(r"/passages\.(js|css)$", url)]


def test_the_second_link_of_a_result_leads_to_the_other_place(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        opened_result(tab, "loop page end stops")
        other_places(tab).first.click()
        tab.wait_for_url(re.compile("/caches/prefetching/#which-walks$"))
        card = tab.locator(".pn-passages")
        expect(card.locator(".pn-passages-link")).to_have_text(["When not to", "Which walks"])
        card.locator(".pn-passages-close").focus()
        tab.keyboard.press("Escape")
        expect(card).to_have_count(0)
