"""The search as readers meet it: keys, screen readers, phones, bad input, offline, as files."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Route, expect
from playwright.sync_api import Page as Tab

from perfnotes.page import Page
from perfnotes.stage import stage
from tests.browser import Watch, opened, served, started_browser
from tests.example_notes import read_site
from tests.project import perfnotes, run
from tests.test_browser import _CONTRAST

pytestmark = pytest.mark.slow

BELOW = "/some/path/"
PHONE = 320
_WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with started_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def site(built_project: Path) -> Iterator[str]:
    """The site without an address, at a path of a server."""
    with served(built_project / "site", BELOW) as base:
        yield base


@pytest.fixture(scope="session")
def notes(built_project: Path) -> list[tuple[Page, Page]]:
    """Notes and their Chinese twins."""
    pages = {p.url: p for p in stage(read_site(built_project)).pages.values()}
    return [
        (p, pages[f"zh/{p.url}"])
        for p in pages.values()
        if p.kind == "note" and f"zh/{p.url}" in pages
    ]


def field(tab: Tab) -> Locator:
    return tab.get_by_role("combobox", name=re.compile("Search|搜索"))


def hits(tab: Tab) -> Locator:
    return tab.get_by_role("listbox").get_by_role("option")


def search(tab: Tab, words: str) -> Locator:
    """Open the search, put words in; gives the results."""
    if not field(tab).is_visible():
        tab.keyboard.press("/")
    field(tab).fill(words)
    settle(tab)
    return hits(tab)


def settle(tab: Tab) -> None:
    """Wait for the whole answer to what stands in the field."""
    words = field(tab).input_value()
    expect(tab.locator(".pn-search")).to_have_attribute("data-shown", words)


def page_ids(tab: Tab) -> list[str]:
    found: list[str] = hits(tab).evaluate_all("all => all.map((each) => each.dataset.page)")
    return found


# Opening


@pytest.mark.parametrize("key", ["/", "Control+k", "Meta+k"])
@pytest.mark.parametrize("start", ["", "zh/references/", "404.html", "search/about/"])
def test_a_key_opens_the_search_on_any_page(
    browser: Browser, addressed_project: Path, key: str, start: str
) -> None:
    with served(addressed_project / "site", BELOW) as base, opened(browser, base) as (tab, _):
        tab.goto(start)
        tab.keyboard.press(key)
        dialog = tab.get_by_role("dialog")
        expect(dialog).to_be_visible()
        expect(field(tab)).to_be_focused()
        expect(field(tab)).to_have_value("")
        tab.keyboard.press("Escape")
        expect(dialog).to_be_hidden()


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
        tab.locator("[data-pn-search]").hover()
        with tab.expect_response("**/search/root.js*"):
            pass
        expect(tab.get_by_role("dialog")).to_be_hidden()


# Results


def test_results_come_while_typing_and_open_at_the_section(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        tab.keyboard.press("/")
        expect(field(tab)).to_be_focused()
        field(tab).press_sequentially("false shar", delay=40)
        first = hits(tab).first
        expect(first).to_contain_text("False sharing")
        field(tab).press_sequentially("ing detect", delay=40)
        settle(tab)
        found = hits(tab).filter(has=tab.locator(".pn-hit-section"))
        expect(found.first).to_be_visible()
        assert found.locator("mark").count() > 0
        assert hits(tab).locator("script, img, iframe").count() == 0
        href = found.first.get_attribute("href") or ""
        section = found.first.locator(".pn-hit-section").inner_text()
        assert "#" in href
        found.first.click()
        expect(tab).to_have_url(href)
        heading = tab.locator(f'[id="{href.partition("#")[2]}"]')
        expect(heading).to_be_in_viewport()
        expect(heading).to_contain_text(section)


def test_each_page_is_one_result_in_the_language_of_the_reader(
    browser: Browser, site: str, notes: list[tuple[Page, Page]]
) -> None:
    english, chinese = notes[0]
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
        assert tab.locator(f"#{listed} > [role=group][aria-label] > [role=option]").count() > 3

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
        expect(tab).to_have_url(target)


def test_control_and_enter_open_a_new_tab(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        target = search(tab, "memory").nth(1).get_attribute("href")
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("ArrowDown")
        with tab.context.expect_page() as other:
            tab.keyboard.press("Control+Enter")
        expect(other.value).to_have_url(target or "")
        expect(tab.get_by_role("dialog")).to_be_visible()


def test_the_address_holds_the_query(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("caches/")
        search(tab, "tlb miss")
        expect(tab).to_have_url(f"{site}caches/?q=tlb+miss")
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("Enter")
        expect(tab.get_by_role("dialog")).to_be_hidden()
        assert "?q=" not in tab.url
        tab.go_back()
        expect(field(tab)).to_have_value("tlb miss")
        expect(hits(tab).first).to_be_visible()
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
        expect(hits(tab)).to_have_count(20)


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
        tab.locator("[data-filter^='tag:']").first.click()
        tab.locator("[data-filter^='tag:'][aria-pressed=false]").first.click()
        assert len(re.findall(r"tag:\S+", field(tab).input_value())) == 2
        search(tab, "memory type:nonsense")
        expect(tab.locator(".pn-search-none")).to_be_visible()
        tab.locator("[data-filter='type:nonsense']").click()
        expect(hits(tab).first).to_be_visible()


def test_other_names_are_searched_and_told(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        search(tab, "pinned memory")
        also = tab.locator(".pn-also")
        expect(also).to_contain_text("Also searched: ")
        expect(also).to_contain_text("锁页内存")
        before = tab.locator(".pn-search-count").inner_text()
        switch = tab.get_by_role("switch")
        expect(switch).to_have_attribute("aria-checked", "true")
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
        expect(hits(tab).first).to_be_visible()


# What goes wrong

HOSTILE = (
    "", " ", "a", "中", "x" * 10_000, "锁页内存" * 2500, "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>", "&lt;b&gt; &amp;", ".*+?^${}()|[]\\", "(((((", "[a-",
    "😀🏳️‍🌈 👩‍👩‍👧", "שלום עולם", "مرحبا بالعالم", "\u202egnirahs eslaf", '"', '"unpaired false',
    "“false sharing", "'", "tag:", "tag:<b>", "type:nothing", "lang:xx memory", "-", "--", "-a -b",
    "constructor", "__proto__", "toString hasOwnProperty", "%", "%E9%94", "a+b&q=c#d", "\\", "\x00",
    "https://example.org/?q=1", "memory\tcache\nline", "ａｂｃ", "ﬁle", "𝕞𝕖𝕞𝕠𝕣𝕪", "NaN null",
)  # fmt: skip


def test_any_text_is_a_query(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        tab.on("dialog", lambda dialog: pytest.fail(dialog.message))
        for words in HOSTILE:
            search(tab, "memory") if words.strip() else tab.keyboard.press("/")
            field(tab).fill(words)
            settle(tab)
            box = tab.locator(".pn-search")
            assert box.locator("img, script, iframe, b > *").count() == 0, words
            assert not box.inner_text().startswith("undefined"), words
            said = tab.locator(".pn-search-count, .pn-search-none, .pn-search-rest dl")
            assert any(said.all_inner_texts()), words
            assert len(tab.url) < 8000, words
        tab.goto(f"search/?q={quote(HOSTILE[6])}")
        expect(field(tab)).to_have_value(HOSTILE[6])
        expect(tab.locator(".pn-search-count, .pn-search-none").last).not_to_be_empty()
        tab.goto("?q=%E9%94%FF%")
        expect(field(tab)).to_be_focused()


@pytest.fixture
def apart(browser: Browser, site: str) -> Iterator[BrowserContext]:
    """A browser without the site's worker, in which requests can be made to fail."""
    context = browser.new_context(base_url=site, service_workers="block")
    yield context
    context.close()


def cut(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.body()[: len(answer.body()) // 2])


@pytest.mark.parametrize("fault", ["cut", "missing"])
def test_a_broken_shard_is_told_and_the_rest_searched(apart: BrowserContext, fault: str) -> None:
    tab = apart.new_page()
    tab.goto("")
    search(tab, "allocator")
    names = {n for n in tab.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
             if "/search/t/" in n}  # fmt: skip
    assert names
    tab.goto("")

    def spoil(route: Route) -> None:
        if route.request.url in names:
            cut(route) if fault == "cut" else route.fulfill(status=404, body="")
        else:
            route.continue_()

    tab.route("**/search/t/*", spoil)
    search(tab, "allocator memory cache")
    missing = tab.locator(".pn-search-missing")
    expect(missing).to_contain_text("did not load")
    expect(hits(tab).first).to_be_visible()
    tab.unroute("**/search/t/*")
    missing.get_by_role("button", name="Try again").click()
    expect(missing).to_have_count(0)
    expect(hits(tab).first).to_be_visible()


@pytest.mark.parametrize("file", ["root", "app"])
def test_without_a_beginning_it_says_so_and_tries_again(apart: BrowserContext, file: str) -> None:
    tab = apart.new_page()
    tab.goto("search/")
    pattern = f"**/search/{file}.js*"
    tab.route(pattern, lambda route: route.abort())
    tab.goto("search/?q=memory")
    expect(tab.locator("#pn-search-page")).to_contain_text("could not be loaded")
    tab.unroute(pattern)
    if file == "root":
        tab.get_by_role("button", name="Try again").click()
    else:
        tab.keyboard.press("/")
    expect(hits(tab).first).to_be_visible()


# Looks


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, PHONE])
def test_it_fits_and_can_be_read(browser: Browser, site: str, scheme: str, width: int) -> None:
    with opened(browser, site, width=width, scheme=scheme) as (tab, _):
        for start in ("caches/", "zh/caches/", "search/"):
            tab.goto(start)
            for words in ("", "pinned memory", "tag:cache type:note memory", "zzzqqqxxx"):
                search(tab, words) if words else tab.keyboard.press("/")
                expect(field(tab)).to_be_focused()
                field(tab).fill(words)
                settle(tab)
                tab.keyboard.press("ArrowDown")
                assert tab.evaluate(_WIDER) == 0, (start, words)
                body = tab.locator(".pn-search-body")
                assert body.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
                own = [each for each in tab.evaluate(_CONTRAST) if "< 4.5" in each]
                assert not own, (start, words)
            small = tab.locator(".pn-search :is(button, [role=option]):visible").evaluate_all(
                "all => all.filter((e) => e.getBoundingClientRect().height < 24)"
                ".map((e) => e.outerHTML)"
            )
            assert not small


def test_a_finger_opens_and_chooses(browser: Browser, site: str) -> None:
    context = browser.new_context(
        base_url=site, viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True
    )
    watch = Watch(site).on(context)
    tab = context.new_page()
    tab.goto("caches/")
    tab.locator("[data-pn-search]").tap()
    field(tab).fill("tlb")
    settle(tab)
    target = hits(tab).first.get_attribute("href") or ""
    hits(tab).first.tap()
    expect(tab).to_have_url(target)
    context.close()
    assert not watch.problems


def test_no_motion_where_none_is_wanted(browser: Browser, site: str) -> None:
    with opened(browser, site, calm=True) as (tab, _):
        tab.goto("")
        search(tab, "pinned memory")
        moving = tab.evaluate(
            "[...document.querySelectorAll('.pn-search *')].filter((each) => "
            "parseFloat(getComputedStyle(each, '::after').transitionDuration) > 0.001).length"
        )
        assert moving == 0


# Where it works


_PAINTED = """new MutationObserver((_, watcher) => {
  if (!document.querySelector("[data-page]")) return;
  window.painted = performance.now(); watcher.disconnect();
}).observe(document, {childList: true, subtree: true});"""


def test_first_results_take_few_requests_and_bytes(
    browser: Browser, built_project: Path, site: str
) -> None:
    folder = built_project / "site"
    need = "why is my loop slower with 1024 columns"
    for words in ("false sharing", "锁页内存 cudaMemcpy", need):
        with opened(browser, site) as (tab, _):
            tab.add_init_script(_PAINTED)
            tab.goto("caches/")
            tab.keyboard.press("/")
            expect(field(tab)).to_be_focused()
            field(tab).press_sequentially(words, delay=100)
            hits(tab).first.wait_for()
            loaded: list[str] = tab.evaluate(
                "performance.getEntriesByType('resource').filter((e) => e.startTime < painted)"
                ".map((e) => e.name)"
            )
            first = [url.removeprefix(site).partition("?")[0] for url in loaded]
            first = [p for p in first if "search/" in p and "start.js" not in p]
            size = sum(len(gzip.compress((folder / path).read_bytes())) for path in first)
            assert len(first) <= 8, first
            assert size < 60_000, (words, size)


def test_nothing_is_asked_of_other_hosts_or_told(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, watch):
        sent: list[str] = []
        tab.context.on("request", lambda r: sent.append(f"{r.method} {r.url} {r.post_data}"))
        tab.goto("")
        search(tab, "secretword memory")
        hits(tab).first.wait_for()
        assert watch.requests
        assert not [each for each in sent if "secretword" in each]
        assert all(each.startswith("GET ") for each in sent)


def kept(tab: Tab) -> None:
    """Wait until the worker has the index; nobody need wait four seconds for it here."""
    tab.evaluate(
        "navigator.serviceWorker.ready.then(({active}) => active.postMessage({index: true}))"
    )
    tab.wait_for_function(
        "async () => { for (const name of await caches.keys()) if (await (await caches.open(name))"
        ".match(new URL('search/offline.json', pnSearch.root))) return true; return false; }"
    )


def test_offline_after_a_visit(
    browser: Browser, built_project: Path, notes: list[tuple[Page, Page]]
) -> None:
    english, chinese = notes[0]
    context = browser.new_context()
    with served(built_project / "site", BELOW) as base:
        tab = context.new_page()
        tab.goto(base + english.url)
        kept(tab)
        tab.goto(base + chinese.url)
        expect(tab.locator("h1")).to_have_text(chinese.title)
    # The server is gone, and so is the network.
    context.set_offline(True)
    tab.goto(base + english.url)
    expect(tab.locator("h1")).to_have_text(english.title)
    position = "getComputedStyle(document.querySelector('.md-header')).position"
    assert tab.evaluate(position) == "sticky"  # it has its style sheets
    results = search(tab, "锁页内存")
    expect(tab.locator(".pn-search-body")).to_contain_text("pinned memory")
    assert results.count() > 3
    assert search(tab, "vectorizaton").count() > 0
    expect(tab.locator(".pn-search-missing")).to_have_count(0)
    expect(search(tab, english.title).first).to_have_attribute("href", base + english.url)
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    expect(tab.locator("h1")).to_have_text(english.title)
    tab.goto(f"{base}zh/never/seen/")
    expect(tab.locator("h1")).to_have_text("离线")
    context.close()


def test_a_new_version_drops_what_was_kept(
    browser: Browser, built_project: Path, tmp_path: Path
) -> None:
    site = shutil.copytree(built_project / "site", tmp_path / "site")
    worker = site / "sw.js"
    version = json.loads(worker.read_text("utf-8").partition(" = ")[2].partition(";")[0])["version"]
    context = browser.new_context()
    with served(site, BELOW) as base:
        tab = context.new_page()
        tab.goto(base)
        kept(tab)
        tab.evaluate("caches.open('somebody else')")
        worker.write_text(worker.read_text("utf-8").replace(version, "0" * 12), "utf-8")
        (site / "index.html").write_text("<!doctype html><title>New</title>", "utf-8")
        tab.reload()
        expect(tab).to_have_title("New")  # the network comes first
        tab.goto(f"{base}caches/")
        tab.evaluate("navigator.serviceWorker.ready.then((it) => it.update())")
        tab.wait_for_function(
            "async () => (await caches.keys()).join() === 'somebody else,perfnotes "
            f"{base} {'0' * 12}'"
        )
    context.close()


@pytest.mark.parametrize("kind", [".tar.gz", ".zip"])
def test_the_site_as_one_file(
    browser: Browser, built_example: Path, tmp_path: Path, kind: str
) -> None:
    project = shutil.copytree(built_example, tmp_path / "project", symlinks=True)
    files = [tmp_path / name / f"notes{kind}" for name in "ab"]
    for file in files:
        run(project, perfnotes("build", "--quiet", "--archive", str(file)))
    assert files[0].read_bytes() == files[1].read_bytes()
    if kind == ".zip":
        with zipfile.ZipFile(files[0]) as packed:
            packed.extractall(tmp_path)
    else:
        with tarfile.open(files[0]) as packed_tar:
            packed_tar.extractall(tmp_path, filter="data")
    folder = tmp_path / "notes"
    with opened(browser, f"{folder.as_uri()}/") as (tab, _):
        tab.goto("index.html")
        results = search(tab, "rows")
        target = results.first.get_attribute("href") or ""
        assert "/index.html" in target
        results.first.click()
        expect(tab).to_have_url(target)
        tab.locator(".md-nav--primary a").first.click()
        expect(tab).to_have_url(re.compile(r"/index\.html$"))
    for page in folder.rglob("*.html"):
        refresh = r'http-equiv="refresh" content="0; url=([^"#]*)'
        for target in re.findall(refresh, page.read_text("utf-8")):
            assert target.endswith("/index.html")
    for wrong in ("notes.rar", ".zip", "site/x.zip"):
        run(project, perfnotes("build", "--archive", wrong), status=2)


def test_as_files_every_link_opens_a_page(
    browser: Browser, built_project: Path, notes: list[tuple[Page, Page]]
) -> None:
    english, chinese = notes[0]
    base = f"{(built_project / 'site').as_uri()}/"
    with opened(browser, base) as (tab, _):
        for start, page in (("index.html", english), ("zh/index.html", chinese)):
            tab.goto(start)
            words = page.title
            result = search(tab, words).filter(has_text=words).first
            result.click()
            expect(tab).to_have_url(re.compile(rf"{re.escape(page.url)}index\.html"))
            expect(tab.locator("h1")).to_have_text(page.title)
            switch = tab.locator("[data-pn-select]")
            switch.locator("button").focus()
            switch.locator("a:not([aria-current])").click()
            expect(tab).to_have_url(re.compile(r"/index\.html$"))
        tab.goto("index.html")
        search(tab, "memory")
        tab.keyboard.press("Enter")
        expect(tab).to_have_url(re.compile(r"search/index\.html\?q=memory"))
        expect(hits(tab)).to_have_count(20)
        tab.goto(f"{english.url}index.html")
        link = tab.locator("article a[href$='/']:visible").first
        link.focus()
        tab.keyboard.press("Enter")
        expect(tab).to_have_url(re.compile(r"/index\.html$"))
        expect(tab.locator("h1")).to_be_visible()


def test_browsers_can_add_the_search(addressed_project: Path, built_project: Path) -> None:
    site = addressed_project / "site"
    for start in ("", "zh/"):
        page = (site / start / "caches" / "index.html").read_text("utf-8")
        assert 'type="application/opensearchdescription+xml"' in page
        root = ET.parse(site / start / "opensearch.xml").getroot()
        urls = [node.get("template") for node in root.iter() if node.tag.endswith("}Url")]
        assert urls == [f"https://example.org{BELOW}{start}search/?q={{searchTerms}}"]
        names = [node.text for node in root.iter() if node.tag.endswith("}ShortName")]
        assert names == ["perfnotes"]
    assert not list((built_project / "site").rglob("opensearch.xml"))
    assert "opensearch" not in (built_project / "site" / "index.html").read_text("utf-8")


def test_nothing_of_the_old_search_is_left(built_project: Path) -> None:
    names = [f.as_posix() for f in (built_project / "site").rglob("*") if f.is_file()]
    assert not [n for n in names if "lunr" in n or "/workers/" in n or "search_index" in n]
