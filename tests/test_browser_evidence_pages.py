"""The pages of evidence in a browser: widths, colours, names of plots, printing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import opened, served
from tests.opened_notes import BELOW
from tests.page_faults import EXTRA_WIDTH, LOW_CONTRAST

pytestmark = pytest.mark.slow

NOTE = "caches/ladder/"
PAGES = [NOTE, f"{NOTE}lab/", "facts/", "facts/chips/", "machines/", "latency-numbers/"]
BOTH = [*PAGES, *(f"zh/{page}" for page in PAGES)]


@pytest.fixture(scope="module")
def site(built_for_browsers: Path) -> Iterator[str]:
    with served(built_for_browsers, BELOW) as base:
        yield base


@pytest.mark.parametrize(("scheme", "widths"), [("light", (320, 390)), ("dark", (390, 320))])
def test_pages_of_evidence_open_in_every_width_and_colour(
    browser: Browser, site: str, scheme: str, widths: tuple[int, int]
) -> None:
    """A page opens at the first width and gets the others."""
    wrong = []
    with opened(browser, site, scheme=scheme) as (tab, _):
        for page in BOTH:
            tab.set_viewport_size({"width": widths[0], "height": 844})
            tab.goto(page)
            expect(tab.locator("h1")).to_be_visible()
            tab.eval_on_selector_all("details", "all => all.forEach((d) => d.open = true)")
            for width in (*widths, 1280):
                tab.set_viewport_size({"width": width, "height": 844})
                if tab.evaluate(EXTRA_WIDTH) > 0:
                    wrong.append(f"{page} scrolls sideways at {width}")
            wrong += [f"{page} {scheme} {each}" for each in tab.evaluate(LOW_CONTRAST)]
    assert not wrong, "\n".join(wrong)


def test_plots_and_tables_have_names(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(f"{NOTE}lab/")
        plots = tab.locator(".pn-claim svg.pn-c")
        expect(plots).to_have_count(4)
        for i in range(4):
            expect(plots.nth(i)).to_have_role("img")
            assert plots.nth(i).locator("title").text_content()
        picture = tab.get_by_role(
            "img", name="Samples of A load from memory against one from the first cache, by machine"
        )
        expect(picture).to_be_visible()
        for page in (f"{NOTE}lab/", "facts/chips/", "machines/", "latency-numbers/"):
            tab.goto(page)
            for box in tab.locator(".pn-scroll").all():
                table = box.locator("table")
                assert table.locator("thead th[scope=col]").count() > 2
                assert table.locator("tbody th[scope=row]").count() > 0


@pytest.mark.parametrize("page", [NOTE, f"zh/{NOTE}"])
def test_dots_beside_a_number_are_legible_on_a_phone(
    browser: Browser, site: str, page: str
) -> None:
    """Their labels are about as large as the words of the table. A drawing is 440 units wide."""
    with opened(browser, site, width=320) as (tab, _):
        tab.goto(page)
        tab.locator("details:has(.pn-set)").evaluate("each => each.open = true")
        dots = tab.locator(".pn-set .pn-dots").first
        box = dots.bounding_box()
        assert box
        label = dots.locator("text").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        words = dots.evaluate("e => parseFloat(getComputedStyle(e.closest('td')).fontSize)")
        assert label * box["width"] / 440 > 0.95 * words


@pytest.mark.parametrize("page", ["latency-numbers/", "zh/latency-numbers/"])
def test_a_phone_shows_all_of_each_latency(browser: Browser, site: str, page: str) -> None:
    """No column lies beyond an edge, and the numbers of the axis stand over the bars."""
    places = """() => [...document.querySelectorAll(".pn-latency tr")].map((row) =>
      [...row.cells].map((cell) => {
        const {left, right, width, height} = cell.getBoundingClientRect();
        return {left, right, seen: width > 20 && height > 10};
      }))"""
    with opened(browser, site, width=390) as (tab, _):
        tab.goto(page)
        box = tab.locator(".pn-scroll:has(> .pn-latency)")
        assert box.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
        assert box.get_attribute("tabindex") is None
        head, *rows = tab.evaluate(places)
        assert rows
        for row in rows:
            assert len(row) == 5
            assert all(c["seen"] and c["left"] >= 0 and c["right"] <= 390 for c in row)
            assert (row[3]["left"], row[3]["right"]) == (head[3]["left"], head[3]["right"])
        tab.emulate_media(media="print")
        shown = "e => getComputedStyle(e).display"
        assert tab.locator(".pn-latency tbody tr").first.evaluate(shown) == "table-row"


def test_an_old_address_of_a_fact_leads_to_the_fact(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("facts/#clock--cycle")
        tab.wait_for_url("**/facts/clocks/#clock--cycle")
        expect(tab.locator("#clock--cycle")).to_be_in_viewport()
    with opened(browser, site, script=False) as (tab, _):
        tab.goto("facts/#clock--cycle")
        expect(tab.locator("#clock a")).to_be_in_viewport()


def test_the_command_can_be_copied(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.goto(NOTE)
        tab.locator(".pn-try").get_by_role("button").click()
        copied = tab.evaluate("navigator.clipboard.readText()")
        assert copied.strip() == "perfnotes reproduce caches/ladder"


def test_printed_pages_keep_the_list_of_numbers(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        tab.emulate_media(media="print")
        expect(tab.locator("#pn-n1")).to_be_visible()
        line = tab.locator("a.pn-n").first.evaluate("e => getComputedStyle(e).textDecorationLine")
        assert line == "none"
