"""Every kind of page in a browser: no faults, no other hosts, on a phone, without scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from selectolax.lexbor import LexborHTMLParser

from perfnotes.site.page import Page
from tests.browser import opened
from tests.page_faults import EXTRA_WIDTH, LOW_CONTRAST

pytestmark = pytest.mark.slow

PHONE = 390


@dataclass(frozen=True)
class Visit:
    """A page that was opened, and what was seen of it."""

    page: Page
    lang: str | None
    tree: str  # what a screen reader is told, with details folded
    extra_width: float
    low_contrast: list[str]


def visited(browser: Browser, base: str, pages: list[Page], scheme: str, width: int) -> list[Visit]:
    """Open pages without a fault; look at each as it comes, then with all its details open."""
    visits = []
    with opened(browser, base, width=width, scheme=scheme) as (tab, watch):
        for page in pages:
            tab.goto(page.url)
            expect(tab.locator("h1")).to_be_visible()
            tab.wait_for_timeout(50)
            lang = tab.locator("html").get_attribute("lang")
            tree = tab.locator("body").aria_snapshot()
            tab.eval_on_selector_all("details", "all => all.forEach((each) => each.open = true)")
            wide, low = tab.evaluate(EXTRA_WIDTH), tab.evaluate(LOW_CONTRAST)
            visits.append(Visit(page, lang, tree, wide, low))
        assert watch.requests > len(pages)
    return visits


@pytest.fixture(scope="module")
def visits(browser: Browser, below: str, page_of_each_kind: list[Page]) -> list[Visit]:
    """A page of each kind, wide and in light colours."""
    return visited(browser, below, page_of_each_kind, "light", 1280)


@pytest.fixture(scope="module")
def phone_visits(browser: Browser, below: str, page_of_each_kind: list[Page]) -> list[Visit]:
    """A page of each kind, on a phone and in dark colours."""
    return visited(browser, below, page_of_each_kind, "dark", PHONE)


@pytest.mark.parametrize("name", ["visits", "phone_visits"])
def test_every_kind_of_page_opens_without_a_fault(
    name: str, request: pytest.FixtureRequest
) -> None:
    """``make pages`` looks at all pages of our own notes in both lights and both widths."""
    seen: list[Visit] = request.getfixturevalue(name)
    assert [v.page.url for v in seen if v.lang != v.page.lang] == []
    wrong = [f"{v.page.url} scrolls sideways" for v in seen if v.extra_width > 0]
    wrong += [f"{v.page.url} {each}" for v in seen for each in v.low_contrast]
    assert not wrong, "\n".join(wrong)


_IN_ITS_PLACE = """(html) => {
  document.querySelector("article").outerHTML = html;
  return document.querySelectorAll("article h1").length;
}"""


def test_no_note_is_wider_than_a_phone(
    browser: Browser, built_sample: Path, site: str, pages: list[Page]
) -> None:
    """... nor is a page of a check: these differ in their article only, so one is opened."""
    checks = [page for page in pages if page.kind == "check"]
    wide = []
    with opened(browser, site, width=PHONE) as (tab, _):
        for page in (*(p for p in pages if p.kind in ("note", "document")), checks[0]):
            tab.goto(page.url)
            if tab.evaluate(EXTRA_WIDTH) > 0:
                wide.append(page.url)
        for page in checks[1:]:
            html = (built_sample / "site" / page.url / "index.html").read_text("utf-8")
            article = LexborHTMLParser(html).css_first("article")
            assert article
            assert tab.evaluate(_IN_ITS_PLACE, article.html) == 1
            if tab.evaluate(EXTRA_WIDTH) > 0:
                wide.append(page.url)
    assert len(checks) > 50
    assert not wide


def test_no_page_asks_another_host(
    browser: Browser, built_sample: Path, site: str, page_of_each_kind: list[Page]
) -> None:
    """Every page there is; those that lead on hold nothing but the way on.

    All are read, and every twentieth is opened too; of each kind one is opened by another test.
    """
    folder = built_sample / "site"
    files = sorted(f.relative_to(folder).as_posix() for f in folder.rglob("*.html"))
    full = [f for f in files if not leads_on(folder / f)]
    for file in full:
        text = (folder / file).read_text("utf-8")
        assert "default-src 'none'" in text, file
        assert not re.search(r"<(?:script|img|iframe|link(?! rel=.(?:canonical|alternate)))\b[^>]*"
                             r"(?:src|href)=[\"']?(?:https?:)?//", text), file  # fmt: skip
    opened_too = sorted({*full[::20]} - {f"{page.url}index.html" for page in page_of_each_kind})
    with opened(browser, site) as (tab, watch):
        for file in opened_too:
            tab.goto(file.removesuffix("index.html"), wait_until="load")
        assert watch.requests > 3 * len(opened_too) > 0
    for file in set(files) - set(full):
        assert not re.search(
            r"//|<script|<link(?! rel=.canonical)", (folder / file).read_text("utf-8")
        )


def leads_on(file: Path) -> bool:
    return 'http-equiv="refresh"' in file.read_text("utf-8")


def test_all_can_be_read_without_scripts(
    browser: Browser, site: str, page_of_each_kind: list[Page]
) -> None:
    with opened(browser, site, script=False) as (tab, _):
        for page in page_of_each_kind:
            tab.goto(page.url)
            article = tab.locator("article")
            expect(article.locator("h1")).to_have_text(page.title)
            assert len(article.inner_text()) > len(page.title) + 10, page.url
            assert tab.locator(".md-nav--primary a:visible").count() > 8, page.url
            expect(tab.locator("[data-pn-search]")).to_be_hidden()
            expect(tab.locator(".pn-noscript")).to_be_visible()
        tab.goto("404.html")
        expect(tab.locator("article h1")).to_have_count(2)  # one for each language
    with opened(browser, site, script=False, width=PHONE) as (tab, _):
        tab.goto(page_of_each_kind[0].url)
        links = tab.locator(".md-nav--primary a")
        expect(links.first).to_be_hidden()
        tab.locator("label.md-header__button[for=__drawer]").first.click()
        expect(links.first).to_be_visible()
        expect(links.last).to_be_visible()


def test_landmarks_and_controls_have_names_of_their_own(visits: list[Visit]) -> None:
    for visit in visits:
        url, tree = visit.page.url, visit.tree
        marks = re.findall(r"(?m)^\s*- (navigation|region|search|banner|main|dialog)(.*?):?$", tree)
        assert marks, url
        assert len(marks) == len(set(marks)), (url, marks)
        for kind in ("navigation", "dialog"):
            assert all(name for mark, name in marks if mark == kind), (url, marks)
        assert not re.findall(r"(?m)^\s*- (?:link|button|checkbox|textbox|combobox)$", tree), url
