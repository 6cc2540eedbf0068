"""The pages of facts: a family compared, sorted and filtered."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from selectolax.lexbor import LexborHTMLParser

from perfnotes.site.page import Page
from perfnotes.source.read.facts import read_fact_file
from perfnotes.text.source import Source
from tests.example_notes import made_pages, read_site, write_notes

ROOT = Path(__file__).parent.parent
THEME = ROOT / "tools/perfnotes/site/theme/assets/perfnotes"
FILES = sorted((ROOT / "notes" / "facts").glob("*.yml"))
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


# Two rates of one card, a figure by a formula, units that convert exactly and units that do not.
NAMED = f"""\
title: Named
names:
  fp16-tensor: {{en: FP16 tensor, zh: FP16 张量}}
  memory-size: {{en: Memory, zh: 显存}}
  cores: {{en: Cores, zh: 核数}}
compare:
  gpu:
  - name: {{en: "FP16 tensor, dense", zh: FP16 张量，稠密}}
    facts: [fp16-tensor-fp32, fp16-tensor-published, fp16-tensor]
    units: [TFLOP/s]
  - {{facts: [memory-size], units: [GB, GiB]}}
  - facts: [cores]
entities:
  a:
    name: a
    kind: gpu
    facts:
      fp16-tensor-published: {{value: 113.8, unit: TFLOP/s, {SOURCE}}}
      fp16-tensor-fp32: {{value: 56.9, unit: TFLOP/s, qualifier: dense, {SOURCE}}}
      memory-size: {{value: 80, unit: GB, {SOURCE}}}
      cores: {{value: 1024, unit: core, {SOURCE}}}
  b:
    name: b
    kind: gpu
    facts:
      sparse: {{value: 4.5, unit: PFLOP/s, {SOURCE}}}
      fp16-tensor: {{formula: sparse / 2, unit: TFLOP/s}}
      memory-size: {{value: 11264, unit: MiB, {SOURCE}}}
  c:
    name: c
    kind: gpu
    facts:
      fp16-tensor-published: {{value: 1.3074, unit: PFLOP/s, {SOURCE}}}
      memory-size: {{value: 512, unit: MB, {SOURCE}}}
      cores: {{value: 8, unit: core, {SOURCE}}}
  d:
    name: d
    kind: gpu
    facts:
      memory-size: {{value: 1.001, unit: GiB, {SOURCE}}}
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Page]:
    folder = write_notes(
        tmp_path_factory.mktemp("facts"), {"facts/cards.yml": GPUS, "facts/named.yml": NAMED}
    )
    return {page.url: page for page in made_pages(read_site(folder))}


def test_a_family_is_compared_by_what_most_have(pages: dict[str, Page]) -> None:
    html = LexborHTMLParser(pages["facts/cards/"].body)
    tables = html.css("table.pn-compare")
    assert len(tables) == 1
    assert [th.text() for th in tables[0].css("thead th")] == ["Of", "memory size GiB", "tdp W"]
    first = tables[0].css_first("tbody tr")
    assert first is not None
    assert [a.attributes["href"] for a in first.css("a")] == [
        "#one", "#one--memory-size", "#one--tdp"
    ]  # fmt: skip
    cells = (row.css("td")[0] for row in tables[0].css("tbody tr"))
    ranks = {cell.text(): int(str(cell.attributes["data-sort"])) for cell in cells}
    assert ranks["1"] < ranks["2"] < ranks["4"] < ranks["16"]
    converted = first.css("a")[1]
    assert (converted.text(), converted.attributes["title"]) == ("2", "2,048\u00a0MiB")
    row = html.css_first("#one--memory-size")
    assert row is not None
    assert "2,048\u00a0MiB" in row.text()
    chinese = LexborHTMLParser(pages["zh/facts/cards/"].body)
    assert [th.text() for th in chinese.css(".pn-compare thead th")] == [
        "对象",
        "显存 GiB",
        "tdp W",
    ]
    assert len(html.css("details.pn-entity")) == 7


def of_named(pages: dict[str, Page], lang: str) -> list[list[str]]:
    """The comparison of ``NAMED`` as texts of cells, its heads first."""
    rows = LexborHTMLParser(pages[f"{lang}facts/named/"].body).css(".pn-compare tr")
    return [[cell.text().replace("\u00a0", " ") for cell in row.css("th, td")] for row in rows]


def test_a_file_names_what_is_compared_and_in_which_units(pages: dict[str, Page]) -> None:
    assert of_named(pages, "") == [
        ["Of", "FP16 tensor, dense TFLOP/s", "Memory GB", "Cores"],
        ["a", "56.9", "80", "1,024"],
        ["b", "2,250", "11 GiB", ""],  # 4.5 PFLOP/s / 2; 11 GiB are no short number of GB
        ["c", "1,307.4", "0.512", "8"],
        ["d", "", "1.001 GiB", ""],
    ]
    assert of_named(pages, "zh/")[0] == ["对象", "FP16 张量，稠密 TFLOP/s", "显存 GB", "核数"]
    html = LexborHTMLParser(pages["facts/named/"].body)
    titles = {a.attributes.get("title") for a in html.css(".pn-compare td a")}
    assert titles == {None, "dense", "11,264\u00a0MiB", "512\u00a0MB", "1.3074\u00a0PFLOP/s"}
    names = [a.text() for a in html.css("#a th[scope=row] a")]
    assert names == ["FP16 tensor, as printed", "fp16 tensor fp32", "Memory", "Cores"]
    chinese = LexborHTMLParser(pages["zh/facts/named/"].body)
    assert next(a.text() for a in chinese.css("#a th[scope=row] a")) == "FP16 张量（厂商值）"


def test_a_small_family_has_neither_filter_nor_comparison(pages: dict[str, Page]) -> None:
    html = LexborHTMLParser(pages["facts/chips/"].body)
    assert not html.css(".pn-find, .pn-compare")
    assert pages["facts/chips/"].markdown.startswith("# Chips\n")


@pytest.mark.slow
def test_rows_are_filtered_and_sorted(browser: Browser, pages: dict[str, Page]) -> None:
    with browser.new_context() as context:
        tab = context.new_page()
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


@pytest.mark.slow
def test_rows_without_a_value_come_last_up_and_down(
    browser: Browser, pages: dict[str, Page]
) -> None:
    with browser.new_context() as context:
        tab = context.new_page()
        tab.set_content(f"<html lang=en><article>{pages['facts/named/'].body}</article>")
        tab.add_script_tag(path=THEME / "table.js")
        head = tab.get_by_role("button", name="Cores")
        for order in ("cabd", "acbd"):
            head.click()
            names = tab.locator(".pn-compare tbody th").all_text_contents()
            assert names[:2] == [*order[:2]]
            assert {*names[2:]} == {"b", "d"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_fact_of_these_notes_has_a_name_in_both_languages(path: Path) -> None:
    file, _ = read_fact_file(path.stem, Source(str(path), path.read_text("utf-8")))
    assert file
    facts = [fact for entity in file.entities.values() for fact in entity.facts.values()]
    assert [fact.id for fact in facts if not (fact.title.en and fact.title.zh)] == []
