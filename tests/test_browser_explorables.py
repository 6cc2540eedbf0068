"""Things to try in a browser: by keyboard and pointer, in both lights, on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, expect
from playwright.sync_api import Page as Tab

from perfnotes.explorables import explorables
from perfnotes.explorables._explorable import Explorable
from tests.browser import opened, served
from tests.explore_notes import notes_with_all
from tests.page_faults import EXTRA_WIDTH, LOW_CONTRAST
from tests.project import commit, copy_project, perfnotes, run

pytestmark = pytest.mark.slow
NAMES = sorted(explorables())
PICTURES = {name: made for name, made in explorables().items() if isinstance(made, Explorable)}
TYPED = sorted(explorables().keys() - PICTURES.keys())
PHONE = 390

_SHIFTS = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) if (!each.hadRecentInput) sum += each.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300);
})"""
_SMALLEST_WORD = """(picture) => {
  const by = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
  const words = [...picture.querySelectorAll("text")];
  return by * Math.min(...words.map((each) => parseFloat(getComputedStyle(each).fontSize)));
}"""
_OUTSIDE = """(picture) => {
  const { left, right } = picture.parentElement.getBoundingClientRect();
  return [...picture.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.width && (box.left < left - 1 || box.right > right + 1);
  }).map((text) => text.textContent);
}"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    project = copy_project(tmp_path_factory.mktemp("explore") / "project", notes=notes_with_all())
    commit(project)
    run(project, perfnotes("build", "--quiet"))
    with served(project / "site") as address:
        yield address


def height_of(box: Locator) -> float:
    place = box.bounding_box()
    assert place
    return place["height"]


def boxes(tab: Tab) -> list[Locator]:
    return [tab.locator(f"#explore-{name}") for name in NAMES]


@pytest.mark.parametrize(("url", "scheme"), [("caches/try/", "light"), ("zh/caches/try/", "dark")])
def test_on_a_phone_nothing_is_hidden_faint_or_small(
    base: str, browser: Browser, url: str, scheme: str
) -> None:
    with opened(browser, base, width=PHONE, scheme=scheme) as (tab, _):
        tab.goto(url)
        for box in boxes(tab):
            box.scroll_into_view_if_needed()
            expect(box.locator("input").first).to_be_visible()
        assert tab.evaluate(_SHIFTS) == 0
        assert not tab.evaluate(EXTRA_WIDTH)
        assert not tab.evaluate(LOW_CONTRAST)
        for name in PICTURES:
            picture = tab.locator(f"#explore-{name} svg")
            assert picture.evaluate(_SMALLEST_WORD) >= 11
            assert picture.evaluate(_OUTSIDE) == []
        for details in tab.locator(".pn-explore-how summary").all():
            details.click()
        assert not Axe().run(tab, ".pn-explore").response["violations"]


def test_the_keyboard_changes_the_pictures_and_the_sentences(base: str, browser: Browser) -> None:
    with opened(browser, base) as (tab, _):
        tab.goto("caches/try/")
        for name in sorted(PICTURES):
            _move_all(tab, name)


def _move_all(tab: Tab, name: str) -> None:
    """Move each control of a picture by the keyboard: picture and sentence follow."""
    box = tab.locator(f"#explore-{name}")
    picture, said = box.locator("svg"), box.locator(".pn-explore-said")
    box.scroll_into_view_if_needed()
    expect(box.locator("input").first).to_be_visible()
    with_script, sentence = picture.inner_html(), said.inner_text()
    height = height_of(box)
    for control in PICTURES[name].controls:
        if control.choices:
            box.get_by_role("radio").first.focus()
            box.get_by_role("radio").first.press("ArrowDown")
            expect(box.get_by_role("radio").nth(1)).to_be_checked()
            continue
        slider = box.get_by_role("slider", name=control.what.en)
        named = tab.get_by_role("slider", name=control.what.en)
        row = box.locator(".pn-explore-slider", has=named)
        last = control.least if control.start == control.most else control.most
        slider.press("Home" if last == control.least else "End")
        expect(slider).to_have_attribute("aria-valuetext", control.shown(last, "en"))
        expect(row.locator("b")).to_have_text(control.shown(last, "en"))
    assert picture.inner_html() != with_script, name
    assert said.inner_text() != sentence, name
    assert height_of(box) == height, name
    expect(box.get_by_role("status")).to_have_text(said.inner_text())


def test_the_script_draws_what_the_page_shows_without_it(base: str, browser: Browser) -> None:
    before: dict[str, str] = {}
    for script in (False, True):
        with opened(browser, base, script=script) as (tab, _):
            tab.goto("zh/caches/try/")
            for name in sorted(PICTURES):
                box = tab.locator(f"#explore-{name}")
                box.scroll_into_view_if_needed()
                if not script:
                    expect(box.locator("input")).to_have_count(0)
                    expect(box.locator(".pn-explore-said")).not_to_be_empty()
                    before[name] = box.locator("svg").inner_html()
                    continue
                slider = box.get_by_role("slider").first
                start = slider.input_value()
                slider.press("End")
                slider.press("Home")
                slider.fill(start)
                assert box.locator("svg").inner_html() == before[name]


def test_a_typed_line_is_answered_and_read_aloud(base: str, browser: Browser) -> None:
    with opened(browser, base) as (tab, _):
        tab.goto("zh/caches/try/")
        for name in TYPED:
            box = tab.locator(f"#explore-{name}")
            box.scroll_into_view_if_needed()
            field, said = box.get_by_role("textbox"), box.locator(".pn-explore-said")
            rows = box.locator(".pn-typed-rows")
            expect(field).to_be_visible()
            before = rows.inner_text()
            field.fill("<b>&quot;${x!}")
            expect(rows.locator("li")).to_have_count(0)
            expect(box.get_by_role("status")).to_have_text(said.inner_text())
            box.get_by_role("button").first.focus()
            box.get_by_role("button").first.press("Enter")
            assert rows.inner_text() == before, name
            box.get_by_role("button").nth(1).click()
            assert rows.inner_text() != before, name


def test_the_rows_are_there_without_a_script(base: str, browser: Browser) -> None:
    with opened(browser, base, script=False) as (tab, _):
        tab.goto("caches/try/")
        for name in TYPED:
            box = tab.locator(f"#explore-{name}")
            expect(box.locator("input, button")).to_have_count(0)
            assert box.locator(".pn-typed-rows li").count() > 1, name


def test_a_pointer_drags(base: str, browser: Browser) -> None:
    with opened(browser, base, calm=True) as (tab, _):
        tab.goto("caches/try/")
        for name, made in PICTURES.items():
            if not made.drag:
                continue
            box = tab.locator(f"#explore-{name}")
            box.locator("svg").scroll_into_view_if_needed()
            expect(box.get_by_role("slider").first).to_be_visible()
            place = box.locator("svg").bounding_box()
            assert place
            y = place["y"] + place["height"] / 2
            for x, position in ((1, made.controls[0].most), (0, made.controls[0].least)):
                tab.mouse.move(place["x"] + place["width"] / 2, y)
                tab.mouse.down()
                tab.mouse.move(place["x"] + x * place["width"], y, steps=4)
                tab.mouse.up()
                expect(box.get_by_role("slider").first).to_have_value(str(position))


def test_other_pages_load_none_of_it(base: str, browser: Browser) -> None:
    with opened(browser, base) as (tab, _):
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto("caches/lines/")
        assert asked
        assert not [url for url in asked if "explor" in url]


def test_the_scripts_come_when_the_reading_comes_near(base: str, browser: Browser) -> None:
    with opened(browser, base, width=PHONE) as (tab, _):
        asked: list[str] = []
        tab.on("request", lambda request: asked.append(request.url))
        tab.goto("caches/try/")
        last = tab.locator(".pn-explore").last
        expect(tab.locator(".pn-explore").first.locator("input").first).to_be_visible()
        expect(last.locator("input")).to_have_count(0)
        name = (last.get_attribute("id") or "").removeprefix("explore-")
        assert not [url for url in asked if f"/{name}.js" in url]
        last.scroll_into_view_if_needed()
        expect(last.locator("input").first).to_be_visible()
        assert len([url for url in asked if url.endswith("/explore.js")]) == 1
        assert len([url for url in asked if url.endswith(f"/{name}.js")]) == 1
