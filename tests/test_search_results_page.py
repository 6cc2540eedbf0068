"""The page of results: its address, its filters, and what it says about a search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import opened, served
from tests.search_page import (
    BELOW,
    field,
    hits,
    page_ids,
    search,
    settle,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(built_project: Path) -> Iterator[str]:
    """The site without an address, at a path of a server."""
    with served(built_project / "site", BELOW) as base:
        yield base


def test_the_address_holds_the_query(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("caches/")
        search(tab, "tlb miss")
        expect(tab).to_have_url(f"{site}caches/?q=tlb+miss")
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("ArrowDown")
        chosen = page_ids(tab)[1]
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("dialog")).to_be_hidden()
        assert "?q=" not in tab.url
        tab.go_back()
        expect(field(tab)).to_have_value("tlb miss")
        selected = tab.locator("[role=option][aria-selected=true]")
        expect(selected).to_have_attribute("data-page", chosen)
        expect(field(tab)).to_be_focused()
        tab.keyboard.press("Escape")
        expect(tab).to_have_url(f"{site}caches/")
        tab.go_back()
        expect(tab).not_to_have_url(re.compile(r"\?q="))
        # A linked search
        tab.goto(f"caches/?q={quote('锁页内存')}")
        expect(field(tab)).to_have_value("锁页内存")
        expect(hits(tab).first).to_be_visible()


@pytest.mark.parametrize("start", ["search/", "zh/search/"])
def test_the_page_of_results(browser: Browser, site: str, start: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(f"{start}?q=memory")
        settle(tab)
        assert 4 <= hits(tab).count() < 20  # those in view
        tab.mouse.wheel(0, 200)
        expect(hits(tab)).to_have_count(20)
        expect(tab.get_by_role("dialog")).to_have_count(0)
        tab.locator(".pn-search-all").click()
        expect(hits(tab)).to_have_count(40)
        field(tab).fill("cache")
        expect(tab).to_have_url(f"{site}{start}?q=cache")
        tab.keyboard.press("Enter")
        field(tab).fill("allocator")
        expect(tab).to_have_url(f"{site}{start}?q=allocator")
        tab.go_back()
        expect(tab).to_have_url(f"{site}{start}?q=cache")
        expect(field(tab)).to_have_value("cache")
        tab.goto(start.removesuffix("search/"))
        search(tab, "memory")
        tab.keyboard.press("Enter")
        expect(tab).to_have_url(f"{site}{start}?q=memory")
        settle(tab)
        tab.keyboard.press("ArrowDown")
        expect(hits(tab)).to_have_count(20)
        expect(hits(tab).first).to_have_attribute("aria-selected", "true")


def test_back_from_a_result_leads_to_the_same_place(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("search/?q=memory")
        settle(tab)
        tab.mouse.wheel(0, 200)
        expect(hits(tab)).to_have_count(20)
        hits(tab).nth(12).evaluate("(it) => it.scrollIntoView({ block: 'start' })")
        before = tab.evaluate("scrollY")
        hits(tab).nth(14).click()
        expect(tab).not_to_have_url(re.compile(r"\?q="))
        tab.go_back()
        settle(tab)
        assert before > 500
        assert tab.evaluate("scrollY") == pytest.approx(before, abs=2)


def test_filters_are_chips_with_counts(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        search(tab, "memory")
        chip = tab.locator("[data-filter='type:paper']")
        expect(chip).to_have_attribute("aria-pressed", "false")
        many = int(re.findall(r"\d+", chip.inner_text())[0])
        chip.press("Enter")
        expect(field(tab)).to_have_value("memory type:paper")
        expect(chip).to_have_attribute("aria-pressed", "true")
        expect(chip).to_be_focused()
        expect(tab.locator(".pn-search-count")).to_have_text(f"{many} pages")
        assert all(id.startswith("references/") for id in page_ids(tab))
        expect(tab).to_have_url(f"{site}?q=memory+type%3Apaper")
        chip.click()
        expect(field(tab)).to_have_value("memory")
        expect(chip).to_have_attribute("aria-pressed", "false")
        expect(chip).to_be_focused()
        # Tab leads to one of them, and the arrows to the others.
        tab.keyboard.press("End")
        last = tab.locator("[data-filter]").last
        expect(last).to_be_focused()
        expect(tab.locator("[data-filter][tabindex='0']")).to_have_count(1)
        tab.keyboard.press("ArrowLeft")
        expect(last).not_to_be_focused()
        tab.keyboard.press("Home")
        expect(tab.locator("[data-filter]").first).to_be_focused()
        tab.locator("[data-filter^='tag:']").first.click()
        expect(tab.locator("[data-filter^='tag:'][aria-pressed=true]")).to_have_count(1)
        tab.locator("[data-filter^='tag:'][aria-pressed=false]").first.click()
        expect(field(tab)).to_have_value(re.compile(r"^memory tag:\S+ tag:\S+$"))
        search(tab, "memory type:nonsense")
        expect(tab.locator(".pn-search-rest")).to_contain_text("No page has type:nonsense")
        tab.locator("[data-filter='type:nonsense']").click()
        expect(hits(tab).first).to_be_visible()


def test_other_names_are_searched_and_told(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        search(tab, "pinned memory")
        also = tab.locator(".pn-search-notes")
        expect(also).to_contain_text("Also searched: ")
        expect(also).to_contain_text("锁页内存")
        before = tab.locator(".pn-search-count").inner_text()
        switch = tab.get_by_role("switch", name="Search other names too")
        expect(switch).to_have_attribute("aria-checked", "true")
        expect(switch).to_have_text("Search other names too")
        switch.press("Space")
        expect(switch).to_have_attribute("aria-checked", "false")
        expect(switch).to_be_focused()
        expect(tab.locator(".pn-search-count")).not_to_have_text(before)
        expect(also).not_to_contain_text("锁页内存")
        tab.goto("")
        search(tab, "pinned memory")
        expect(switch).to_have_attribute("aria-checked", "false")
        switch.click()
        expect(also).to_contain_text("锁页内存")


def test_recent_searches_stay_in_the_browser(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        search(tab, "false sharing")
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("dialog")).to_be_hidden()
        tab.wait_for_load_state()
        tab.keyboard.press("/")
        expect(hits(tab)).to_have_text(["false sharing"])
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("Enter")
        expect(field(tab)).to_have_value("false sharing")
        expect(hits(tab).first).to_contain_text("False sharing")
        field(tab).fill("")
        tab.get_by_role("button", name="Clear recent searches").click()
        expect(hits(tab)).to_have_count(0)
        kept = tab.evaluate("Object.entries(localStorage).flat().join()")
        assert "false sharing" not in kept
        assert not tab.context.cookies()


def test_nothing_found_names_what_is_near(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        search(tab, "-- allocatxyor tag:nonsense")
        expect(tab.locator(".pn-search-none")).to_have_text("No page has these words")
        expect(hits(tab)).to_have_count(0)
        expect(field(tab)).to_have_attribute("aria-expanded", "false")
        near = tab.locator("[data-suggestion]").first
        wanted = near.get_attribute("data-suggestion") or ""
        near.click()
        expect(field(tab)).to_have_value(wanted)
        expect(field(tab)).to_be_focused()
        expect(hits(tab).first).to_be_visible()


def test_where_what_is_excluded_leaves_nothing_that_is_said(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        search(tab, "sched_setaffinity -sched_setaffinity")
        said = "No page has these words without what you excluded"
        expect(tab.locator(".pn-search-none")).to_have_text(said)
        expect(tab.locator('[data-suggestion="schedsetaffinity"]')).to_have_count(0)


@pytest.mark.parametrize(
    ("start", "words", "marked"),
    [
        ("", "pinned memor", "Pinned memory"),  # a beginning
        ("", "sharings false", "False sharing"),  # another form
        ("zh/", "锁页内存", "锁页内存"),  # pairs of characters are one mark
        ("", "锁页内存", "pinned memory"),  # what was searched besides
    ],
)
def test_matched_words_are_marked_in_titles(
    browser: Browser, site: str, start: str, words: str, marked: str
) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(start)
        search(tab, words)
        titles = hits(tab).locator(".pn-hit-title")
        found = [" ".join(t.locator("mark").all_inner_texts()) for t in titles.all()]
        assert marked.lower() in [each.lower() for each in found]


def test_the_number_of_results_is_said_once(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        search(tab, "")
        tab.evaluate(
            """() => {
              const status = document.querySelector(".pn-search > [role=status]");
              window.said = [];
              new MutationObserver(() => said.push(status.textContent))
                .observe(status, { childList: true });
            }"""
        )
        field(tab).press_sequentially("memory", delay=50)
        settle(tab)
        expect(tab.locator(".pn-search > [role=status]")).to_have_text(re.compile(r"\d+ pages"))
        said = tab.evaluate("window.said")
        assert len(said) == 1, said
