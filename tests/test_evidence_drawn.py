"""How evidence is drawn and written: plots, the drawings of cards, amounts, spans and ranges."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from selectolax.lexbor import LexborHTMLParser

from perfnotes.model.quantity.amount import amount, exact, memory, seconds, span
from perfnotes.model.quantity.expectation import parse as expectation
from perfnotes.model.quantity.units import unit
from perfnotes.model.quantity.vector import Spread
from perfnotes.plots.dots import Track, tracks
from perfnotes.plots.shapes import WIDTH
from perfnotes.site.pages.latency import at_human_scale
from perfnotes.site.render.plots import svg
from perfnotes.site.safety import judge
from tests.evidence_pages import Seen, shown, words

__all__ = ["shown"]  # the fixture


def test_a_plot_has_a_name_and_shows_what_the_table_says(shown: Seen) -> None:
    plots = shown.pages["caches/ladder/lab/"].css(".pn-claim svg.pn-c")
    assert len(plots) == 4
    ids = [str(n.attributes["id"]) for plot in plots for n in plot.css("title, desc")]
    assert len(ids) == len(set(ids)) == 8
    for plot in plots:
        assert plot.attributes["role"] == "img"
        assert plot.attributes["aria-labelledby"] in {
            " ".join(ids[i : i + 2]) for i in (0, 2, 4, 6)
        }
    assert "one-cpu: median 80×" in plots[0].css("desc")[0].text().replace("\u00a0", " ")
    assert sum(str(d.attributes["d"]).count("h0") for d in plots[0].css(".pn-c-dots")) == 30
    assert len(plots[0].css(".pn-c-expected")) == 2
    assert len(plots[2].css(".pn-c-expected")) == 0


def test_no_words_of_a_drawing_lie_on_the_expected_range(shown: Seen) -> None:
    drawn = shown.pages["caches/ladder/lab/"].css(".pn-claim svg.pn-c")[0]
    bands = [(float(str(b.attributes["y"])), float(str(b.attributes["height"])))
             for b in drawn.css(".pn-c-expected")]  # fmt: skip
    for text in drawn.css("text"):
        base = float(str(text.attributes["y"]))
        assert not any(top < base - 1 and base - 11 < top + high for top, high in bands), words(
            text
        )


def test_a_time_has_a_human_size() -> None:
    sizes = {1e-9: "1 s", 0.4e-9: "0.4 s", 119e-9: "120 s", 120e-9: "2 min", 1e-6: "17 min",
             1e-5: "2.8 h", 1e-3: "12 days", 1.0: "32 years", 40.0: "1,300 years"}  # fmt: skip
    assert {seconds: at_human_scale(seconds, "en") for seconds in sizes} == sizes
    assert at_human_scale(2.5e-9, "zh") == "2.5 秒"


@pytest.mark.parametrize(
    ("value", "of", "shown_as"),
    [
        (9.41234, "×", "9.412×"),
        (16.0, "×", "16×"),
        (262145.0, "", "262,145"),
        (12.5, "%", "12.50 %"),
        (3.2e-9, "s", "3.200 ns"),
        (0.0, "s", "0 s"),
        (898.048, "GB/s", "898.0 GB/s"),
        (1.5e-7, "×", "1.500 × 10⁻⁷×"),
        (-2.5, "ns", "-2.500 ns"),
        (12345.678, "ns", "12,346 ns"),
        (9999.7, "ns", "10,000 ns"),
        (-9999.7, "ns", "-10,000 ns"),
        (9999.4, "ns", "9999 ns"),
        (99.996, "×", "100.0×"),
        (99.994, "×", "99.99×"),
        (-0.99996, "", "-1.000"),
        (999.97, "ns", "1000 ns"),
        (9.9999e-5, "×", "0.0001000×"),
        (9.9994e-5, "×", "9.999 × 10⁻⁵×"),
        (9.99996e-7, "×", "1.000 × 10⁻⁶×"),
        (9.99996e20, "", "1.000 × 10²¹"),
        (5e-324, "", "4.941 × 10⁻³²⁴"),
    ],
)
def test_amounts(value: float, of: str, shown_as: str) -> None:
    assert amount(value, of).replace("\u00a0", " ") == shown_as


def test_spans_and_sizes() -> None:
    assert span(9.21, 9.614, "×") == "9.21–9.61×"
    assert span(1, 1, "") == "1"
    assert span(7.86e-8, 8.1e-8, "s") == "78.6–81.0\u00a0ns"
    assert span(14.9996, 15.0001, "×") == "15.0×"
    assert span(0, 250_000, "") == "0–250,000"
    assert span(9.214, 9.996, "×") == "9.21–10.00×"
    assert span(0.1234, 0.2, "") == "0.123–0.200"
    assert span(1234.5678, 2000.3, "") == "1235–2000", "as digits writes four digits"
    assert span(1234.5, 9999.7, "") == "1,234–10,000"
    assert exact(0.1) == "0.1"
    assert exact(898.048) == "898.048"
    assert memory(32768) == "32\u00a0KiB"
    assert memory(16_623_747_072) == "15.48\u00a0GiB"
    assert seconds(20, "en") == "20 s"
    assert seconds(300, "zh") == "5 分钟"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("> 4", 4.0, float("inf")),
        ("<= 2", float("-inf"), 2.0),
        ("== 16", 16.0, 16.0),
        ("within 25 % of 8", 6.0, 10.0),
        ("between 3 and 8 and < 5", 3.0, 5.0),
    ],
)
def test_expectations_are_ranges(text: str, low: float, high: float) -> None:
    def lookup(name: str) -> object:
        raise AssertionError(name)

    assert expectation(text).range(unit("×"), lookup) == (low, high)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "chinese"),
    [
        ("<= 8", "<= 8"),
        ("within 0.5 % of a / b", "与 a / b 相差不超过 0.5%"),
        ("between 3 and 8 and > c", "在 3 与 8 之间，且 > c"),
    ],
)
def test_an_expectation_on_a_chinese_page_is_chinese(text: str, chinese: str) -> None:
    assert expectation(text).shown("zh") == chinese
    assert expectation(text).shown("en") == text


@pytest.mark.parametrize(
    "samples", [[1.0], [0.0, 0.0], [-3.0, 5.0], [1e-12, 1e12], [5e-9, 6e-9, 7e-9], [1.0] * 500]
)
def test_a_plot_stays_inside_its_frame(samples: list[float]) -> None:
    s = sorted(samples)
    mid = s[len(s) // 2]
    spread = Spread(mid, s[0], s[-1], s[0], s[-1], len(s))
    drawing = tracks([Track("m", samples, spread, 1.0)], 1.0, "s", (0.5, float("inf")))
    html = svg("p", "a < b", "c", drawing)
    assert judge(f"<div>{html}</div>") == []
    tree = LexborHTMLParser(html)
    limits: Mapping[str, float] = {"x": WIDTH, "x1": WIDTH, "x2": WIDTH}
    for node in tree.css("svg *"):
        for name, most in limits.items():
            if name in node.attributes:
                assert 0 <= float(str(node.attributes[name])) <= most
    dots = str(tree.css(".pn-c-dots")[0].attributes["d"])
    assert dots.count("h0") == min(60, len(samples))
    x = 0
    for step in re.findall(r"[Mm](-?\d+) ", dots):
        x += int(step)
        assert 0 <= x <= WIDTH
    assert 2 <= len(tree.css("text")) <= 12


def test_the_drawing_of_a_card_says_what_its_dots_are(shown: Seen) -> None:
    drawn = {
        words(row.css(".pn-how")[0]): row.css(".pn-dots")[0].attributes["class"]
        for row in shown.pages["caches/ladder/"].css("tr[id^=pn-n]")
        if row.css(".pn-dots")
    }
    assert drawn == {
        "median of 15 measurements": "pn-c pn-dots",
        "smallest of 15 measurements": "pn-c pn-dots pn-dots-made",
        "largest of 15 measurements": "pn-c pn-dots pn-dots-made",
        "median of 15 ratios of two measurements each": "pn-c pn-dots pn-dots-made",
    }
