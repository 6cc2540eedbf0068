"""The site in a browser: what a reader sees, with a keyboard, on a phone, without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Page as Tab

from perfnotes.site.page import Page
from tests.browser import chromium, opened
from tests.page_faults import EXTRA_WIDTH

pytestmark = pytest.mark.slow

PHONE = 390
REPOSITORY = "https://code.example.org/o/r"


def pair(pages: list[Page], kind: str = "note") -> tuple[Page, Page]:
    """A page and its Chinese twin."""
    there = {p.url: p for p in pages}
    return next(
        (p, there[f"zh/{p.url}"]) for p in pages if p.kind == kind and f"zh/{p.url}" in there
    )


def alone(pages: list[Page]) -> Page:
    """A note without a Chinese twin."""
    there = {p.url for p in pages}
    return next(
        p for p in pages if p.kind == "note" and f"zh/{p.url}" not in there and p.lang == "en"
    )


def test_the_language_switch_stays_on_the_page(
    browser: Browser, below: str, pages: list[Page]
) -> None:
    with opened(browser, below) as (tab, _):
        for kind in ("home", "topic", "note", "tag", "reference", "glossary", "term"):
            english, chinese = pair(pages, kind)
            tab.goto(english.url)
            switch(tab, "中文")
            expect(tab).to_have_url(below + chinese.url)
            assert tab.locator("html").get_attribute("lang") == "zh"
            expect(tab.locator("h1")).to_have_text(chinese.title)
            switch(tab, "English")
            expect(tab).to_have_url(below + english.url)


def test_the_language_switch_at_an_address_with_a_stray_percent_sign(
    browser: Browser, below: str, pages: list[Page]
) -> None:
    english, chinese = pair(pages, "note")
    with opened(browser, below) as (tab, _):  # fails on an error of a script
        tab.goto(f"{english.url}#100%")
        switch(tab, "中文")
        expect(tab).to_have_url(re.compile(f"^{re.escape(below + chinese.url)}"))


def switch(tab: Tab, language: str) -> None:
    """Choose a language with the keyboard alone."""
    tab.locator("[data-pn-select] button").focus()
    link = tab.locator("[data-pn-select] a", has_text=language)
    for _ in range(2):
        tab.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    expect(link).to_be_focused()
    expect(link).to_be_visible()
    tab.keyboard.press("Enter")


def test_a_page_without_a_chinese_twin_says_so(
    browser: Browser, site: str, pages: list[Page]
) -> None:
    page = alone(pages)
    with opened(browser, site) as (tab, _):
        tab.goto(f"zh/{page.topic}/")
        link = (
            tab.get_by_role("article").get_by_role("listitem").get_by_role("link", name=page.title)
        )
        link = link.first  # later ones say what is read before
        expect(link.locator("xpath=..")).to_contain_text("英文")
        link.click()
        expect(tab).to_have_url(site + page.url)
        tab.locator("[data-pn-select] button").focus()
        expect(tab.locator("[data-pn-select]")).to_contain_text("暂无中文版")
        switch(tab, "中文")
        expect(tab.locator("h1")).to_have_text(page.title)


def test_the_colours_chosen_last(browser: Browser, site: str, pages: list[Page]) -> None:
    """... on the next page too, and before anything of it is painted."""
    first, second = pair(pages)
    with opened(browser, site, scheme="light") as (tab, _):
        tab.add_init_script(
            """new MutationObserver((_, watcher) => {
              if (!document.querySelector("article")) return;
              window.early = document.body.dataset.mdColorScheme; watcher.disconnect();
            }).observe(document, {childList: true, subtree: true});"""
        )
        tab.goto(first.url)
        assert tab.evaluate("window.early") == "default"
        tab.locator("[data-pn-theme]").press("Enter")
        assert tab.evaluate("document.body.dataset.mdColorScheme") == "slate"
        tab.goto(second.url)
        assert tab.evaluate("window.early") == "slate"
        tab.locator("[data-pn-theme]").click()
        tab.go_back()
        expect(tab.locator("body")).to_have_attribute("data-md-color-scheme", "default")
    with opened(browser, site, scheme="dark") as (tab, _):
        tab.goto(first.url)
        assert tab.evaluate("document.body.dataset.mdColorScheme") == "slate"


def found_by(tab: Tab, words: str) -> Locator:
    if not tab.get_by_role("dialog").is_visible():
        tab.keyboard.press("/")
    tab.get_by_role("combobox").fill(words)
    return tab.get_by_role("option")


def leads_to(tab: Tab, results: Locator, url: str) -> None:
    """One of the results leads to the page; follow it."""
    result = results.locator(f"xpath=self::a[contains(@href, '/{url}')]").first
    result.click()
    expect(tab).to_have_url(re.compile(rf".*/{re.escape(url)}(?:\?.*)?(?:#.*)?$"))
    expect(tab.locator("h1")).to_be_visible()


def test_the_search_finds_a_note(browser: Browser, below: str, pages: list[Page]) -> None:
    english, chinese = pair(pages)
    with opened(browser, below) as (tab, _):
        tab.goto("")
        leads_to(tab, found_by(tab, english.title), english.url)
        tab.goto(pair(pages, "topic")[1].url)
        word = re.findall(r"[\u4e00-\u9fff]{2,}", chinese.title)[0]
        leads_to(tab, found_by(tab, word), chinese.url)


def test_the_search_finds_a_name_in_code(browser: Browser, site: str, pages: list[Page]) -> None:
    """... that stands in one note only, in a block of code."""
    notes = [p for p in pages if p.kind == "note" and p.lang == "en"]
    names = {
        note.url: set(re.findall(r"\b[a-z]{3,}_[a-z]{3,}\b", " ".join(blocks)))
        for note in notes
        if (blocks := re.findall(r"(?ms)^```\w+\n(.*?)^```", note.markdown))
    }
    url, name = min(
        (url, name)
        for url, all_names in names.items()
        for name in all_names
        if sum(name in p.markdown for p in pages if p.lang == "en") == 1
    )
    with opened(browser, site) as (tab, _):
        tab.goto("")
        leads_to(tab, found_by(tab, name), url)


def test_the_table_of_references_sorts_and_narrows(
    browser: Browser, site: str, pages: list[Page]
) -> None:
    with opened(browser, site) as (tab, _):
        for page in pair(pages, "references"):
            tab.goto(page.url)
            heads = tab.locator("table.pn-sortable th")
            for column in range(heads.count()):
                for direction in ("ascending", "descending"):
                    heads.nth(column).get_by_role("button").click()
                    expect(heads.nth(column)).to_have_attribute("aria-sort", direction)
                    assert tab.locator("th[aria-sort]").count() == 1
            years = [int(y) for y in tab.locator("td:nth-child(2)").all_text_contents() if y]
            heads.nth(1).get_by_role("button").click()
            sorted_years = [int(y) for y in tab.locator("td:nth-child(2)").all_text_contents() if y]
            assert sorted_years == sorted(years)
            choice = tab.locator(".pn-narrow select")
            topic = choice.locator("option").nth(1).inner_text()
            choice.select_option(topic)
            shown = tab.locator("tbody tr:visible")
            assert 0 < shown.count() < len(years)
            assert all(topic in t for t in shown.locator("td:nth-child(4)").all_text_contents())


def test_a_printed_table_has_its_heads_on_each_page(browser: Browser, site: str) -> None:
    """Chrome repeats a table's head, but no other box, and no head that holds a button's box."""
    shown = "e => getComputedStyle(e).display"
    with opened(browser, site) as (tab, _):
        tab.goto("references/")
        table = tab.locator("table.pn-sortable")
        expect(table.locator(".pn-sort").first).to_be_visible()
        tab.emulate_media(media="print")
        assert table.evaluate(shown) == "table"
        assert table.locator("thead").evaluate(shown) == "table-header-group"
        assert table.locator("thead tr").evaluate(shown) == "table-row"
        assert table.locator("tbody tr").first.evaluate(shown) == "table-row"
        assert table.locator(".pn-sort").first.evaluate(shown) == "contents"


@pytest.mark.parametrize("size", [20, 24, 32])
def test_large_letters_leave_every_button_of_the_header_on_a_phone(
    browser: Browser, site: str, pages: list[Page], size: int
) -> None:
    """``size`` is the browser's setting; 16 is usual."""
    larger = browser.browser_type.launch(
        executable_path=chromium(),
        args=["--no-sandbox", f"--blink-settings=defaultFontSize={size}"],
    )
    for width in (320, PHONE):
        with opened(larger, site, width=width) as (tab, _):
            tab.goto(pair(pages)[0].url)
            tab.locator(".md-header__button:visible").nth(2).wait_for()
            for button in tab.locator(".md-header__button:visible").all():
                box = button.bounding_box()
                assert box
                assert box["width"] >= 24
                assert 0 <= box["x"] <= box["x"] + box["width"] <= width, (width, box)
            if size <= 24:
                tab.goto("symptoms/")
                assert tab.evaluate(EXTRA_WIDTH) <= 0
    larger.close()


def test_the_drawer_answers_the_keyboard(browser: Browser, site: str, pages: list[Page]) -> None:
    for page in pair(pages):
        with opened(browser, site, width=PHONE) as (tab, _):
            tab.goto(page.url)
            button = tab.locator("[data-pn-toggle=__drawer]:not([data-pn-contents])")
            stops = []
            for _ in range(4):  # the way past the page's own text, the logo being hidden
                tab.keyboard.press("Tab")
                stops.append(tab.evaluate("document.activeElement.className"))
                if button.evaluate("each => each === document.activeElement"):
                    break
            expect(button).to_be_focused()
            assert "md-skip" in stops[0]
            assert button.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
            tab.keyboard.press("Enter")
            expect(button).to_have_attribute("aria-expanded", "true")
            links = tab.locator(".md-nav--primary a")
            expect(links.first).to_be_focused()
            links.last.scroll_into_view_if_needed()
            expect(links.last).to_be_in_viewport()
            tab.keyboard.press("Escape")
            expect(button).to_be_focused()
            expect(button).to_have_attribute("aria-expanded", "false")
            expect(links.first).to_be_hidden()


def test_the_search_opens_on_a_phone(browser: Browser, site: str, pages: list[Page]) -> None:
    note, _ = pair(pages)
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(note.url)
        tab.locator("[data-pn-search]").press("Enter")
        query = tab.get_by_role("dialog", name="Search").get_by_role("combobox", name="Search")
        expect(query).to_be_focused()
        expect(query).to_be_in_viewport()
        leads_to(tab, found_by(tab, note.title), note.url)


def test_links_and_focus_are_seen(browser: Browser, site: str, pages: list[Page]) -> None:
    """Links in running text are underlined; what has the focus has an outline."""
    with opened(browser, site) as (tab, _):
        tab.goto(pair(pages)[0].url)
        plain = tab.eval_on_selector_all(
            "article > p a",
            "all => all.filter((a) => getComputedStyle(a).textDecorationLine !== 'underline')"
            ".map((a) => a.outerHTML)",
        )
        assert not plain
        for _ in range(25):
            tab.keyboard.press("Tab")
            seen = tab.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert seen == "solid", tab.evaluate("document.activeElement.outerHTML")


def test_readers_who_want_no_motion(browser: Browser, site: str) -> None:
    with opened(browser, site, calm=True, width=PHONE) as (tab, _):
        tab.goto("")
        moving = tab.evaluate(
            "[...document.querySelectorAll('*')].filter((each) => "
            "parseFloat(getComputedStyle(each).transitionDuration) > 0.001).length"
        )
        assert moving == 0


def test_the_edit_and_report_links(browser: Browser, below: str, pages: list[Page]) -> None:
    document = next(p for p in pages if p.kind == "document" and p.lang == "en")
    with opened(browser, below) as (tab, _):
        for page in (*pair(pages), *pair(pages, "home"), document):
            tab.goto(page.url)
            links = tab.locator("article .pn-foot a")
            assert links.count() == 3, page.url
            first = links.first.get_attribute("href")
            assert first
            assert first.startswith(f"{REPOSITORY}/edit/"), page.url
            assert first.endswith(".zh.md" if page.lang == "zh" else ".md")
        tab.goto(pair(pages)[1].url)
        name = tab.locator(".md-header__title a")
        name.click()
        expect(tab).to_have_url(f"{below}zh/")
