"""The page of a note in a browser: side notes, cards, previews, figures, print, its weight."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Page as Tab
from selectolax.lexbor import LexborHTMLParser

from tests.browser import opened, served
from tests.opened_notes import ADDRESS, BELOW, CITED
from tests.opened_notes import PAGE as NOTE

pytestmark = pytest.mark.slow

WIDE, PHONE = 1440, 390
FIRST_VISIT = 80_000  # bytes, compressed


@pytest.fixture(scope="module")
def site(built_for_browsers: Path) -> Iterator[str]:
    with served(built_for_browsers, BELOW) as base:
        yield base


@pytest.fixture(scope="module")
def page(built_for_browsers: Path) -> LexborHTMLParser:
    return LexborHTMLParser((built_for_browsers / NOTE / "index.html").read_text("utf-8"))


def card(tab: Tab) -> Locator:
    return tab.locator(".pn-card")


def text_of(page: LexborHTMLParser, selector: str) -> str:
    node = page.css_first(selector)
    assert node, selector
    return " ".join(node.text().split())


def test_the_title_block_says_what_a_reader_wants_to_know(page: LexborHTMLParser) -> None:
    facts = text_of(page, ".pn-title .pn-facts")
    traced = "1 of 1 quantities with evidence"
    for words in ("advanced", "min read", "updated 2026-02-0", traced, "Ada"):
        assert words in facts
    assert text_of(page, ".pn-title .pn-requires") == "Read before: A ladder of loads"
    assert text_of(page, ".pn-title .pn-tags") == "Cache"
    assert re.fullmatch(r"HomeCaches\d of \d", text_of(page, ".md-path"))


def test_a_note_and_its_twin_lead_to_each_other(built_for_browsers: Path) -> None:
    for file, lang, there in (("", "zh", "中文版"), ("zh/", "en", "English")):
        twin = LexborHTMLParser(
            (built_for_browsers / f"{file}caches/ladder/index.html").read_text("utf-8")
        )
        link = twin.css_first(".pn-facts a[hreflang]")
        assert link
        assert link.text() == there
        assert link.attributes["hreflang"] == lang


def test_a_note_names_what_builds_on_it(built_for_browsers: Path) -> None:
    ladder = LexborHTMLParser((built_for_browsers / "caches/ladder/index.html").read_text("utf-8"))
    first = ladder.css_first(".pn-read-next li")
    assert first
    assert first.text() == "A page with everything"


def test_machines_learn_what_the_page_is(page: LexborHTMLParser) -> None:
    node = page.css_first("script[type='application/ld+json']")
    assert node
    article, way = json.loads(node.text())["@graph"]
    assert article["@type"] == "TechArticle"
    assert article["headline"] == "A page with everything"
    assert article["inLanguage"] == "en"
    assert article["datePublished"] == "2026-02-01"
    assert article["author"] == [{"@type": "Person", "name": "Ada Lovelace"}]
    assert article["keywords"] == ["Cache"]
    assert article["dependencies"] == ["A ladder of loads"]
    assert article["url"] == ADDRESS + NOTE
    assert [c["name"] for c in article["citation"]] == [
        "What Every Programmer Should Know About Memory"
    ]
    assert [step["name"] for step in way["itemListElement"]] == [
        "Home", "Caches", "A page with everything",
    ]  # fmt: skip


def test_a_first_visit_is_light(browser: Browser, site: str) -> None:
    """Everything that comes before the reader does anything, compressed."""
    with opened(browser, site, width=PHONE) as (tab, _):
        bodies: list[tuple[str, int]] = []
        tab.on("response", lambda r: bodies.append((r.url, len(gzip.compress(r.body(), 9)))))
        tab.goto(NOTE, wait_until="networkidle")
        # A picture far below is loaded when it comes near, and counts as well.
        with tab.expect_response(lambda response: response.url.endswith("boxes.svg")):
            tab.locator("article img").first.scroll_into_view_if_needed()
        assert len(bodies) > 6
        assert sum(size for _, size in bodies if "/search/offline" not in _) < FIRST_VISIT, bodies


@pytest.mark.parametrize("width", [WIDE, PHONE])
def test_the_answer_is_seen_at_once(browser: Browser, site: str, width: int) -> None:
    with opened(browser, site, width=width) as (tab, _):
        tab.goto(NOTE)
        box = tab.locator(".pn-title + p").bounding_box()
        assert box
        assert box["y"] + box["height"] < 844


def test_lines_have_the_length_of_a_book(browser: Browser, site: str) -> None:
    with opened(browser, site, width=WIDE) as (tab, _):
        tab.goto(NOTE)
        characters = (
            tab.locator("article > p")
            .nth(2)
            .evaluate(
                """each => {
              const range = document.createRange();
              const text = each.firstChild;
              range.selectNodeContents(text);
              return text.length / new Set([...range.getClientRects()].map((r) => r.top)).size;
            }"""
            )
        )
        assert 58 <= characters <= 76


def test_the_contents_follow_the_reading(browser: Browser, site: str) -> None:
    with opened(browser, site, width=WIDE) as (tab, _):
        tab.goto(NOTE)
        contents = tab.get_by_role("navigation", name="On this page")
        current = contents.locator("[aria-current=location]")
        expect(current).to_have_count(0)
        for name in ("Wide things", "Last part", "First part"):
            tab.get_by_role("heading", name=name).evaluate("each => each.scrollIntoView()")
            expect(current).to_have_text(name)
        contents.get_by_role("link", name="Wide things").click()
        expect(tab).to_have_url(f"{site}{NOTE}#wide-things")


def test_side_notes_stand_beside_their_lines(browser: Browser, site: str) -> None:
    with opened(browser, site, width=WIDE) as (tab, _):
        tab.goto(NOTE)
        notes = tab.locator(".pn-side:visible")
        expect(notes).to_have_count(2)
        expect(notes.first).to_contain_text("80× A load from memory against one from the first")
        expect(notes.last).to_contain_text("Drepper")
        places = [each.bounding_box() for each in notes.all()]
        line = tab.locator(".pn-title + p").bounding_box()
        assert line
        for place in places:
            assert place
            assert place["x"] > line["x"] + line["width"]
            assert line["y"] - 5 < place["y"] < line["y"] + line["height"] + 100
        assert tab.locator(".pn-margin").get_attribute("aria-hidden") == "true"
        tab.set_viewport_size({"width": 1000, "height": 844})
        expect(notes).to_have_count(0)


def test_a_side_note_marks_a_null_result(browser: Browser, site: str) -> None:
    with opened(browser, site, width=WIDE) as (tab, _):
        tab.goto(CITED)
        notes = tab.locator(".pn-side:visible").filter(has=tab.locator(".pn-mark"))
        expect(notes).to_have_count(1)
        expect(notes).to_contain_text("The first cache against itself")
        expect(notes.locator(".pn-mark")).to_have_text("null result")


def test_long_code_does_not_hide_a_column_of_a_table_on_a_phone(
    browser: Browser, site: str
) -> None:
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(CITED)
        table = tab.locator("table", has_text="you ask")
        hidden = "e => (e.closest('.pn-wide') ?? e).scrollWidth - document.body.clientWidth"
        assert table.evaluate(hidden) <= 0
        assert table.locator("code").evaluate("e => e.getClientRects().length") > 1


def test_a_narrow_window_fetches_no_side_notes(browser: Browser, site: str) -> None:
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(NOTE)
        tab.wait_for_timeout(200)
        assert tab.locator("script[src*='margin.js']").count() == 0
        assert tab.locator("script[src*='card.js']").count() == 0


def test_a_citation_has_a_card(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        tab.locator("a.pn-cite").first.hover()
        dialog = tab.get_by_role("dialog", name="What is cited here")
        expect(dialog).to_contain_text("Drepper (2007). What Every Programmer Should Know")
        expect(dialog).to_contain_text("cited in")
        expect(dialog.get_by_role("link", name="URL")).to_be_visible()
        tab.keyboard.press("Escape")
        expect(card(tab)).to_have_count(0)


def test_a_link_shows_what_awaits_there(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, watch):
        tab.goto(NOTE)
        tab.wait_for_timeout(200)
        before = watch.requests
        link = tab.locator(".pn-title + p").get_by_role("link", name="ladder")
        link.hover()
        preview = tab.get_by_role("tooltip")
        expect(preview).to_contain_text("A ladder of loads")
        assert watch.requests > before
        preview.hover()
        tab.wait_for_timeout(500)
        expect(preview).to_be_visible()
        tab.keyboard.press("Escape")
        expect(preview).to_have_count(0)
        expect(link).not_to_have_attribute("aria-describedby", re.compile(".*"))


def test_a_preview_opens_on_focus_and_a_term_says_what_it_means(
    browser: Browser, site: str
) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        tab.keyboard.press("Tab")
        tab.locator(".pn-requires a").focus()
        expect(tab.get_by_role("tooltip")).to_contain_text("A ladder of loads")
        tab.locator("article p a", has_text="warp").first.focus()
        expect(tab.get_by_role("tooltip")).to_contain_text("warp")


def test_code_names_its_language_and_can_be_copied(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.goto(NOTE)
        bar = tab.locator(".language-python .pn-code-bar")
        expect(bar).to_contain_text("Python")
        bar.get_by_role("button").click()
        assert tab.evaluate("navigator.clipboard.readText()") == 'print("a line of code")'
        expect(bar.get_by_role("button")).to_have_text("Copied")


def test_a_wide_table_scrolls_in_itself_by_the_keyboard(browser: Browser, site: str) -> None:
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto(NOTE)
        region = tab.get_by_role("region", name=re.compile("^Table 1, Wide things"))
        region.focus()
        tab.keyboard.press("ArrowRight")
        expect(region).to_be_focused()
        expect(tab.locator(".pn-wide").first).not_to_have_js_property("scrollLeft", 0)


def test_a_figure_keeps_its_place_and_opens_over_the_page(
    browser: Browser, site: str, page: LexborHTMLParser
) -> None:
    image = page.css_first("article img")
    assert image
    assert (image.attributes["width"], image.attributes["height"]) == ("600", "200")
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        button = tab.get_by_role("button", name="Enlarge: Boxes in a row")
        button.focus()
        tab.keyboard.press("Enter")
        dialog = tab.get_by_role("dialog", name="Boxes in a row")
        expect(dialog.locator("img")).to_be_visible()
        expect(dialog.get_by_role("button", name="Close")).to_be_focused()
        tab.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(button).to_be_focused()
        tab.goto(f"{NOTE}../ladder/lab/")
        expect(tab.locator(".pn-claim svg").first).to_be_visible()
        assert tab.locator(".pn-enlarge").count() == 0  # the words of plots are large enough


def test_the_button_that_enlarges_covers_no_drawing_where_it_is_always_seen(
    browser: Browser, site: str
) -> None:
    phone = browser.new_page(
        base_url=site, viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True
    )
    with closing(phone):
        phone.goto(NOTE)
        button = phone.get_by_role("button", name="Enlarge: Boxes in a row")
        expect(button).to_have_css("opacity", "1")
        drawing = phone.locator(".pn-figure-box img").first
        below, above = button.bounding_box(), drawing.bounding_box()
        assert below
        assert above
        assert below["y"] >= above["y"] + above["height"]


# The brightness of the points of a row of a picture.
_BRIGHTNESS = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, 1).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, 1);
  const point = (i) => data[4 * i] + data[4 * i + 1] + data[4 * i + 2];
  return Array.from({ length: image.width }, (_, i) => point(i));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("wide", [".pn-figure-box", ".language-text code"])
def test_what_is_wide_has_a_shadow_where_more_of_it_lies(
    browser: Browser, site: str, wide: str, scheme: str
) -> None:
    with opened(browser, site, width=PHONE, scheme=scheme) as (tab, _):
        tab.goto(NOTE)
        box = tab.locator(wide)
        box.scroll_into_view_if_needed()
        assert box.evaluate("each => each.scrollWidth > each.clientWidth")
        other = tab.context.new_page()

        def edges() -> tuple[bool, bool]:
            """Whether the ground of the box differs at the left and at the right."""
            place = box.bounding_box()
            assert place
            png = tab.screenshot(
                clip={"x": place["x"], "y": place["y"] + 2, "width": place["width"], "height": 2}
            )
            row = other.evaluate(_BRIGHTNESS, base64.b64encode(png).decode())
            middle = row[len(row) // 2]
            return abs(row[4] - middle) > 30, abs(row[-5] - middle) > 30

        assert edges() == (False, True)
        box.evaluate("each => each.scrollLeft = 80")
        assert edges() == (True, True)
        box.evaluate("each => each.scrollLeft = 1000")
        assert edges() == (True, False)


def test_headings_have_links_to_themselves(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto(NOTE)
        tab.locator("#wide-things .pn-anchor").click()
        expect(tab).to_have_url(f"{site}{NOTE}#wide-things")


def test_a_printed_note_is_an_article(browser: Browser, site: str) -> None:
    with opened(browser, site, width=WIDE, scheme="dark") as (tab, _):
        tab.goto(NOTE)
        expect(tab.locator(".pn-side").first).to_be_visible()
        tab.emulate_media(media="print")
        for gone in (".md-header", ".md-sidebar", ".md-footer", ".pn-margin", ".pn-code-bar"):
            expect(tab.locator(f"{gone}:visible")).to_have_count(0)
        for kept in ("h1", ".pn-facts", ".pn-references li", "#pn-n1", ".pn-wide table"):
            expect(tab.locator(f"article {kept}").first).to_be_visible()
        colours = tab.evaluate(
            "[getComputedStyle(document.querySelector('.pn-title + p')).color,"
            " getComputedStyle(document.body).backgroundColor]"
        )
        assert colours == ["rgb(0, 0, 0)", "rgb(255, 255, 255)"]


def test_what_is_folded_opens_where_the_address_leads(browser: Browser, site: str) -> None:
    with opened(browser, site, width=WIDE) as (tab, _):
        tab.goto(NOTE)
        folds = tab.locator("details.pn-fold")
        assert folds.count() >= 2
        expect(tab.locator("details.pn-fold[open]")).to_have_count(0)
        tab.goto(f"{NOTE}#pn-references")
        expect(tab.locator(".pn-references li").first).to_be_visible()
        tab.evaluate("location.hash = '#pn-n1'")  # a row of the numbers
        expect(tab.locator("#pn-n1")).to_be_visible()
        tab.evaluate("location.hash = '#%'")
        expect(tab.locator("#pn-n1")).to_be_visible()


def test_the_notes_before_and_after_stand_right_after_the_text(built_for_browsers: Path) -> None:
    page = LexborHTMLParser((built_for_browsers / f"{NOTE}index.html").read_text("utf-8"))
    order = [
        node.attributes.get("id") or node.attributes.get("class")
        for node in page.css("article .pn-neighbours, article h2[id^=pn-]")
    ]
    assert order.index("pn-neighbours") < order.index("pn-references") < order.index("pn-numbers")
    assert not page.css(".md-footer [rel=prev], .md-footer [rel=next]")
