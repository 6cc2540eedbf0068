"""The pages that lead in, in a browser: home, topics, papers, graph; by keys and by fingers."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Page as Tab

from perfnotes.site.page import Page
from tests.browser import opened, served

pytestmark = pytest.mark.slow

PHONE = 390
LANGUAGES = ("", "zh/")
_FOCUSED = "each => each === document.activeElement"


@pytest.fixture(scope="module")
def site(built_sample: Path) -> Iterator[str]:
    with served(built_sample / "site", "/below/") as base:
        yield base


def focus_by_tab(tab: Tab, target: Locator, most: int) -> None:
    for _ in range(most):
        tab.keyboard.press("Tab")
        if target.evaluate(_FOCUSED):
            return
    raise AssertionError("the keyboard does not reach it")


# Home


def test_the_field_on_the_home_page_opens_the_search(browser: Browser, site: str) -> None:
    for lang in LANGUAGES:
        with opened(browser, site) as (tab, _):
            tab.goto(lang)
            field = tab.locator(".pn-find a")
            expect(field).to_be_in_viewport()
            field.press("Enter")
            expect(tab.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    with opened(browser, site, script=False) as (tab, _):
        tab.goto("")
        tab.locator(".pn-find a").click()
        expect(tab).to_have_url(f"{site}search/")


def test_the_home_page_leads_in_above_the_fold(browser: Browser, site: str) -> None:
    with opened(browser, site, width=1440) as (tab, _):
        tab.goto("")
        for place in (".pn-find", ".pn-counts", "#start", "#start + ul > li:first-child"):
            expect(tab.locator(place)).to_be_in_viewport()
        for link in tab.locator("#start + ul a").all():
            assert link.get_attribute("href")
    with opened(browser, site, width=PHONE) as (tab, _):
        tab.goto("")
        expect(tab.locator(".pn-find")).to_be_in_viewport()
        expect(tab.locator("#start")).to_be_in_viewport()


def test_a_first_visit_to_the_home_page_is_light(browser: Browser, built_sample: Path) -> None:
    """Packed, all that is loaded before any input is at most 80 KB."""
    folder = built_sample / "site"
    with served(folder) as base, opened(browser, base) as (tab, _):
        seen: list[str] = []
        tab.on("request", lambda request: seen.append(request.url))
        tab.goto("", wait_until="load")
    files = {url.removeprefix(base).partition("?")[0] or "index.html" for url in seen}
    size = sum(len(gzip.compress((folder / f).read_bytes(), 9)) for f in files if f != "sw.js")
    assert size <= 80_000, {f: (folder / f).stat().st_size for f in files}


# Topics


def maps(pages: list[Page]) -> list[Page]:
    return [p for p in pages if p.kind == "topic" and "pn-map-picture" in p.body]


def test_a_map_is_walked_with_the_keyboard(browser: Browser, site: str, pages: list[Page]) -> None:
    page = max(maps(pages), key=lambda p: p.body.count("pn-map-node"))
    for scheme in ("light", "dark"):
        with opened(browser, site, scheme=scheme) as (tab, _):
            tab.goto(page.url)
            nodes = tab.locator(".pn-map a")
            count = nodes.count()
            assert count > 2
            nodes.first.focus()
            for i in range(count):
                node = nodes.nth(i)
                assert node.evaluate(_FOCUSED)
                assert node.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
                if i + 1 < count:
                    tab.keyboard.press("Tab")
            target = nodes.last.get_attribute("href")
            tab.keyboard.press("Enter")
            expect(tab).to_have_url(re.compile(f"/{re.escape(str(target).lstrip('./'))}$"))


_WORDS_OUTSIDE = """() => [...document.querySelectorAll(".pn-map-node")].flatMap((node) => {
  const room = node.querySelector("rect").getBoundingClientRect();
  return [...node.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.right > room.right + 1 || box.bottom > room.bottom + 1;
  }).map((text) => text.textContent);
})"""


def test_maps_fit_their_words_and_scroll_in_themselves(
    browser: Browser, site: str, pages: list[Page]
) -> None:
    for width in (PHONE, 1440):
        with opened(browser, site, width=width) as (tab, _):
            for page in maps(pages):
                tab.goto(page.url)
                assert not tab.evaluate(_WORDS_OUTSIDE), page.url
                picture = tab.locator(".pn-map-picture")
                picture.evaluate("each => each.style.fontFamily = 'DejaVu Sans'")
                assert not tab.evaluate(_WORDS_OUTSIDE), page.url
                picture.evaluate("each => each.style.fontFamily = ''")
                small = tab.locator(".pn-map-small").first
                if small.count():  # no picture is made smaller than its text can be read
                    assert small.evaluate("each => each.getBoundingClientRect().height") > 9
                wider = (
                    "document.documentElement.scrollWidth > document.documentElement.clientWidth"
                )
                assert not tab.evaluate(wider), page.url


# Papers


def test_the_facts_of_a_note_in_its_topic_stand_in_a_row(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("caches/")
        facts = tab.locator(".pn-order .pn-facts").first
        tops = facts.evaluate("e => [...e.children].map(c => c.getBoundingClientRect().top)")
        assert len(tops) > 1
        assert max(tops) - min(tops) < 10, tops


def shown(tab: Tab) -> int:
    return tab.locator(".pn-papers tbody tr:visible").count()


def test_papers_are_filtered_and_the_address_remembers(browser: Browser, site: str) -> None:
    for lang in LANGUAGES:
        with opened(browser, site) as (tab, _):
            tab.goto(f"{lang}references/")
            everything = shown(tab)
            field = tab.locator(".pn-filter [name=text]")
            field.fill("memory")
            assert 0 < shown(tab) < everything
            rows = tab.locator(".pn-papers tbody tr:visible").all_text_contents()
            assert all("memory" in row.lower() or "内存" in row for row in rows)
            tab.locator(".pn-filter [name=cited]").select_option("no")
            tab.locator(".pn-filter [name=type]").select_option(index=1)
            tab.locator(".pn-filter [name=from]").fill("1990")
            few = shown(tab)
            assert "text=memory" in tab.url
            tab.reload()
            assert shown(tab) == few
            expect(tab.locator(".pn-filter [name=from]")).to_have_value("1990")
            uses = tab.locator(".pn-papers tbody tr:visible td:nth-child(6)").all_text_contents()
            assert set(uses) <= {"0"}
            tab.locator(".pn-filter button").click()
            assert shown(tab) == everything
            assert "?" not in tab.url
            expect(field).to_be_focused()


def test_a_bar_of_the_timeline_chooses_its_years(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        tab.goto("references/")
        everything = shown(tab)
        for i in (0, -2, -1):  # a decade, a year, those without a year
            bar = tab.locator(".pn-timeline-bar").nth(i)
            count = int(re.findall(r": (\d+)", str(bar.get_attribute("aria-label")))[0])
            bar.press("Enter")
            expect(bar).to_have_attribute("aria-current", "true")
            assert shown(tab) == count
        tab.reload()
        assert shown(tab) == count
        bar.press("Enter")
        assert shown(tab) == everything
    with opened(browser, site, script=False) as (tab, _):
        tab.goto("references/")
        assert shown(tab) == everything
        bar = tab.locator(".pn-timeline-bar").first
        anchor = str(bar.get_attribute("href"))
        bar.click()
        expect(tab.locator(f"[id='{anchor[1:]}']")).to_be_in_viewport()


def test_a_paper_can_be_copied(browser: Browser, site: str, pages: list[Page]) -> None:
    page = next(p for p in pages if p.kind == "reference" and "pn-cited-by" in p.body)
    with opened(browser, site) as (tab, _):
        tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
        tab.goto(page.url)
        words = tab.locator(".pn-cite-as")
        wanted = words.evaluate("each => each.firstChild.data")
        words.get_by_role("button").click()
        expect(words.get_by_role("button")).to_have_text("Copied")
        assert tab.evaluate("navigator.clipboard.readText()") == wanted


# The graph


def ready(tab: Tab, lang: str = "", query: str = "") -> Locator:
    tab.goto(f"{lang}graph/{query}")
    nodes = tab.locator(".pn-node")
    expect(nodes.first).to_be_attached()
    return nodes


def test_the_graph_is_walked_with_the_keyboard(browser: Browser, site: str) -> None:
    for lang in LANGUAGES:
        with opened(browser, site, scheme="dark" if lang else "light") as (tab, _):
            nodes = ready(tab, lang)
            assert tab.locator(".pn-node[tabindex='0']").count() == 1
            first = tab.locator(".pn-node[tabindex='0']")
            tab.locator(".pn-graph-filter input").last.focus()
            focus_by_tab(tab, first, 2)
            seen = {first.get_attribute("href")}
            for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp"):
                tab.keyboard.press(key)
                focused = tab.locator(".pn-node:focus")
                expect(focused).to_be_in_viewport()
                seen.add(focused.get_attribute("href"))
            assert len(seen) > 2
            title = tab.locator(".pn-graph-title")
            expect(title).to_have_attribute("href", str(focused.get_attribute("href")))
            assert tab.locator(".pn-node.is-near").count() > 0
            before = world(tab)
            tab.keyboard.press("+")
            assert scale(world(tab)) > scale(before)
            tab.keyboard.press("0")
            tab.keyboard.press("-")
            assert scale(world(tab)) < scale(before)
            assert nodes.count() > 10
            tab.keyboard.press("Enter")
            left_the_graph(tab)


def left_the_graph(tab: Tab) -> None:
    """Wait until another page has come; the graph's own has a heading as well."""
    expect(tab).not_to_have_url(re.compile("/graph/"))
    expect(tab.locator("article h1")).to_be_visible()


def world(tab: Tab) -> str:
    return str(tab.locator(".pn-graph-stage > svg > g").get_attribute("transform"))


def scale(transform: str) -> float:
    return float(re.findall(r"scale\(([\d.]+)\)", transform)[0])


def test_the_graph_moves_under_a_mouse(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        ready(tab)
        box = tab.locator(".pn-graph-stage > svg").bounding_box()
        assert box
        x, y = box["x"] + 40, box["y"] + 40
        before = world(tab)
        tab.mouse.move(x, y)
        tab.mouse.wheel(0, -200)  # without the focus the wheel turns the page
        assert world(tab) == before
        tab.evaluate("scrollTo(0, 0)")
        tab.mouse.down()
        tab.mouse.move(x + 60, y + 30, steps=4)
        tab.mouse.up()
        moved = world(tab)
        assert moved != before
        assert scale(moved) == scale(before)
        tab.mouse.wheel(0, -200)
        assert scale(world(tab)) > scale(moved)
        tab.get_by_role("button", name="Show all").click()
        assert world(tab) == before
        tab.evaluate("scrollTo(0, 0)")
        # A drag that begins on a node does not open it, a click does.
        node = tab.locator(".pn-node-note").last
        x, y = middle(node)
        tab.mouse.move(x, y)
        tab.mouse.down()
        tab.mouse.move(x + 50, y, steps=4)
        tab.mouse.up()
        assert tab.url.endswith("/graph/")
        target = str(node.get_attribute("href")).removeprefix("../")
        tab.mouse.click(*middle(node))
        expect(tab).to_have_url(f"{site}{target}")


def middle(node: Locator) -> tuple[float, float]:
    box = node.locator("path").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_finger_sees_first_and_opens_next(browser: Browser, site: str) -> None:
    context = browser.new_context(
        viewport={"width": PHONE, "height": 844}, has_touch=True, base_url=site
    )
    tab = context.new_page()
    ready(tab)
    node = tab.locator(".pn-node-note").last
    node.locator("path").tap()
    assert "/graph/" in tab.url
    expect(tab.locator(".pn-graph-title")).to_have_attribute(
        "href", str(node.get_attribute("href"))
    )
    node.locator("path").tap()
    left_the_graph(tab)
    context.close()


def test_the_graph_is_filtered_and_the_address_remembers(browser: Browser, site: str) -> None:
    with opened(browser, site) as (tab, _):
        nodes = ready(tab)
        first = nodes.count()
        assert tab.locator(".pn-node-term").count() == 0
        tab.locator("[name=terms]").check()
        tab.locator("[name=papers]").select_option("all")
        assert nodes.count() > first
        assert tab.locator(".pn-node-term").count() > 0
        tab.locator("[name=topic]").select_option(index=1)
        few = nodes.count()
        assert 0 < few < first + 400
        tab.reload()
        expect(nodes.first).to_be_attached()
        assert nodes.count() == few
        tab.locator("[name=papers]").select_option("none")
        tab.locator("[name=terms]").uncheck()
        assert nodes.count() == tab.locator(".pn-node-note").count()
        find = tab.locator("[name=find]")
        find.fill("bash")  # what is found is shown, whatever the other filters are
        assert tab.locator(".pn-node.is-match").count() > 1
        find.press("Enter")
        expect(tab.locator(".pn-node.is-match:focus")).to_have_count(1)


def test_names_in_the_graph_do_not_cover_each_other(browser: Browser, site: str) -> None:
    with opened(browser, site, width=1440) as (tab, _):
        ready(tab, query="?papers=all&terms=yes")
        over = tab.evaluate(
            """() => {
              const boxes = [...document.querySelectorAll(".pn-node.is-named text")]
                .map((text) => [text.textContent, text.getBoundingClientRect()]);
              const crosses = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 4 &&
                Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
              return boxes.flatMap(([name, box], i) => boxes.slice(i + 1)
                .filter(([, other]) => crosses(box, other)).map(([other]) => [name, other]));
            }"""
        )
        assert not over


def test_without_scripts_the_graph_is_a_list(browser: Browser, site: str) -> None:
    for lang in LANGUAGES:
        with opened(browser, site, script=False) as (tab, _):
            tab.goto(f"{lang}graph/")
            expect(tab.locator(".pn-graph p")).to_be_visible()
            links = tab.locator(".pn-graph-list > li > a")
            assert links.count() > 10
            links.first.click()
            left_the_graph(tab)


def test_the_graph_and_the_papers_open_as_files(browser: Browser, built_sample: Path) -> None:
    folder = (built_sample / "site").as_uri()
    with browser.new_context() as context:
        tab = context.new_page()
        problems: list[str] = []
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.goto(f"{folder}/graph/index.html")
        node = tab.locator(".pn-node[tabindex='0']")
        node.focus()
        tab.keyboard.press("Enter")
        left_the_graph(tab)
        assert tab.url.endswith("/index.html")
        tab.goto(f"{folder}/references/index.html")
        tab.locator(".pn-timeline-bar").first.press("Enter")
        assert 0 < shown(tab) < 50
        tab.goto(f"{folder}/index.html")
        tab.locator(".pn-find a").click()
        expect(tab.get_by_role("dialog")).to_be_visible()
        assert not problems
