"""What a strict auditor looks for: barriers, keyboard, things that move, printing, the policy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.page.server import policy_of, served
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from perfnotes.site.page import Page
from tests.browser import opened
from tests.page_faults import FIRST_ROWS, LATE_SHIFTS, WATCH_SHIFTS, unclear_links, violations
from tests.project import ROOT
from tests.sample_notes import KINDS

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def strict(built_sample: Path) -> Iterator[str]:
    """The site as a host may serve it: compressed, its policy in a header, the rest a bit late."""
    folder = built_sample / "site"
    policy = f"{policy_of(folder)}; frame-ancestors 'none'"
    with served(folder, {"Content-Security-Policy": policy}, late=0.15) as server:
        yield server.address


def _wait_for_whole_page(tab: Tab) -> None:
    """Wait until the page is whole, for 30 s at most.

    Playwright's own waiting evaluates its condition in the page, which the page's policy forbids
    unless the condition holds at once.
    """
    for _ in range(1500):
        if tab.evaluate("whole < Infinity"):
            return
        tab.wait_for_timeout(20)
    pytest.fail(f"{tab.url} is not whole after 30 s")


@pytest.mark.parametrize(("lang", "scheme", "width"), [("en", "light", 1440), ("zh", "dark", 390)])
def test_axe_finds_nothing_and_nothing_moves(
    browser: Browser,
    strict: str,
    page_of_each_kind: list[Page],
    lang: str,
    scheme: str,
    width: int,
) -> None:
    """``make pages`` looks at all pages of our own notes, each in both lights."""
    found = []
    pages = [page for page in page_of_each_kind if page.lang == lang]
    assert len(pages) >= len(KINDS)
    with opened(browser, strict, width=width, scheme=scheme) as (tab, _):
        tab.add_init_script(WATCH_SHIFTS)
        for page in pages:
            tab.goto(page.url)
            expect(tab.locator("h1")).to_be_visible()
            _wait_for_whole_page(tab)
            tab.wait_for_timeout(250)
            found += [f"{page.url} moved: {shift}" for shift in tab.evaluate(LATE_SHIFTS)]
            found += [f"{page.url} {each}" for each in violations(tab)]
    assert not found, "\n".join(found)


def test_links_with_short_titles_differ_from_the_words_beside_them(
    browser: Browser, strict: str, page_of_each_kind: list[Page]
) -> None:
    """If a link is shorter than the words of its block, axe asks for more than another colour."""
    kinds = {"home", "tag", "topic", "recent"}
    with opened(browser, strict) as (tab, _):
        for page in (p for p in page_of_each_kind if p.kind in kinds):
            tab.goto(page.url)
            tab.eval_on_selector_all(
                "article li > a", "all => all.forEach((each) => (each.textContent = 'Lines'))"
            )
            found = unclear_links(tab)
            assert not found, "\n".join(found)


# Every control that can be seen; of the radio buttons of a group only the one that is set.
_CONTROLS = """() => {
  window.controls = [...document.querySelectorAll(
      "a[href], button, input, select, textarea, summary, [tabindex]")]
    .filter((each) => each.tabIndex >= 0 && !each.disabled && !each.closest("[inert]"))
    .filter((each) => each.checkVisibility({visibilityProperty: true, opacityProperty: true}))
    .filter((each) => each.type !== "radio" || each.checked)
    .filter((each) => each.getClientRects().length);
  Object.assign(window, {stops: [], unseen: [], round: false});
  addEventListener("focusin", ({target}) => {
    round ||= stops[0] === target;
    if (round) return;
    stops.push(target);
    const {outlineStyle, outlineWidth} = getComputedStyle(target);
    if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) unseen.push(target);
  });
  return controls.length;
}"""
_WALKED = """() => {
  const told = (all) => all.map((each) => each.outerHTML.slice(0, 160));
  const counts = new Map();
  for (const stop of stops) counts.set(stop, (counts.get(stop) ?? 0) + 1);
  return {
    missed: told(controls.filter((each) => each.isConnected && !counts.has(each))),
    twice: told([...counts].filter(([, count]) => count > 1).map(([each]) => each)),
    unseen: told(unseen),
  };
}"""


@pytest.mark.parametrize("kind", ["home", "note", "topic", "references", "graph", "search"])
def test_the_tab_key_reaches_every_control_once(
    browser: Browser, strict: str, page_of_each_kind: list[Page], kind: str
) -> None:
    """... shows where it is, and comes back to where it began."""
    page = next(p for p in page_of_each_kind if p.kind == kind and p.lang == "en")
    with opened(browser, strict, calm=True) as (tab, _):
        tab.goto(page.url)
        tab.wait_for_timeout(250)
        tab.evaluate(FIRST_ROWS)
        controls = tab.evaluate(_CONTROLS)
        assert controls > 15
        for _ in range(2 * controls + 100):
            tab.keyboard.press("Tab")
            if tab.evaluate("round"):
                break
        else:
            raise AssertionError(f"{page.url}: the focus does not come round")
        walked = tab.evaluate(_WALKED)
    assert walked == {"missed": [], "twice": [], "unseen": []}


def pair(pages: list[Page]) -> tuple[Page, Page]:
    """A note with several sections and a paper cited, and its Chinese twin."""
    there = {p.url: p for p in pages}
    return next(
        (p, there[f"zh/{p.url}"])
        for p in pages
        if p.kind == "note" and f"zh/{p.url}" in there and p.body.count("\n## ") > 3
    )


def test_switching_colours_or_the_language_keeps_the_place(
    browser: Browser, strict: str, pages: list[Page]
) -> None:
    english, chinese = pair(pages)
    with opened(browser, strict, calm=True) as (tab, _):
        tab.goto(english.url)
        section = tab.locator("article h2[id]").nth(2).get_attribute("id")
        tab.goto(f"{english.url}#{section}")
        before = tab.evaluate("scrollY")
        assert before > 0
        for control in tab.locator(".md-header :is(a, button):visible").all():
            control.evaluate("each => each.focus()")
            assert tab.evaluate("scrollY") == before, control.evaluate("each => each.outerHTML")
        box = tab.locator("[data-pn-theme]").bounding_box()
        assert box
        tab.mouse.click(box["x"] + 10, box["y"] + 10)
        expect(tab.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        assert tab.evaluate("scrollY") == before
        for link, page in (("中文", chinese), ("English", english)):
            tab.locator("[data-pn-select] button").focus()
            tab.locator("[data-pn-select] a", has_text=link).press("Enter")
            expect(tab).to_have_url(f"{strict}{page.url}#{section}")
            expect(tab.locator(f"#{section}")).to_be_in_viewport()


def test_a_note_prints_as_an_article_with_its_addresses(
    browser: Browser, strict: str, pages: list[Page], tmp_path: Path
) -> None:
    with opened(browser, strict) as (tab, _):
        for page in pair(pages):
            tab.goto(page.url)
            tab.emulate_media(media="print")
            for part in ("header.md-header", ".md-sidebar", ".md-footer", "button"):
                expect(tab.locator(f"{part}:visible")).to_have_count(0)
            assert tab.locator("article h1").is_visible()
            silent = tab.evaluate(_WITHOUT_ADDRESS)
            assert not silent, page.url
            file = tmp_path / "page.pdf"
            tab.pdf(path=file)
            assert file.read_bytes().startswith(b"%PDF-")
            tab.emulate_media(media="screen")


# Links of the list of references whose addresses paper would not show.
_WITHOUT_ADDRESS = """() => [...document.querySelectorAll(".pn-references a[href^=http]")]
  .filter((link) => {
    const shown = link.textContent + getComputedStyle(link, "::after").content;
    const address = link.getAttribute("href").replace(/^https?:\\/\\//, "");
    return !shown.includes(address.replace(/^doi\\.org\\//, ""));
  }).map((link) => link.outerHTML)"""


def test_no_other_site_can_show_the_pages_in_a_frame(browser: Browser, strict: str) -> None:
    """... where the server sends the policy: only a header can say so."""
    context = browser.new_context()
    tab = context.new_page()
    said: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.set_content(f'<iframe src="{strict}"></iframe>')
    tab.wait_for_timeout(500)
    assert any("frame-ancestors 'none'" in text for text in said), said
    context.close()


def test_a_first_visit_brings_the_page_and_no_more(
    browser: Browser, built_sample: Path, pages: list[Page]
) -> None:
    """The longest note, with all that the worker asks for: at most 60 KB before any input."""
    note = max((p for p in pages if p.kind == "note"), key=lambda p: len(p.body))
    with served(built_sample / "site") as server, opened(browser, server.address) as (tab, _):
        tab.clock.install()
        tab.goto(note.url)
        tab.evaluate("navigator.serviceWorker.ready.then(() => true)")
        tab.clock.fast_forward(60_000)
        tab.wait_for_timeout(500)
        asked = {answer.path: answer.size for answer in server.answers}
        assert "/sw.js" in asked
        assert sum(asked.values()) <= 60_000, asked
        assert not any(path.startswith("/search/") for path in asked), asked
        tab.keyboard.press("Shift")
        tab.clock.fast_forward(60_000)
        tab.wait_for_timeout(500)
        assert "/search/offline.json" in {answer.path for answer in server.answers}


def test_the_documented_header_is_the_policy_of_the_pages(built_sample: Path) -> None:
    text = (ROOT / "docs" / "building.md").read_text("utf-8")
    policy = policy_of(built_sample / "site")
    assert text.count(f"\"{policy}; frame-ancestors 'none'\"") == 2
