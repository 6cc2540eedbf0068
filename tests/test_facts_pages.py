"""The pages of facts: a family compared, sorted and filtered."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect
from selectolax.lexbor import LexborHTMLParser

from perfnotes.site.page import Page
from tests.browser import started_browser
from tests.example_notes import made_pages, read_site, write_notes

THEME = Path(__file__).parent.parent / "tools/perfnotes/site/theme/assets/perfnotes"
SOURCE = 'source: "[@drepper2007memory, sec. 2]"'


def gpu(name: str, size: str, watts: int, more: str = "") -> str:
    return (
        f"  {name}:\n    name: {{en: GPU {name}, zh: 显卡 {name}}}\n    kind: gpu\n    facts:\n"
        f"      memory-size: {{{size}, what: {{en: memory, zh: 显存}}, {SOURCE}}}\n"
        f"      tdp: {{value: {watts}, unit: W, what: {{en: at {watts} W, zh: 功率 {watts}}}, "
        f"{SOURCE}}}\n{more}"
    )


RARE = f"      cores: {{value: 3, unit: core, {SOURCE}}}\n"
BUS = (
    "  bus:\n    name: A bus\n    kind: bus\n    facts:\n"
    f"      rate: {{value: 8, unit: GT/s, {SOURCE}}}\n"
)
GPUS = (
    "title: {en: Cards, zh: 显卡}\nentities:\n"
    + gpu("one", "value: 2048, unit: MiB", 70, RARE)
    + gpu("two", "value: 1, unit: GiB", 300)
    + gpu("three", "value: 16, unit: GiB", 250)
    + "".join(gpu(f"more-{i}", "value: 4, unit: GiB", 100 + i) for i in range(3))
    + BUS
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    folder = write_notes(tmp_path_factory.mktemp("facts"), {"facts/cards.yml": GPUS})
    return {page.url: page for page in made_pages(read_site(folder))}


def test_a_family_is_compared_by_what_most_have(pages: dict[str, Page]) -> None:
    html = LexborHTMLParser(pages["facts/cards/"].body)
    tables = html.css("table.pn-compare")
    assert len(tables) == 1
    assert [th.text() for th in tables[0].css("thead th")] == ["Of", "memory size", "tdp"]
    first = tables[0].css_first("tbody tr")
    assert first is not None
    assert [a.attributes["href"] for a in first.css("a")] == [
        "#one", "#one--memory-size", "#one--tdp"
    ]  # fmt: skip
    cells = (row.css("td")[0] for row in tables[0].css("tbody tr"))
    ranks = {
        cell.text().replace("\u00a0", " "): int(str(cell.attributes["data-sort"])) for cell in cells
    }
    assert ranks["1 GiB"] < ranks["2048 MiB"] < ranks["4 GiB"] < ranks["16 GiB"]
    chinese = LexborHTMLParser(pages["zh/facts/cards/"].body)
    assert [th.text() for th in chinese.css(".pn-compare thead th")] == ["对象", "显存", "tdp"]
    assert len(html.css("details.pn-entity")) == 7


def test_a_small_family_has_neither_filter_nor_comparison(pages: dict[str, Page]) -> None:
    html = LexborHTMLParser(pages["facts/chips/"].body)
    assert not html.css(".pn-find, .pn-compare")
    assert pages["facts/chips/"].twin.startswith("# Chips\n")


@pytest.mark.slow
def test_rows_are_filtered_and_sorted(pages: dict[str, Page]) -> None:
    with started_browser() as browser:
        tab = browser.new_page()
        tab.set_content(f"<html lang=en><article>{pages['facts/cards/'].body}</article>")
        tab.evaluate(
            "window.pnPage = { say: (english) => english, made: (tag, name, text = '') =>"
            " Object.assign(document.createElement(tag), { className: name, textContent: text }) };"
            "history.replaceState = () => {}"
        )
        for name in ("table", "filter"):
            tab.add_script_tag(path=THEME / f"{name}.js")
        rows = tab.locator(".pn-compare tbody tr")
        tab.get_by_role("button", name="memory size").click()
        assert [row.split()[1] for row in rows.all_inner_texts()][:2] == ["two", "one"]
        tab.get_by_label("Show only").fill("gpu one, THREE")
        shown = tab.locator(".pn-row:not([hidden])")
        expect(shown).to_have_count(4)
        tab.get_by_label("Show only").fill("bus")
        expect(tab.locator(".pn-scroll:has(.pn-compare)")).to_be_hidden()
        tab.get_by_label("Show only").fill("no such thing")
        expect(tab.get_by_role("status")).to_have_text("Nothing fits.")
        tab.get_by_label("Show only").fill("")
        expect(shown).to_have_count(13)
