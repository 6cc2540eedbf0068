"""The search as readers meet it: opening, results, filters, and the way back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Route, expect

from perfnotes.site.page import PageAddress
from tests.browser import opened, served
from tests.search_page import (
    BELOW,
    PHONE,
    field,
    hits,
    opens,
    other_places,
    page_ids,
    search,
    settle,
)

pytestmark = pytest.mark.slow

# Whether words of the article can be seen without scrolling.
_IN_SIGHT = """(words) => {
  const walker = document.createTreeWalker(document.querySelector("article"), NodeFilter.SHOW_TEXT);
  const nodes = [];
  let text = "";
  for (let node; (node = walker.nextNode()); text += node.data.replace(/\\s/g, " ")) {
    nodes.push([text.length, node]);
  }
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const [start, node] = nodes.filter(([from]) => from <= at).pop();
    const range = document.createRange();
    range.setStart(node, at - start);
    range.setEnd(node, Math.min(node.length, at - start + words.length));
    const { top, bottom } = range.getBoundingClientRect();
    if (top > 50 && bottom < innerHeight) return true;
  }
  return false;
}"""


@pytest.fixture(scope="module")
def site(built_project: Path) -> Iterator[str]:
    """The site without an address, at a path of a server."""
    with served(built_project / "site", BELOW) as base:
        yield base


def test_a_key_opens_the_search_on_any_page(browser: Browser, addressed_sample: Path) -> None:
    """Each key is the first somewhere: with the first one the search is loaded."""
    keys = ["/", "Control+k", "Meta+k"]
    with served(addressed_sample / "site", BELOW) as base, opened(browser, base) as (tab, _):
        dialog = tab.get_by_role("dialog")
        for start in ("", "zh/references/", "404.html", "about/"):
            tab.goto(start)
            for key in keys:
                tab.keyboard.press(key)
                expect(dialog).to_be_visible()
                expect(field(tab)).to_be_focused()
                expect(field(tab)).to_have_value("")
                tab.keyboard.press("Escape")
                expect(dialog).to_be_hidden()
            keys = [*keys[1:], keys[0]]
        # The field keeps the focus for a moment after its dialog has closed.
        tab.locator(".pn-search-dialog input").dispatch_event("keydown", {"key": "/"})
        expect(dialog).to_be_visible()


def test_the_keys_are_letters_where_somebody_types(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("references/")
        tab.locator(".pn-narrow select").focus()
        tab.keyboard.press("/")
        tab.keyboard.press("Control+k")
        tab.wait_for_timeout(300)
        expect(tab.get_by_role("dialog")).to_have_count(0)
        tab.locator("h1").click()
        search(tab, "a/b")
        tab.keyboard.press("End")
        tab.keyboard.type("/c")
        expect(field(tab)).to_have_value("a/b/c")


@pytest.mark.parametrize("end", ["", "\n"])
def test_keys_typed_while_the_search_loads_are_kept(browser: Browser, site: str, end: str) -> None:
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    # A service worker would ask for the script itself.
    with browser.new_context(base_url=site, service_workers="block") as context:
        tab = context.new_page()
        tab.route("**/search/app.js", hold, times=1)
        tab.goto("caches/")
        with tab.expect_request("**/search/app.js"):
            tab.keyboard.press("/")
        tab.keyboard.type("/proc s")
        tab.keyboard.press("Backspace")
        tab.keyboard.type(f"tlb{end}")
        waiting[0].continue_()
        if end:
            expect(tab).to_have_url(f"{site}search/?q=%2Fproc+tlb")
        expect(field(tab)).to_have_value("/proc tlb")
        expect(field(tab)).to_be_focused()
        field(tab).press("x")
        expect(field(tab)).to_have_value("/proc tlbx")


@pytest.mark.parametrize("width", [1280, PHONE])
def test_the_button_opens_it_and_gets_the_focus_back(
    browser: Browser, site: str, width: int
) -> None:
    with opened(browser, site, width=width) as (tab, _):
        tab.goto("caches/")
        button = tab.locator("[data-pn-search]")
        button.focus()
        tab.keyboard.press("Enter")
        expect(field(tab)).to_be_focused()
        tab.keyboard.press("Escape")
        expect(button).to_be_focused()
        button.click()
        tab.get_by_role("button", name="Close").click()
        expect(tab.get_by_role("dialog")).to_be_hidden()
        expect(button).to_be_focused()


def test_a_page_loads_nothing_of_it_before_somebody_searches(browser: Browser, site: str) -> None:
    asked: list[str] = []
    with opened(browser, site) as (tab, _):
        tab.context.on("request", lambda request: asked.append(request.url))
        tab.goto("caches/")
        tab.wait_for_timeout(500)
        assert not [url for url in asked if "/search/" in url and "start.js" not in url]
        with tab.expect_response("**/search/root.js*"):
            tab.locator("[data-pn-search]").hover()
        expect(tab.get_by_role("dialog")).to_be_hidden()


def test_results_come_while_typing_and_open_at_the_section(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        tab.keyboard.press("/")
        expect(field(tab)).to_be_focused()
        field(tab).press_sequentially("false shar", delay=40)
        first = hits(tab).first
        expect(first).to_contain_text("False sharing")
        field(tab).fill("")
        field(tab).press_sequentially("does register still do anything", delay=40)
        settle(tab)
        found = hits(tab).filter(has=tab.locator(".pn-hit-section"))
        expect(found.first).to_be_visible()
        assert found.locator("mark").count() > 0
        assert hits(tab).locator("script, img, iframe").count() == 0
        href = found.first.get_attribute("href") or ""
        section = found.first.locator(".pn-hit-section").inner_text()
        anchor, _, words = href.partition("#")[2].partition(":~:text=")
        assert anchor
        assert words
        found.first.click()
        opens(tab, href)
        expect(tab.locator(f'[id="{anchor}"]')).to_contain_text(section)
        tab.wait_for_load_state()
        assert tab.evaluate(_IN_SIGHT, unquote(words))


def test_each_page_is_one_result_in_the_language_of_the_reader(
    browser: Browser, site: str, note_and_twin: tuple[PageAddress, PageAddress]
) -> None:
    english, chinese = note_and_twin
    with opened(browser, site) as (tab, _):
        tab.goto("")
        expect(search(tab, english.title).first).to_have_attribute("href", site + english.url)
        assert len(page_ids(tab)) == len(set(page_ids(tab)))
        tab.goto("zh/")
        search(tab, english.title)
        links = hits(tab).evaluate_all("all => all.map((each) => each.href.split('#')[0])")
        assert links[0] == site + chinese.url
        assert site + english.url not in links


def test_it_is_a_combobox_with_a_list(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        results = search(tab, "memory")
        box = field(tab)
        assert results.count() > 3
        expect(box).to_have_attribute("aria-expanded", "true")
        listed = box.get_attribute("aria-controls")
        assert tab.locator(f"#{listed}[role=listbox]").count() == 1
        options = tab.locator(f"#{listed} > [role=option]")
        assert options.count() == results.count() + other_places(tab).count()
        # What it is called is what it shows: who speaks to a browser says what stands there.
        assert tab.locator(f"#{listed} > [role=option][aria-label]").count() == 0
        expect(results.last).to_have_attribute("aria-posinset", str(results.count()))

        def active() -> int:
            id = box.get_attribute("aria-activedescendant")
            chosen = [
                i
                for i, each in enumerate(results.all())
                if each.get_attribute("aria-selected") == "true"
            ]
            assert [results.nth(i).get_attribute("id") for i in chosen] == ([id] if id else [])
            return chosen[0] if chosen else -1

        last = results.count() - 1
        steps = [("ArrowDown", 0), ("ArrowDown", 1), ("End", last), ("ArrowDown", -1),
                 ("ArrowUp", last), ("ArrowUp", last - 1), ("Home", 0)]  # fmt: skip
        assert active() == -1
        for key, expected in steps:
            tab.keyboard.press(key)
            assert active() == expected, key
            if expected >= 0:
                expect(results.nth(expected)).to_be_in_viewport()
        expect(box).to_be_focused()
        expect(tab.get_by_role("status").last).to_have_text(re.compile(r"\d+ pages"))
        target = results.first.get_attribute("href") or ""
        tab.keyboard.press("Enter")
        opens(tab, target)


def test_control_and_enter_open_a_new_tab(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        target = search(tab, "memory").nth(1).get_attribute("href")
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("ArrowDown")
        with tab.context.expect_page() as other:
            tab.keyboard.press("Control+Enter")
        opens(other.value, target or "")
        expect(tab.get_by_role("dialog")).to_be_visible()
