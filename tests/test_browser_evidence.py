"""Evidence in a browser: cards over numbers, and the pages of evidence as readers meet them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Page as Tab

from tests.browser import Watch, opened, served
from tests.opened_notes import BELOW, CITED
from tests.page_faults import EXTRA_WIDTH, LOW_CONTRAST

pytestmark = pytest.mark.slow

NOTE = "caches/ladder/"


@pytest.fixture(scope="module")
def site(built_for_browsers: Path) -> Iterator[str]:
    with served(built_for_browsers, BELOW) as base:
        yield base


@contextmanager
def touched(browser: Browser, base: str, width: int = 320) -> Iterator[Tab]:
    """A phone: its pointer is a finger."""
    context = browser.new_context(
        viewport={"width": width, "height": 640}, has_touch=True, base_url=base
    )
    watch = Watch(base).on(context)
    yield context.new_page()
    context.close()
    assert not watch.problems, "\n".join(watch.problems)


def number(tab: Tab, text: str) -> Locator:
    return tab.locator("a.pn-n", has_text=text).first


def card(tab: Tab) -> Locator:
    return tab.locator(".pn-card")


def inside_window(tab: Tab) -> bool:
    return bool(
        tab.evaluate("""() => {
          const box = document.querySelector(".pn-card").getBoundingClientRect();
          const {clientWidth, clientHeight} = document.documentElement;
          return box.left >= 0 && box.top >= 0 &&
            box.right <= clientWidth && box.bottom <= clientHeight;
        }""")
    )


def test_a_card_leaves_its_number_in_sight(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.set_viewport_size({"width": 700, "height": 440})
        tab.goto(NOTE)
        link = number(tab, "80×")
        for part in (0.25, 0.5, 0.75):
            link.evaluate(
                "(e, part) => scrollBy(0, e.getBoundingClientRect().top - part * innerHeight)", part
            )
            link.hover()
            expect(card(tab)).to_be_visible()
            assert inside_window(tab)
            overlap = tab.evaluate("""() => {
              const box = document.querySelector(".pn-card").getBoundingClientRect();
              const at = document.querySelector("a.pn-n[aria-describedby]").getClientRects()[0];
              return Math.min(box.bottom, at.bottom) - Math.max(box.top, at.top);
            }""")
            assert overlap <= 0, part
            tab.mouse.move(2, 2)
            expect(card(tab)).to_have_count(0)


def test_a_card_opens_on_hover_and_the_pointer_can_go_into_it(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        number(tab, "80×").hover()
        expect(card(tab)).to_be_visible()
        for words in ("80×", "A load from memory against one from the first cache",
                      "median of 15 ratios of two measurements each", "One CPU at 3.0 GHz",
                      "the lab requires > 20", "Two CPU 15× (fails)", "2026-02-01",
                      "perfnotes reproduce caches/ladder", "gcc (Debian"):  # fmt: skip
            expect(card(tab)).to_contain_text(words)
        inner = card(tab).get_by_role("link", name="One CPU at 3.0 GHz")
        inner.hover()
        tab.wait_for_timeout(600)
        expect(card(tab)).to_be_visible()
        tab.mouse.move(5, 600)
        expect(card(tab)).to_have_count(0)


def test_a_passing_pointer_opens_nothing(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        number(tab, "80×").hover()
        tab.mouse.move(5, 600)
        tab.wait_for_timeout(500)
        expect(card(tab)).to_have_count(0)


def test_one_card_at_a_time_each_of_its_number(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        number(tab, "80×").hover()
        expect(card(tab)).to_contain_text("the lab requires > 20")
        tab.mouse.move(5, 600)  # the card lies over the next number
        expect(card(tab)).to_have_count(0)
        number(tab, "25.6 GB/s").hover()
        expect(card(tab)).to_contain_text("rate × width")
        expect(card(tab)).to_have_count(1)
        expect(card(tab)).not_to_contain_text("perfnotes reproduce")
        number(tab, "64 B").hover()
        expect(card(tab)).to_contain_text("Drepper 2007, sec. 3")


def test_keys_reach_the_card_and_escape_gives_the_focus_back(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        first = number(tab, "80×")
        expect(first).to_have_attribute("aria-expanded", "false")
        for _ in range(60):
            tab.keyboard.press("Tab")
            if tab.evaluate("document.activeElement.matches('a.pn-n')"):
                break
        expect(first).to_be_focused()
        expect(card(tab)).to_be_visible()
        expect(first).to_have_attribute("aria-expanded", "true")
        dialog = tab.get_by_role("dialog", name="Where this number comes from")
        expect(dialog).to_be_visible()
        expect(first).to_have_accessible_description(
            "A load from memory against one from the first cache"
        )
        tab.keyboard.press("Enter")
        assert tab.evaluate("document.activeElement.closest('.pn-card') !== null")
        expect(dialog.get_by_role("link", name="80×")).to_be_focused()
        tab.keyboard.press("Tab")
        assert tab.evaluate("document.activeElement.closest('.pn-card') !== null")
        tab.keyboard.press("Escape")
        expect(card(tab)).to_have_count(0)
        expect(first).to_be_focused()
        tab.keyboard.press("Tab")
        expect(number(tab, "80 ns")).to_be_focused()
        expect(card(tab)).to_contain_text("One load from memory")
        tab.keyboard.press("Escape")
        expect(card(tab)).to_have_count(0)
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"**{BELOW}{NOTE}lab/#far-time")


def test_a_number_is_one_stop_of_the_tab_key_until_its_card_is_entered(
    browser: Browser, site: str
) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        tab.keyboard.press("Tab")
        numbers = tab.locator("a.pn-n")
        numbers.first.focus()
        expect(card(tab)).to_contain_text("Enter goes into this card")
        passed = 1
        for _ in range(40):
            tab.keyboard.press("Tab")
            assert not tab.evaluate("document.activeElement.closest('.pn-card')")
            if tab.evaluate("document.activeElement.matches('a.pn-n')"):
                expect(card(tab)).to_be_visible()
                passed += 1
            if passed == numbers.count():
                break
        assert passed == numbers.count()
        numbers.first.focus()
        expect(card(tab)).to_be_visible()
        tab.keyboard.press("Enter")
        inside = card(tab).locator("a, button, summary").filter(visible=True)
        expect(inside.first).to_be_focused()
        expect(card(tab)).not_to_contain_text("Enter goes")
        for part in inside.all():
            expect(part).to_be_focused()
            tab.keyboard.press("Tab")
        expect(numbers.nth(1)).to_be_focused()


def test_leaving_the_card_by_the_keyboard_closes_it(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        tab.keyboard.press("Tab")
        number(tab, "3.2 GT/s").focus()
        expect(card(tab)).to_be_visible()
        tab.keyboard.press("Enter")
        while tab.evaluate("document.activeElement.closest('.pn-card') !== null") or (
            tab.evaluate("document.activeElement.nextElementSibling?.matches('.pn-card')")
        ):
            tab.keyboard.press("Tab")
        expect(card(tab)).to_have_count(0)


def test_the_card_of_a_page_is_no_stop_of_the_tab_key(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        links = tab.locator(".pn-read-next a")
        tab.keyboard.press("Tab")
        links.first.focus()
        for link in links.all()[1:4]:
            expect(card(tab)).to_be_visible()
            tab.keyboard.press("Tab")
            expect(link).to_be_focused()


def test_every_card_stays_within_the_window(browser: Browser, site: str) -> None:
    views = [(page, width) for page in (NOTE, f"zh/{NOTE}", "latency-numbers/")
             for width in (320, 390, 1280)]  # fmt: skip
    with opened(browser, site) as (tab, _):
        for page, width in views:
            tab.set_viewport_size({"width": width, "height": 844})
            tab.goto(page)
            tab.keyboard.press("Tab")
            for i in range(tab.locator("a.pn-n").count()):
                tab.locator("a.pn-n").nth(i).focus()
                expect(card(tab)).to_be_visible()
                assert inside_window(tab), (page, width, i)
                assert tab.evaluate(EXTRA_WIDTH) <= 0


def test_a_tap_shows_the_card_and_a_second_follows_the_link(browser: Browser, site: str) -> None:
    with touched(browser, site) as tab:
        tab.goto(NOTE)
        number(tab, "80×").tap()
        expect(card(tab)).to_be_visible()
        assert tab.url.endswith(NOTE)
        assert inside_window(tab)
        tab.locator("h1").tap()
        expect(card(tab)).to_have_count(0)
        number(tab, "80×").tap()
        expect(card(tab)).to_be_visible()
        card(tab).get_by_role("link", name="80×").tap()
        tab.wait_for_url(f"**{NOTE}lab/#far")


def test_a_slow_tap_shows_the_card(browser: Browser, site: str) -> None:
    """The script of the cards comes while the finger is down."""
    with touched(browser, site) as tab:
        tab.goto(NOTE)
        link = number(tab, "80×")
        link.scroll_into_view_if_needed()
        box = link.bounding_box()
        assert box
        finger = tab.context.new_cdp_session(tab)
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        with tab.expect_response("**/card.*js*"):
            finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        tab.wait_for_function("() => Boolean(pnPage.card)")
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(card(tab)).to_be_visible()
        assert tab.url.endswith(NOTE)


def test_new_readers_are_told_once_that_numbers_open(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        hint = tab.locator(".pn-hint")
        expect(hint).to_contain_text("Underlined numbers open their evidence")
        below = "e => e.previousElementSibling === document.querySelector('.pn-title + p')"
        assert hint.evaluate(below)
        tab.reload()
        expect(hint).to_be_visible()
        hint.get_by_role("button", name="Got it").click()
        expect(hint).to_have_count(0)
        tab.reload()
        expect(hint).to_be_hidden()
    with opened(browser, site) as (tab, _):
        tab.goto(f"zh/{NOTE}")
        expect(hint := tab.locator(".pn-hint")).to_contain_text("带下划线的数字")
        number(tab, "80 倍").hover()
        expect(card(tab)).to_be_visible()
        tab.goto(NOTE)
        expect(hint).to_be_hidden()
    with opened(browser, site, script=False) as (tab, _):
        tab.goto(NOTE)
        expect(tab.locator(".pn-hint")).to_be_visible()
        expect(tab.locator(".pn-hint button")).to_have_count(0)


def test_the_card_has_the_texts_number_and_a_command_to_copy(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.goto(NOTE)
        number(tab, "80 ns").hover()
        expect(card(tab).locator(".pn-card-number")).to_have_text("80 ns")
        expect(card(tab).locator(".pn-card-how > .pn-how")).to_have_text(
            "median of 15 measurements"
        )
        expect(card(tab).locator(".pn-c-dots")).to_have_count(1)
        expect(card(tab).locator(".pn-card-key")).to_have_text(
            "A dot is a measurement; equal ones lie on each other. The line marks the median."
        )
        versions = card(tab).get_by_text("gcc (Debian")
        expect(versions).to_be_hidden()
        card(tab).get_by_text("Programs and versions").click()
        expect(versions).to_be_visible()
        card(tab).get_by_role("button", name="Copy").click()
        assert tab.evaluate("navigator.clipboard.readText()") == "perfnotes reproduce caches/ladder"


def test_the_place_in_a_source_stands_beside_its_sentence(browser: Browser, site: str) -> None:
    page = CITED
    with opened(browser, site, width=1440) as (tab, _):
        tab.goto(page)
        said = tab.locator("article > p", has_text="It is so").inner_text()
        assert said == "It is so (Drepper 2007), and so (Drepper 2007)."
        expect(tab.locator(".pn-locator").first).to_be_hidden()
        sides = tab.locator(".pn-side-cited")
        expect(sides.nth(0)).to_contain_text("Drepper 2007, sec. 3.3 Ulrich Drepper (2007)")
        expect(sides.nth(1)).to_have_text("Drepper 2007, sec. 4")
        expect(sides.nth(2)).to_have_text("Drepper 2007, prefetch()")
        tab.locator("a.pn-cite").nth(1).hover()
        expect(card(tab)).to_contain_text("sec. 4")
        expect(card(tab)).to_contain_text("What Every Programmer Should Know")
        tab.emulate_media(media="print")
        expect(tab.locator(".pn-locator").first).to_be_visible()
    with opened(browser, site, script=False) as (tab, _):
        tab.goto(page)
        expect(tab.locator(".pn-locator").first).to_be_visible()


def test_formulas_on_a_phone_scroll_with_a_hint_and_items_keep_their_markers(
    browser: Browser, site: str
) -> None:
    with opened(browser, site, width=320) as (tab, _):
        tab.goto(CITED)
        shown = tab.locator(".pn-math")
        expect(shown).to_have_attribute("tabindex", "0")
        assert "gradient" in shown.evaluate("e => getComputedStyle(e).backgroundImage")
        items = tab.locator("article li:has(> math), article li:has(> span > math)")
        plain = tab.locator("article li", has_text="no formula")
        left = "e => { const r = document.createRange(); r.selectNodeContents(e);"
        left += " return Math.round(r.getClientRects()[0].left); }"
        assert items.first.evaluate(left) == plain.evaluate(left)
        assert items.first.evaluate("e => getComputedStyle(e, '::before').content") != "none"
        disc = "e => { const s = getComputedStyle(e, '::before');"
        disc += " return [s.content, parseFloat(s.width) > 4, s.backgroundColor === s.color]; }"
        assert items.last.evaluate(disc) == ['""', True, True]
        assert tab.evaluate(EXTRA_WIDTH) <= 0


def test_without_popovers_the_card_is_a_plain_element(browser: Browser, site: str) -> None:
    with opened(browser, site, width=320) as (tab, _):
        tab.add_init_script("delete HTMLElement.prototype.showPopover")
        tab.goto(NOTE)
        number(tab, "80×").hover()
        expect(card(tab)).to_be_visible()
        assert inside_window(tab)
        assert not tab.evaluate("document.querySelector('.pn-card').hasAttribute('popover')")


def test_without_scripts_numbers_are_links_and_the_list_says_the_same(
    browser: Browser, site: str
) -> None:
    with opened(browser, site, script=False) as (tab, _):
        tab.goto(NOTE)
        expect(tab.get_by_role("heading", name="Numbers on this page")).to_be_visible()
        tab.locator(".pn-fold summary", has_text="underlined numbers rest on").click()
        row = tab.get_by_role("row").filter(has_text="the lab requires > 20").first
        expect(row.get_by_role("rowheader", name="80×")).to_be_visible()
        number(tab, "80×").click()
        tab.wait_for_url(f"**{NOTE}lab/#far")
        expect(
            tab.get_by_role("heading", name="A load from memory against one")
        ).to_be_in_viewport()


def test_the_card_can_be_read_in_both_colours(browser: Browser, site: str) -> None:
    for scheme in ("light", "dark"):
        with opened(browser, site, scheme=scheme, calm=True) as (tab, _):
            tab.goto(NOTE)
            number(tab, "80×").hover()
            expect(card(tab)).to_be_visible()
            assert tab.evaluate(LOW_CONTRAST) == []
