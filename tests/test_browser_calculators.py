"""Calculators in a browser: the same results as Python's, by keyboard, for everybody."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from perfnotes.model.calculator import Calculator
from perfnotes.site.render.calculators import _result
from tests.browser import opened, served
from tests.calc_notes import NOTES
from tests.example_notes import read_site, write_notes
from tests.opened_notes import BELOW
from tests.project import ROOT

pytestmark = pytest.mark.slow

_FILL = """(box, rows) => rows.map((row) => {
  const fields = [...box.querySelectorAll("input")];
  fields.forEach((field, i) => { field.value = row[i]; });
  fields[0].dispatchEvent(new Event("input"));
  return [...box.querySelectorAll("output")].map((output) => output.textContent);
})"""


def _rows(made: Calculator) -> list[list[float]]:
    """Random values of many sizes, ties and round numbers among them."""
    chance = random.Random(1)
    rows = []
    for _ in range(300):
        row = []
        for each in made.inputs:
            wide = chance.choice([1e-6, 0.03, 1, 16, 1e3, 1e7]) * chance.choice([-1, 1, 1])
            drawn = chance.choice([chance.random() * wide, chance.randint(-64, 64) / 16])
            low = -1e12 if each.least is None else each.least
            row.append(max(low, min(1e12 if each.most is None else each.most, drawn)))
        rows.append(row)
    return rows


def test_the_browser_computes_what_python_does(
    browser: Browser, built_for_browsers: Path, tmp_path: Path
) -> None:
    site = read_site(write_notes(tmp_path / "notes", NOTES))
    with served(built_for_browsers, BELOW) as base:
        with opened(browser, base) as (tab, _):
            tab.goto("caches/bus/")
            for i, made in enumerate(site.library.calculators["caches/bus"].values()):
                box = tab.locator(".pn-calc-ready").nth(i)
                rows = _rows(made)
                names = [each.id for each in made.inputs]
                expected = [
                    [_result(made.results(values)[out.id], out, "en") for out in made.outputs]
                    for values in (dict(zip(names, row, strict=True)) for row in rows)
                ]
                shown = box.evaluate(_FILL, rows)
                different = [x for x in zip(rows, expected, shown, strict=True) if x[1] != x[2]]
                assert not different, different[:3]
            box = tab.locator(".pn-calc-ready").first
            box.get_by_role("button", name="sixteen lanes").press("Enter")
            expect(box.locator("output").first).to_have_text("64\u00a0GB/s")
            field = box.get_by_label("transfers per second")
            field.press("ControlOrMeta+a")
            field.press_sequentially("8")
            expect(box.locator("output").first).to_have_text("16\u00a0GB/s")
            field.press_sequentially("88")  # more than the most: no result is shown for it
            expect(box.locator("output").first).to_have_text("—")
            expect(field).to_have_attribute("aria-invalid", "true")
            assert not Axe().run(tab, ".pn-calc").response["violations"]
        with opened(browser, base, script=False) as (tab, _):
            tab.goto("zh/caches/bus/")
            expect(tab.get_by_text("十六条通道")).to_be_visible()
            expect(tab.locator(".pn-calc input, .pn-calc output")).to_have_count(0)


def test_scripts_evaluate_no_text() -> None:
    script = (ROOT / "tools/perfnotes/site/theme/assets/perfnotes/calc.js").read_text("utf-8")
    assert not [w for w in ("eval(", "Function(", "innerHTML", "import(") if w in script]
