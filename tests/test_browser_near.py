"""What long pages lay out only when it comes near can still be reached and read as before."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import opened, served
from tests.opened_notes import BELOW, PARTS
from tests.opened_notes import LONG as NOTE

pytestmark = pytest.mark.slow

PHONE = 390
# Whether the browser has laid out the first word of a section.
LAID_OUT = """(id) => document.querySelector(`#${id} + p strong`)
  .checkVisibility({contentVisibilityAuto: true})"""


@pytest.fixture(scope="module")
def site(built_for_browsers: Path) -> Iterator[str]:
    with served(built_for_browsers, BELOW) as base:
        yield base


def _top(tab: Page, name: str) -> float:
    place: float = tab.evaluate(
        "(id) => document.getElementById(id).getBoundingClientRect().top", name
    )
    return place


def test_what_is_far_is_not_laid_out_on_a_phone_and_is_beside_a_margin(
    browser: Browser, site: str
) -> None:
    last = f"part-{PARTS - 1}"
    for width, at_once in ((PHONE, False), (1400, True)):
        with opened(browser, site, width=width) as (tab, _):
            tab.goto(NOTE)
            assert tab.evaluate(LAID_OUT, last) is at_once
            tab.locator(f"#{last}").scroll_into_view_if_needed()
            tab.wait_for_function(LAID_OUT, arg=last)


# The height of the page, and of each paragraph with its words, as expected and as laid out.
MEASURED = """() => {
  const parts = [...document.querySelectorAll("article > h2 ~ p")];
  const heights = () => parts.map((part) => part.getBoundingClientRect().height);
  const length = () => document.documentElement.scrollHeight;
  const before = [length(), heights()];
  document.documentElement.classList.add("pn-whole");
  return [before, [length(), heights()]];
}"""


@pytest.mark.parametrize("width", [PHONE, 820])
def test_the_scroll_bar_knows_about_how_long_the_page_is(
    browser: Browser, site: str, width: int
) -> None:
    """Nothing is expected lower than it is: its links would overlap what follows."""
    with opened(browser, site, width=width) as (tab, _):
        tab.goto(NOTE)
        (expected, at_first), (length, laid_out) = tab.evaluate(MEASURED)
        assert length < expected < 1.5 * length
        assert all(a >= b for a, b in zip(at_first, laid_out, strict=True))


def test_addresses_and_the_contents_lead_to_their_heading(browser: Browser, site: str) -> None:
    last = f"part-{PARTS - 4}"
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(f"{NOTE}#{last}")
        direct = _top(tab, last)
        assert 0 < direct < 200
        tab.goto("about:blank")
        tab.goto(NOTE)
        tab.locator("[data-pn-contents]").first.click()
        tab.locator(f".pn-toc a[href='#{last}']").first.click()
        expect(tab.locator(f"#{last}")).to_be_in_viewport()
        assert abs(_top(tab, last) - direct) < 2


def test_a_reader_comes_back_to_the_same_place(browser: Browser, site: str) -> None:
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(NOTE)
        tab.locator(f"#part-{PARTS // 2}").scroll_into_view_if_needed()
        tab.evaluate("scrollBy(0, 300)")
        tab.wait_for_timeout(300)
        before = _top(tab, f"part-{PARTS // 2}")
        tab.reload()
        expect(tab.locator(f"#part-{PARTS // 2}")).to_be_in_viewport()
        assert abs(_top(tab, f"part-{PARTS // 2}") - before) < 40


def test_the_drawer_is_reached_only_while_it_is_open(browser: Browser, site: str) -> None:
    for script in (True, False):
        with opened(browser, site, width=PHONE, script=script) as (tab, _):
            tab.goto(NOTE)
            link = tab.locator(".pn-nav a").first
            expect(link).not_to_be_visible()
            if script:
                tab.locator("[data-pn-toggle]").first.click()
                expect(tab.locator(".md-sidebar--primary a").first).to_be_focused()
            else:
                tab.locator("header [for=__drawer]").first.click()
            expect(link).to_be_visible()
            assert link.evaluate("(link) => link.offsetHeight") > 10
