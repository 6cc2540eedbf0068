"""Names in the picture of the graph: each stands where it has room, at every width and zoom.

The picture is that of the project's own notes: the sample has so few that all names have room.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Tab

from perfnotes.graph.site import Site
from perfnotes.site.pages import graph
from tests.browser import opened, served

pytestmark = pytest.mark.slow

DESKTOP, PHONE = 1280, 390

# What lies over what: a name over another name, over the mark of another node, or over the edge of
# the picture. The box of a line of text is higher than its letters; three pixels of it are empty.
_OVER = """() => {
  const picture = document.querySelector(".pn-graph-stage > svg").getBoundingClientRect();
  const box = (element) => element.getBoundingClientRect();
  const crosses = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  const withBox = (element) => ({ element, box: box(element) });
  const shown = [...document.querySelectorAll(".pn-node")]
    .map((node) => ({ element: node, box: box(node.querySelector("path")) }))
    .filter((node) => crosses(node.box, picture));
  const plate = document.querySelector(".pn-graph-plate.is-shown rect");
  const names = [
    ...shown.filter((node) => !node.element.matches(".is-point"))
      .map((node) => node.element.querySelector("text")),
    ...document.querySelectorAll(".pn-graph-regions text"),
  ].filter((name) => name.textContent).concat(plate ?? []).map(withBox);
  const found = [];
  names.forEach(({ element: name, box: own }, i) => {
    const words = name.textContent || "the plate";
    for (const other of names.slice(i + 1)) {
      if (crosses(own, other.box)) found.push([words, "over", other.element.textContent]);
    }
    if (own.left < picture.left || own.right > picture.right || own.top < picture.top ||
      own.bottom > picture.bottom) found.push([words, "over the edge"]);
    for (const node of name === plate ? [] : shown) {
      if (node.element.contains(name) || !crosses(own, node.box)) continue;
      found.push([words, "over the node", node.element.textContent]);
    }
  });
  return found;
}"""


@pytest.fixture(scope="module")
def site(
    built_sample: Path, own_site: Site, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The site of the sample, with the graph of our own notes."""
    folder = tmp_path_factory.mktemp("graph") / "site"
    shutil.copytree(built_sample / "site", folder)
    for path, script in graph.files(own_site):
        (folder / path).write_bytes(script)
    with served(folder, "/below/") as base:
        yield base


def ready(tab: Tab, lang: str = "", query: str = "") -> None:
    tab.goto(f"{lang}graph/{query}")
    expect(tab.locator(".pn-node").first).to_be_attached()


# Each question in each language and at each width; `make series` asks all of them everywhere.
_FIRST, _LAST = ("", "?topic=0"), ("?papers=all&terms=yes", "?find=cache")


@pytest.mark.parametrize(
    ("lang", "width", "queries"),
    [("", DESKTOP, _FIRST), ("", PHONE, _LAST), ("zh/", DESKTOP, _LAST), ("zh/", PHONE, _FIRST)],
)
def test_no_name_lies_over_another_or_over_a_node(
    browser: Browser, site: str, lang: str, width: int, queries: tuple[str, ...], all_notes: bool
) -> None:
    with opened(browser, site, width=width) as (tab, _):
        for query in (*_FIRST, *_LAST) if all_notes else queries:
            ready(tab, lang, query)
            assert not tab.evaluate(_OVER), query
            for key in "+−−−":
                tab.locator(".pn-graph-tools button", has_text=key).click()
                assert not tab.evaluate(_OVER), (query, key)
            for kind in ("note", "paper"):
                marks = tab.locator(f".pn-node-{kind}")
                for i in (0, marks.count() // 2):
                    marks.nth(i).focus()
                    assert not tab.evaluate(_OVER), (query, kind, i)


@pytest.mark.parametrize("lang", ["", "zh/"])
def test_every_note_in_sight_is_named(browser: Browser, site: str, lang: str) -> None:
    for width in (DESKTOP, PHONE):
        with opened(browser, site, width=width) as (tab, _):
            ready(tab, lang)
            picture = tab.locator(".pn-graph-stage > svg").bounding_box()
            notes = tab.locator(".pn-node-note").evaluate_all(
                """nodes => nodes.map(node => {
                  const { x, y, height } = node.querySelector("path").getBoundingClientRect();
                  return [x, y + height, node.matches(".is-named")];
                })"""
            )
            assert picture
            right = picture["x"] + picture["width"] - 100  # where names begin that can be read
            bottom = picture["y"] + picture["height"] - 5
            named = [is_named for x, y, is_named in notes if x < right and y < bottom]
            assert len(named) > 15
            assert all(named)


def test_the_whole_name_is_shown_under_the_pointer(browser: Browser, site: str) -> None:
    with opened(browser, site, width=DESKTOP) as (tab, _):
        ready(tab)
        plate = tab.locator(".pn-graph-plate")
        expect(plate).to_be_hidden()
        # Not by its text, which is another while it is pointed at.
        texts = tab.locator(".pn-node-note text").all_text_contents()
        i = next(i for i, text in enumerate(texts) if text.endswith("…"))
        name = tab.locator(".pn-node-note text").nth(i)
        name.hover()
        expect(plate).to_be_visible()
        whole = str(plate.text_content())
        assert whole.startswith(texts[i].removesuffix("…"))
        assert len(whole) > len(texts[i])
        assert not tab.evaluate(_OVER)
        tab.mouse.move(1, 1)
        expect(plate).to_be_hidden()
        expect(name).to_have_text(texts[i])


def test_what_is_found_is_in_sight(browser: Browser, site: str) -> None:
    with opened(browser, site, width=PHONE) as (tab, _):
        ready(tab)
        box = tab.locator(".pn-graph-stage > svg").bounding_box()
        assert box
        notes = tab.locator(".pn-node-note").evaluate_all(
            """nodes => nodes.map(node => [
              node.querySelector("path").getBoundingClientRect().x,
              node.querySelector("title").textContent.replace(/^[^:]*: |, [0-9]+ links$/g, ""),
            ])"""
        )
        hidden = next(name for x, name in notes if x > box["x"] + box["width"])
        tab.locator("[name=find]").fill(hidden)
        expect(tab.locator(".pn-node.is-match.is-named").first).to_be_in_viewport()
        assert not tab.evaluate(_OVER)


def test_the_fields_above_the_graph_stand_in_one_line(browser: Browser, site: str) -> None:
    with opened(browser, site, width=DESKTOP) as (tab, _):
        ready(tab)
        fields = tab.locator(".pn-graph-field:not(.pn-graph-terms)")
        boxes = [fields.nth(i).bounding_box() for i in range(fields.count())]
        assert len(boxes) == 3
        assert len({(box["y"], box["height"]) for box in boxes if box}) == 1


def test_a_card_of_the_list_does_not_ask_for_a_node(browser: Browser, site: str) -> None:
    with opened(browser, site, width=DESKTOP) as (tab, _):
        ready(tab)
        tab.locator(".pn-graph-list p a").first.hover()  # with it comes the script of the cards
        expect(tab.locator(".pn-card")).to_be_visible()
        # Of many notes the graph first shows some. The first cards stand at the left.
        in_sight = "(all) => all.findIndex((each) => each.getBoundingClientRect().x < 600)"
        notes = tab.locator(".pn-node-note path")
        notes.nth(notes.evaluate_all(in_sight)).hover()
        expect(tab.locator(".pn-card")).to_have_count(0)
