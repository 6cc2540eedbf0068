"""The page of results: what a cold visit asks for, that nothing moves, languages and filters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from benchmarks.page.server import served as served_packed
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from perfnotes.site.page import Page
from tests.browser import opened, served
from tests.example_notes import read_site
from tests.page_faults import EXTRA_WIDTH, LATE_SHIFTS, WATCH_SHIFTS, violations
from tests.search_page import field, hits, page_ids, search, settle

pytestmark = pytest.mark.slow

# Files that the page loads besides the index: itself, two style sheets, three scripts.
_FRAME = re.compile(
    r"/(zh/)?search/\?q=.*|/assets/stylesheets/main\..*\.css|/assets/perfnotes/site\.css"
    r"|/assets/perfnotes/(early|site)\.js|/search/app\.js"
)


@pytest.fixture(scope="module")
def site(built_sample: Path) -> Iterator[str]:
    with served(built_sample / "site", "/below/") as base:
        yield base


def opened_results(tab: Tab, address: str) -> None:
    tab.goto(address)
    settle(tab)


@pytest.mark.parametrize("query", ["cache", "memory latency"])
def test_a_cold_visit_asks_for_few_files(browser: Browser, built_sample: Path, query: str) -> None:
    with (
        served_packed(built_sample / "site") as server,
        opened(browser, server.address) as (tab, _),
    ):
        opened_results(tab, f"search/?q={quote(query)}")
        tab.wait_for_timeout(500)
        # The browser asks for the icon when it likes, often after the others.
        paths = [answer.path for answer in server.answers]
        asked = [path for path in paths if not path.endswith("/favicon.svg")]
        assert len(asked) == len(set(asked)), "a file is asked for twice"
        index = [path for path in asked if not _FRAME.fullmatch(path)]
        assert len(asked) - len(index) == 6, asked
        kinds = [path.removeprefix("/search/")[0] for path in index]
        assert set(kinds) <= set("rtd"), index  # the facets come with the root
        listed = hits(tab).count()
        # A symptom that answers has a file, and its note another, which tells the other place.
        symptoms = hits(tab).filter(has_text="What you see:").count()
        assert kinds.count("d") <= listed + symptoms
        assert len(index) - kinds.count("d") <= 7, index
        assert kinds.count("r") == 1
        assert sum(answer.size for answer in server.answers) <= 90_000
        assert 4 <= listed <= 10  # those in view
        tab.keyboard.press("Shift")  # the worker waits for a key
        tab.evaluate("navigator.serviceWorker.ready.then(() => true)")
        assert "/sw.js" in [answer.path for answer in server.answers]


def test_a_phone_asks_for_no_more_results_than_it_shows(browser: Browser, site: str) -> None:
    with opened(browser, site, width=390) as (tab, _):
        opened_results(tab, "search/?q=cache")
        expect(hits(tab)).to_have_count(4)
        tab.keyboard.press("ArrowDown")
        expect(hits(tab)).not_to_have_count(4)


def test_more_results_come_when_the_reader_goes_on(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        opened_results(tab, "search/?q=cache")
        first = page_ids(tab)
        expect(tab.get_by_role("button", name="More results")).to_be_visible()
        tab.mouse.wheel(0, 300)
        expect(hits(tab)).not_to_have_count(len(first))
        assert page_ids(tab)[: len(first)] == first
        opened_results(tab, "search/?q=cache")
        expect(hits(tab)).to_have_count(len(first))
        tab.keyboard.press("ArrowDown")
        expect(hits(tab)).not_to_have_count(len(first))
        expect(hits(tab).first).to_have_attribute("aria-selected", "true")
        expect(field(tab)).to_be_focused()


@pytest.mark.parametrize("width", [1280, 900, 390])
def test_nothing_moves(browser: Browser, built_sample: Path, width: int) -> None:
    """Scripts and the index come after the first paint, as over a slow network."""
    addresses = (
        "search/?q=cache", "search/?q=lines+of+cache", "search/?q=prefetchng", "search/?q=qwrtzp",
        "zh/search/?q=%E7%BC%93%E5%AD%98", "search/",
    )  # fmt: skip
    with (
        served_packed(built_sample / "site", late=0.15) as server,
        opened(browser, server.address, width=width) as (tab, _),
    ):
        tab.add_init_script(WATCH_SHIFTS)
        network = tab.context.new_cdp_session(tab)
        network.send("Network.enable")
        network.send("Network.setCacheDisabled", {"cacheDisabled": True})
        for address in addresses:
            opened_results(tab, address)
            tab.wait_for_timeout(300)
            assert not tab.evaluate(LATE_SHIFTS), address
        asked = [answer.path for answer in server.answers]
    assert asked.count("/search/app.js") == len(addresses)  # each visit was as slow


def test_enter_stays_in_the_language_of_the_page(
    browser: Browser, site: str, pages: list[Page]
) -> None:
    notes = {p.url: p for p in pages if p.kind == "note"}
    both = next(p for p in notes.values() if f"zh/{p.url}" in notes)
    alone = next(
        p for p in notes.values() if f"zh/{p.url}" not in notes and not p.url.startswith("zh/")
    )
    with opened(browser, site) as (tab, _):
        for start in ("", "zh/", f"zh/{both.url}"):
            tab.goto(start)
            search(tab, both.title)
            tab.keyboard.press("Enter")
            own = "zh/" if start else ""
            expect(tab).to_have_url(re.compile(rf"^{re.escape(site)}{own}search/\?q="))
            settle(tab)
            first = hits(tab).first.get_attribute("href") or ""
            assert first.split("#")[0] == f"{site}{own}{both.url}"
            # What no page says in this language is answered by one in the other.
            search(tab, alone.title)
            first = hits(tab).first.get_attribute("href") or ""
            assert first.split("#")[0] == site + alone.url
            # The other language keeps the query.
            tab.locator("[data-pn-select] button").focus()
            tab.locator("[data-pn-select] a:not([aria-current])").click()
            other = "" if own else "zh/"
            expect(tab).to_have_url(re.compile(rf"^{re.escape(site)}{other}search/\?q="))
            expect(field(tab)).to_have_value(alone.title)


def test_filters_have_the_titles_of_topics(browser: Browser, site: str, built_sample: Path) -> None:
    library = read_site(built_sample).library
    for lang, start in (("en", "search/"), ("zh", "zh/search/")):
        with opened(browser, site) as (tab, _):
            opened_results(tab, f"{start}?q=cache")
            chips = tab.locator("[data-filter^='topic:'], [data-filter^='tag:']")
            expect(chips.first).to_be_visible()
            for chip in chips.all():
                kind, _, value = (chip.get_attribute("data-filter") or "").partition(":")
                named = library.topics[value].title if kind == "topic" else library.tags[value].name
                expect(chip).to_contain_text(named[lang])
                expect(chip).to_have_attribute("title", f"{kind}:{value}")


_MADE_FROM_TABLES = (
    ("latency numbers", "latency-numbers"), ("延迟数字", "latency-numbers"),
    ("what do you see", "symptoms"), ("症状", "symptoms"), ("你看到了什么", "symptoms"),
    ("facts", "facts"), ("常数", "facts"), ("machines", "machines"), ("机器", "machines"),
    ("calculator", "calculators/"), ("计算器", "calculators/"),
)  # fmt: skip


@pytest.mark.parametrize("start", ["search/", "zh/search/"])
def test_pages_made_from_tables_are_found_by_their_names(
    browser: Browser, site: str, start: str
) -> None:
    with opened(browser, site) as (tab, _):
        for query, id in _MADE_FROM_TABLES:
            opened_results(tab, f"{start}?q={quote(query)}")
            assert page_ids(tab)[0].startswith(id), query
            hits(tab).first.click()
            tab.wait_for_url(lambda url: "search/?q=" not in url)
            expect(tab.locator("h1")).to_be_visible()
            path, _, anchor = tab.url.partition("#")
            assert ("/zh/" in path) == (start != "search/") or not (id.startswith("calc")), query
            if anchor:
                expect(tab.locator(f'[id="{anchor}"]')).to_be_in_viewport()


@pytest.mark.parametrize(
    ("address", "scheme", "width"),
    [("search/?q=cache", "light", 1280), ("search/?q=lines+of+cache", "dark", 900),
     ("zh/search/?q=cache", "dark", 390), ("search/?q=prefetchng", "light", 390)],
)  # fmt: skip
def test_axe_finds_nothing_among_results(
    browser: Browser, site: str, address: str, scheme: str, width: int
) -> None:
    with opened(browser, site, scheme=scheme, width=width, calm=True) as (tab, _):
        opened_results(tab, address)
        assert tab.evaluate(EXTRA_WIDTH) == 0
        found = violations(tab)
        assert not found, "\n".join(found)


def test_the_line_of_other_names_opens(browser: Browser, site: str) -> None:
    with opened(browser, site, width=390) as (tab, _):
        opened_results(tab, "search/?q=prefetchng")
        line = tab.locator(".pn-read summary")
        expect(line).to_contain_text("“prefetchng” was read as")
        low = line.evaluate("each => each.getBoundingClientRect().height")
        line.evaluate(
            "each => each.append(' and more words than one line of a phone can hold'.repeat(2))"
        )
        assert line.evaluate("each => each.getBoundingClientRect().height") == low
        line.press("Enter")
        assert line.evaluate("each => each.getBoundingClientRect().height") > low


@pytest.mark.parametrize("width", [390, 700])
def test_filters_that_go_on_fade_at_the_edge(browser: Browser, site: str, width: int) -> None:
    """The shade covers the filter that is cut, and none once all has been scrolled to."""
    shade = """(box) => {
      const {position, right, width, backgroundImage} = getComputedStyle(box, "::after");
      const last = [...box.querySelectorAll("button")].at(-1).getBoundingClientRect();
      const free = box.getBoundingClientRect().right - last.right;
      return {position, right, gradient: /gradient/.test(backgroundImage), free,
        wide: parseFloat(width)};
    }"""
    with opened(browser, site, width=width) as (tab, _):
        tab.goto("")
        search(tab, "memory")
        chips = tab.locator(".pn-chips")
        assert chips.evaluate("e => e.scrollWidth > e.clientWidth")
        found = chips.evaluate(shade)
        assert (found["position"], found["right"], found["gradient"]) == ("sticky", "0px", True)
        assert found["free"] < 0
        chips.evaluate("e => e.scrollTo({left: 9999, behavior: 'instant'})")
        found = chips.evaluate(shade)
        assert found["free"] >= found["wide"] - 1 > 20


@pytest.mark.parametrize("width", [390, 1280])
def test_results_begin_below_their_count(browser: Browser, site: str, width: int) -> None:
    """No empty line is kept for other names; where there are some, the results do not move."""
    tops = []
    with opened(browser, site, width=width) as (tab, _):
        tab.goto("")
        for words, other in (("prefetchng", 1), ("cache", 0)):
            search(tab, words)
            expect(tab.locator(".pn-read")).to_have_count(other)
            count = tab.locator(".pn-search-count").bounding_box()
            first = hits(tab).first.bounding_box()
            assert count
            assert first
            assert 0 <= first["y"] - count["y"] - count["height"] < count["height"]
            tops.append(first["y"])
        assert tops[0] == tops[1]
        search(tab, "zzzqqqxxx")
        said = tab.locator(".pn-search-none").bounding_box()
        form = tab.locator(".pn-search-form").bounding_box()
        assert said
        assert form
        assert said["y"] - form["y"] - form["height"] < 60
