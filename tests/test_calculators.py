"""Calculators: reading them, computing them, and the page without scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.checks import examine
from perfnotes.model.quantity.amount import digits
from perfnotes.site.safety import judge
from tests.calc_notes import CALC, FENCES, NOTES
from tests.engine_of import engine_of
from tests.example_notes import made_pages, read_site, write_notes


def test_formulas_are_computed_with_their_units(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path, NOTES))
    bus = site.library.calculators["caches/bus"]["bandwidth"]
    assert bus.results({"rate": 32, "width": 16}) == {
        "bandwidth": 64,
        "time": pytest.approx(15.625),
    }
    numbers = site.library.calculators["caches/bus"]["numbers"]
    at_three = numbers.results({"x": 3, "y": 25})
    assert at_three["precedence"] == -9 + 2 ** -(1**2) * 2.75 / 8 + 3
    assert at_three["scaled"] == 200
    assert numbers.results({"x": -8})["later"] is None  # its input has no result
    assert numbers.results({"x": 2})["scaled"] is None  # a division by zero


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("formula: rate * width}", "formula: rate + width}", "does not convert"),
        ("formula: rate * width}", "formula: rate * widht}", "'widht' is no"),
        ("formula: size / bandwidth", "formula: size / slowness", "no output above"),
        ("formula: size / bandwidth", 'formula: "().__class__"', "only numbers"),
        ("formula: log2(x)", "formula: median(x)", "is for samples"),
        ("formula: log2(x)", "formula: log2(0x10)", "decimal"),
        ("bandwidth: 64 GB/s", "bandwidth: 65 GB/s", "the source gives 65 GB/s"),
        ("rate: 32", "rate: 65", "outside"),
        ("rate: 32", "rate: fact:nothing/at-all", "no fact"),
        ("least: 0.5", "lest: 0.5", "did you mean 'least'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    right: str, wrong: str, said: str, tmp_path: Path
) -> None:
    assert right in CALC
    files = {**NOTES, "caches/bus/calc.yml": CALC.replace(right, wrong)}
    findings = [f for f in examine(read_site(write_notes(tmp_path, files))) if f.code == "PN908"]
    first = next(f for f in findings if f.path.endswith("calc.yml"))
    assert said in f"{first.message} {first.hint}"
    assert first.line > 1


def test_a_fence_holds_the_formulas(tmp_path: Path) -> None:
    files = {**NOTES, "caches/bus/index.md": FENCES.replace("rate * width", "width * rate")}
    (finding,) = (f for f in examine(read_site(write_notes(tmp_path, files))) if f.code == "PN908")
    assert finding.message == "these are not the calculator's formulas"
    files = {**NOTES, "caches/bus/index.md": FENCES.replace("calc=bandwidth", "calc=bandwith")}
    (finding,) = (f for f in examine(read_site(write_notes(tmp_path, files))) if f.code == "PN908")
    assert finding.hint == "did you mean bandwidth?"
    for name in ("Bandwidth", "band_width", ""):
        files = {**NOTES, "caches/bus/index.md": FENCES.replace("calc=bandwidth", f"calc={name}")}
        site = read_site(write_notes(tmp_path, files))
        (finding,) = (f for f in examine(site) if f.code == "PN908")
        assert finding.message == f"this note has no calculator {name!r}"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_needs_no_script(lang: str, tmp_path: Path) -> None:
    made = made_pages(read_site(write_notes(tmp_path, NOTES)))
    url = "caches/bus/" if lang == "en" else "zh/caches/bus/"
    page = next(p for p in made if p.url == url)
    assert not page.scripts  # the calculator's is loaded when the reading comes near
    html = engine_of().convert(page.body).content
    assert not judge(html)
    tree = LexborHTMLParser(html)
    assert [n.text() for n in tree.css(".pn-calc-title")][1] == "Arithmetic"
    row = [cell.text() for cell in tree.css(".pn-calc tbody tr")[0].css("th, td")]
    first = "sixteen lanes" if lang == "en" else "十六条通道"
    assert row == [
        first,
        "32\u00a0GT/s",
        "16\u00a0bit/T",
        "1\u00a0kB",
        "64\u00a0GB/s",
        "15.63\u00a0ns",
    ]
    data = json.loads(tree.css(".pn-calc")[0].attributes["data-calc"] or "")
    assert data["inputs"][0] == {
        "id": "rate", "unit": "GT/s", "value": 16.0, "factor": 1e9, "least": 0.5, "most": 64,
    }  # fmt: skip
    assert "a share <b>" in (tree.css(".pn-calc")[1].text())
    assert "| 64 GB/s |" in page.markdown.replace("\u00a0", " ")
    assert "```text calc=bandwidth" in page.markdown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (1.0625, "1.063"),
        (-1.0625, "-1.063"),
        (0.1 + 0.2, "0.3000"),
        (9999.5, "10,000"),
        (-9999.5, "-10,000"),
        (9999.4, "9999"),
        (12345.678, "12,346"),
        (1234567, "1,234,567"),
        (0.00012, "0.0001200"),
        (3.9224e-6, "3.922\u00a0×\u00a010⁻⁶"),
        (2e20, "2.000\u00a0×\u00a010²⁰"),
        (99.996, "100.0"),
        (-0.99996, "-1.000"),
        (9.9999e-5, "0.0001000"),
        (9.9996e15 + 2, "1.000\u00a0×\u00a010¹⁶"),
    ],
)
def test_figures_have_four_digits(value: float, shown: str) -> None:
    assert digits(value) == shown


def test_the_list_of_calculators_keeps_names_with_commas_apart(tmp_path: Path) -> None:
    pages = made_pages(read_site(write_notes(tmp_path, NOTES)))
    english = next(page for page in pages if page.url == "try/")
    chinese = next(page for page in pages if page.url == "zh/try/")
    assert "powers, signs &amp; signs; several; of x; in per cent" in english.body
    assert "每秒字节数；传输这些字节的时间" in chinese.body
