"""The search where something goes wrong or differs: bad input, lost files, phones, no colors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from tests.browser import Watch, opened, served
from tests.page_faults import EXTRA_WIDTH, LOW_CONTRAST
from tests.search_page import BELOW, PHONE, field, hits, opens, page_ids, search, settle

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(built_project: Path) -> Iterator[str]:
    """The site without an address, at a path of a server."""
    with served(built_project / "site", BELOW) as base:
        yield base


HOSTILE = (
    "", " ", "a", "中", "x" * 10_000, "锁页内存" * 2500, "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>", "&lt;b&gt; &amp;", ".*+?^${}()|[]\\", "(((((", "[a-",
    "😀🏳️‍🌈 👩‍👩‍👧", "שלום עולם", "مرحبا بالعالم", "\u202egnirahs eslaf", '"', '"unpaired false',
    "“false sharing", "'", "tag:", "tag:<b>", "type:nothing", "lang:xx memory", "-", "--", "-a -b",
    "constructor", "__proto__", "toString hasOwnProperty", "%", "%E9%94", "a+b&q=c#d", "\\", "\x00",
    "https://example.org/?q=1", "memory\tcache\nline", "ａｂｃ", "ﬁle", "𝕞𝕖𝕞𝕠𝕣𝕪", "NaN null",
    "foo:bar", "foo:bar memory", "tag:nothing topic:nothing memory", "memory \u200b\u200d",
)  # fmt: skip


def test_any_text_is_a_query(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("")
        tab.on("dialog", lambda dialog: pytest.fail(dialog.message))
        search(tab, "memory")
        for words in HOSTILE:
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


def test_half_a_composition_is_no_query(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("zh/")
        search(tab, "")
        keys = tab.context.new_cdp_session(tab)
        for typed in ("s", "suo", "suo ye"):
            end = len(typed)
            compose = {"text": typed, "selectionStart": end, "selectionEnd": end}
            keys.send("Input.imeSetComposition", compose)
            tab.wait_for_timeout(200)
        expect(field(tab)).to_have_value("suo ye")
        assert tab.locator(".pn-search").get_attribute("data-shown") == ""
        assert not page_ids(tab)
        keys.send("Input.insertText", {"text": "锁页"})
        settle(tab)
        expect(field(tab)).to_have_value("锁页")
        expect(hits(tab).first).to_contain_text("锁页内存")


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


@pytest.mark.parametrize("fault", ["cut", "missing"])
def test_pages_that_do_not_load_are_no_pages_without_the_words(
    apart: BrowserContext, fault: str
) -> None:
    tab = apart.new_page()
    tab.goto("")
    wrong = {"cut": cut, "missing": lambda route: route.fulfill(status=404, body="")}
    tab.route("**/search/d/*", wrong[fault])
    search(tab, "allocator")
    expect(tab.locator(".pn-search-missing")).to_contain_text("did not load")
    expect(tab.locator(".pn-search-none")).to_have_count(0)
    expect(hits(tab)).to_have_count(0)
    tab.unroute("**/search/d/*")
    tab.get_by_role("button", name="Try again").click()
    expect(hits(tab).first).to_be_visible()


_DENIED = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, {
    get() { throw new DOMException("denied", "SecurityError"); },
  });
}"""


def test_nothing_breaks_where_storage_is_denied(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.add_init_script(_DENIED)
        tab.goto("")
        search(tab, "pinned memory")
        switch = tab.get_by_role("switch")
        switch.click()
        expect(switch).to_have_attribute("aria-checked", "false")
        tab.keyboard.press("Escape")
        search(tab, "pinned memory")
        expect(switch).to_have_attribute("aria-checked", "false")  # as long as the page lasts
        field(tab).press("Enter")
        expect(tab).to_have_url(re.compile("/search/"))
        settle(tab)
        assert hits(tab).count() > 3


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
                assert tab.evaluate(EXTRA_WIDTH) == 0, (start, words)
                body = tab.locator(".pn-search-body")
                assert body.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
                low = [each.partition(":") for each in tab.evaluate(LOW_CONTRAST)]
                own = [(ratio, text) for ratio, _, text in low if float(ratio) < 4.5]
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
    opens(tab, target)
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


def test_a_choice_can_be_seen_without_colors(browser: Browser, site: str) -> None:
    context = browser.new_context(base_url=site, forced_colors="active")
    tab = context.new_page()
    tab.goto("")
    search(tab, "pinned memory type:note")
    tab.keyboard.press("ArrowDown")
    style = "(each, pseudo) => { const { outlineStyle, outlineWidth, content, backgroundColor } ="
    style += " getComputedStyle(each, pseudo);"
    style += " return { outlineStyle, outlineWidth, content, backgroundColor }; }"
    chosen = hits(tab).first.evaluate(style)
    assert chosen["outlineStyle"] == "solid"
    assert chosen["outlineWidth"] != "0px"
    pressed = tab.locator("[data-filter][aria-pressed=true]").evaluate(style, "::before")
    assert "\u2713" in pressed["content"]
    switch = tab.get_by_role("switch")
    knob = switch.evaluate(style, "::after")["backgroundColor"]
    assert knob != switch.evaluate(style)["backgroundColor"]
    context.close()
