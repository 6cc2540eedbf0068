"""The page for addresses that do not exist, in a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from perfnotes.site.page import Page
from tests.browser import opened, served
from tests.page_faults import WATCH_SHIFTS
from tests.sample_notes import BELOW

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pair(pages: list[Page]) -> tuple[Page, Page]:
    """A note's page and its Chinese twin."""
    there = {p.url: p for p in pages}
    return next(
        (p, there[f"zh/{p.url}"]) for p in pages if p.kind == "note" and f"zh/{p.url}" in there
    )


@pytest.mark.parametrize("address", ["site", "below"])
def test_a_missing_page_names_those_near_it(
    browser: Browser, address: str, pair: tuple[Page, Page], request: pytest.FixtureRequest
) -> None:
    base: str = request.getfixturevalue(address)
    for page in pair:
        wrong = f"{page.url[:-4]}{page.url[-3:]}and/deeper.html"
        with opened(browser, base, expected=wrong) as (tab, _):
            answer = tab.goto(wrong)
            assert answer
            assert answer.status == 404
            assert tab.locator("html").get_attribute("lang") == page.lang
            expect(tab.locator("h1:visible")).to_have_count(1)
            near = tab.locator("[data-pn-nearest]:visible a")
            expect(near.filter(has_text=page.title)).to_have_count(1)
            assert tab.locator(".pn-topics a:visible").count() > 3
            near.filter(has_text=page.title).click()
            expect(tab).to_have_url(base + page.url)


def test_a_missing_page_of_a_site_without_an_address_finds_the_root(
    browser: Browser, built_sample: Path, pair: tuple[Page, Page]
) -> None:
    """Below any path: its style, its scripts and its links are those of the site."""
    errors: list[str] = []
    with served(built_sample / "site", BELOW) as base:
        for page in pair:
            tab = browser.new_page()
            tab.on("pageerror", lambda error: errors.append(str(error)))
            wrong = f"{base}{page.url[:-4]}{page.url[-3:]}and/deeper.html"
            tab.goto(wrong)
            near = tab.locator("[data-pn-nearest]:visible a").filter(has_text=page.title)
            expect(near).to_be_visible()
            assert tab.url == wrong
            expect(tab).to_have_title(re.compile(f"^{tab.locator('h1:visible').inner_text()} - "))
            assert tab.locator("html").get_attribute("lang") == page.lang
            expect(tab.locator("body")).to_have_attribute("data-md-color-scheme", "default")
            for topic in tab.locator(".pn-topics a").all():
                assert topic.evaluate("e => e.href").startswith(base)
            tab.locator("[data-pn-search]").click()
            expect(tab.get_by_role("dialog")).to_be_visible()
            tab.keyboard.press("Escape")
            near.click()
            expect(tab).to_have_url(base + page.url)
            assert not errors
            tab.close()


def test_a_missing_page_without_style_sheets_can_be_read(
    browser: Browser, built_sample: Path
) -> None:
    """Without scripts nothing finds the root of a site without an address."""
    with served(built_sample / "site", BELOW) as base:
        tab = browser.new_page(java_script_enabled=False)
        tab.goto(f"{base}nowhere/")
        expect(tab.locator("h1").first).to_be_in_viewport()
        for icon in tab.locator("header svg").all():
            box = icon.bounding_box()
            assert box is None or box["width"] <= 24
        tab.close()


def test_a_missing_page_says_that_none_is_near_and_moves_nothing(
    browser: Browser, site: str
) -> None:
    for wrong, said in (("zh/0q0/", "没有相近的页面。"), ("0q0/", "None is near."), ("gloss/", "")):
        with opened(browser, site, expected=wrong) as (tab, _):
            tab.add_init_script(WATCH_SHIFTS)
            tab.goto(wrong)
            near = tab.locator("[data-pn-nearest]:visible")
            if said:
                expect(near.locator("p")).to_be_visible()  # while hidden, it has its words already
                expect(near.locator("p")).to_have_text(said)
                box = near.locator("p").bounding_box()
                assert box
                assert box["height"] < 60  # one line: no room is kept
            else:
                expect(near.locator("a").first).to_be_visible()
                # The numbers of the list stand below its heading, not outside of the text.
                inside = (
                    "e => e.getBoundingClientRect().x - e.parentElement.getBoundingClientRect().x"
                )
                assert near.locator("li").first.evaluate(inside) > 20
            assert tab.evaluate("shifts") == []
