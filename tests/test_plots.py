"""Plots of what was measured: their data, drawings and words, and what can be wrong with them."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.checks import examine
from perfnotes.graph.plots import MOST_PLOTS
from perfnotes.graph.site import Site
from perfnotes.plots.axis import Axis, axis_of, parameter_axis
from perfnotes.plots.data import PlotData
from perfnotes.plots.kinds import kinds
from perfnotes.plots.problems import checked_plot_data
from perfnotes.plots.shapes import EM, WIDTH, Area, path_beside
from perfnotes.site.safety import judge
from perfnotes.source.read.labs import make_lab
from perfnotes.text.source import Source
from perfnotes.text.wrap import width
from tests.engine_of import engine_of
from tests.example_evidence import FOLDER, sources
from tests.example_notes import made_pages, read_site, write_notes
from tests.plot_notes import PLOTS, PLOTTED, notes

_NOTE = "caches/ladder/"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return read_site(write_notes(tmp_path_factory.mktemp("plots"), notes()))


def _html(site: Site, url: str = _NOTE) -> LexborHTMLParser:
    page = next(page for page in made_pages(site) if page.url == url)
    html = engine_of().convert(page.body).content
    assert judge(html) == []
    return LexborHTMLParser(html)


def _data(site: Site, plot: str) -> PlotData:
    lab = site.library.labs["caches/ladder"]
    return checked_plot_data(lab.plots[plot], lab, site.library)


def _words(node: LexborNode | None) -> str:
    assert node is not None
    return " ".join(node.text(separator=" ").replace("\u00a0", " ").split())


def test_the_example_has_no_finding_and_a_plot_of_every_kind(site: Site) -> None:
    assert [f for f in examine(site) if f.code in ("PN901", "PN909")] == []
    shown = {plot.kind for plot in site.library.labs["caches/ladder"].plots.values()}
    assert shown == set(kinds()) == {"bars", "line", "samples", "steps"}


def test_a_plot_has_a_panel_for_each_machine_with_every_sample(site: Site) -> None:
    data = _data(site, "levels")
    assert [panel.machine.id for panel in data.panels] == ["one-cpu", "two-cpu"]
    near, far = data.panels[0].measures
    assert near.spread.median == pytest.approx(1.0)  # ns, the unit of the first value
    assert far.spread.median == pytest.approx(80.0)
    assert far.own_factor == pytest.approx(1e-9)  # it is written in seconds, its own unit
    drawn = kinds()["samples"].draw(data, data.panels[0], "en").shapes
    assert drawn.count("h0") == 30
    assert drawn.count("pn-c-median") == 2


def test_points_lie_where_their_numbers_are(site: Site) -> None:
    data = _data(site, "by-size")
    shapes = kinds()["line"].draw(data, data.panels[0], "en").shapes
    line = next(p for p in re.findall(r'class="pn-c-line pn-c-1" d="M([^"]*)"', shapes))
    (x1, y1), (x2, y2), (x3, y3) = ([float(n) for n in p.split()] for p in line.split("L"))
    assert x1 < x2 < x3
    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.2)  # 16, 256 and 4096 KiB on a log axis
    assert y1 > y2 > y3
    assert "L1d 32" in shapes
    assert "L2 1" in shapes
    other = kinds()["line"].draw(data, data.panels[1], "en").shapes
    assert "pn-c-mark" not in other  # nobody recorded the caches of the second machine


def test_steps_are_joined_and_show_their_limit(site: Site) -> None:
    data = _data(site, "change")
    shapes = kinds()["steps"].draw(data, data.panels[0], "en").shapes
    assert shapes.count("pn-c-join") == 1
    # The line of the limit is left out where a row has its words.
    assert shapes.count('class="pn-c-limit"') == sum(len(g.measures) for g in data.panels[0].groups)
    assert "the least" in shapes


@pytest.mark.parametrize("plot", ["levels", "change", "loads"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_line_crosses_the_words_of_a_row(site: Site, plot: str, lang: str) -> None:
    data = _data(site, plot)
    for panel in data.panels:
        drawing = LexborHTMLParser(kinds()[data.plot.kind].draw(data, panel, lang).shapes)
        words = []
        for node in drawing.css("text.pn-c-label, text.pn-c-value"):
            x, y = float(node.attributes["x"] or 0), float(node.attributes["y"] or 0)
            wide = width(node.text()) * EM
            left = x - wide if node.attributes.get("text-anchor") == "end" else x
            words.append((left, y - 0.7 * EM, left + wide, y))
        steps = " ".join(
            node.attributes["d"] or "" for node in drawing.css(".pn-c-grid, .pn-c-join")
        )
        assert ("M" in steps) == (plot != "loads")
        for x1, y1, x2, y2 in _pieces(steps):
            for i in range(101):
                x, y = x1 + i / 100 * (x2 - x1), y1 + i / 100 * (y2 - y1)
                assert not any(a < x < c and b < y < d for a, b, c, d in words), (x, y)


def _pieces(steps: str) -> list[tuple[float, float, float, float]]:
    """Return the straight lines of paths that move, go to a point or go down."""
    pieces = []
    x = y = 0.0
    for step, numbers in re.findall(r"([MLV])([-\d. ]+)", steps):
        given = [float(n) for n in numbers.split()]
        to = (x, given[0]) if step == "V" else (given[0], given[1])
        if step != "M":
            pieces.append((x, y, *to))
        x, y = to
    return pieces


def test_a_line_has_gaps_beside_areas() -> None:
    areas = [Area(4, -1, 6, 1), Area(5, -1, 7, 1), Area(0, 5, 10, 6)]
    assert _pieces(path_beside(areas, [(0, 0), (10, 0), (10, 4)], "x")) == [
        (0, 0, 4, 0), (7, 0, 10, 0), (10, 0, 10, 4),
    ]  # fmt: skip
    assert path_beside(areas, [(0, 0), (10, 0), (10, 4)], "x").count("M") == 2
    assert _pieces(path_beside(areas, [(5, 0), (6, 0)], "x")) == []


def test_bars_begin_at_zero(site: Site) -> None:
    data = _data(site, "loads")
    shapes = kinds()["bars"].draw(data, data.panels[0], "zh").shapes
    bar = re.search(r'class="pn-c-bar" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', shapes)
    assert bar
    axis = axis_of(data.numbers, float(bar[1]), WIDTH - 12, zero=True)
    assert axis.at(4096) - float(bar[1]) == pytest.approx(float(bar[2]), abs=0.1)
    assert "数到的读" in shapes  # the value's own words, since the plot gives it none


def test_words_have_room_in_both_languages(site: Site) -> None:
    """No words reach beyond the drawing, even as wide as a phone shows them."""
    for id, plot in site.library.labs["caches/ladder"].plots.items():
        data = _data(site, id)
        for panel in data.panels:
            for lang in ("en", "zh"):
                svg = kinds()[plot.kind].draw(data, panel, lang).shapes
                for text in LexborHTMLParser(svg).css("text"):
                    x, wide = float(text.attributes["x"] or 0), width(text.text()) * EM
                    anchor = text.attributes.get("text-anchor")
                    left = x - wide * {"middle": 0.5, "end": 1.0}.get(anchor or "", 0.0)
                    assert left > -1, (id, text.text())
                    assert left + wide < WIDTH + 1, (id, text.text())


def test_the_page_names_each_drawing_and_escapes_strangers_words(site: Site) -> None:
    page = _html(site)
    drawings = page.css("figure.pn-chart svg")
    assert len(drawings) == 8  # four plots on two machines
    ids = [node.attributes["id"] for node in page.css("figure.pn-chart [id]")]
    assert len(ids) == len(set(ids)) == 16
    for drawing in drawings:
        assert drawing.attributes["role"] == "img"
        _, _, wide, high = (drawing.attributes["viewBox"] or "").split()
        assert (drawing.attributes["width"], drawing.attributes["height"]) == (wide, high)
        named = [page.css_first(f"[id='{id}']") for id in _labels(drawing)]
        assert all(node is not None and node.text() for node in named)
    levels = page.css("figure.pn-chart")[1].css("svg")[0]
    assert _words(levels.css_first("title")) == "Time per load (ns), one-cpu"
    described = _words(levels.css_first("desc"))
    assert described.startswith("from the first cache 1 ns (quartiles ")
    assert "from <memory> 80 ns" in described
    assert "from <memory>" in _words(levels)
    assert "random & far: 16 KiB 1 ns" in _words(page.css_first("figure.pn-chart desc"))


def _labels(drawing: LexborNode) -> list[str]:
    return (drawing.attributes["aria-labelledby"] or "").split()


def test_the_numbers_stand_behind_the_plot_with_links_to_the_lab(site: Site) -> None:
    table = _html(site).css("details.pn-chart-numbers")[1]
    assert [_words(cell) for cell in table.css("th[scope=col]")] == ["one-cpu", "two-cpu"]
    rows = [_words(row) for row in table.css("tbody tr")]
    assert rows[0].startswith("from the first cache 1 ns (quartiles")
    assert "80 ns" in rows[1]
    assert "15 ns" in rows[1]
    hrefs = {a.attributes["href"] for a in table.css("a")}
    assert hrefs == {"lab/#near", "lab/#far-time"}


def test_the_caption_is_the_links_words_in_each_language(site: Site) -> None:
    for url, caption, title in (
        (_NOTE, "Caption of levels", "Time per load (ns), one-cpu"),
        ("zh/caches/ladder/", "图 levels", "每次读的时间（ns），one-cpu"),
    ):
        page = _html(site, url)
        assert page.css("figure.pn-chart + p")[1].text() == caption
        assert _words(page.css("figure.pn-chart")[1].css_first("title")) == title


def test_the_labs_page_shows_all_plots(site: Site) -> None:
    for url, heading in (("caches/ladder/lab/", "Plots"), ("zh/caches/ladder/lab/", "图")):
        page = _html(site, url)
        assert _words(page.css_first("h2#lab--plots")) == heading
        assert len(page.css("figure.pn-chart:not(.pn-claim *)")) == 4
        ids = [node.attributes["id"] for node in page.css("[id]")]
        assert len(ids) == len(set(ids))


def test_the_markdown_copy_has_caption_and_table(site: Site) -> None:
    page = next(page for page in made_pages(site) if page.url == _NOTE)
    copy = page.markdown.replace("\u00a0", " ")
    assert (
        "Caption of *levels*\n\n| Time per load (ns) | one-cpu | two-cpu |\n|---|---|---|" in copy
    )
    assert "| from \\<memory\\> | 80 ns (quartiles" in copy
    assert "plot:" not in copy


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("kind: samples", "kind: sample", "did you mean samples?"),
        ("values: [size]", "values: [sizes]", "did you mean size?"),
        ("other: {en: then", "far: {en: then", "far is in ×, the plot's first value in s"),
        ("{near: {en: the least", "{gpu/none#near: {en: the least", "no lab belongs to a note"),
        ("unit: KiB}", "unit: s}", "sizes of caches can be marked only"),
        ("unit: KiB}", "unit: KB}", "KB"),
        ("    x: {what: {en: buffer, zh: 缓冲区}, unit: KiB}\n", "", "needs x, the parameter"),
        ("values: {again: 16}", "values: {again: {en: a}}", "needs a number for again"),
        ("values: [size]", "values: {size: 3}", "needs words for size"),
        ("values: [size]", "values: [size]\n    marks: caches", "has no x axis"),
        ("values: [size]", "value: [size]", "values"),
        ("values: [size]", "values: []", "loads"),
        ("kind: bars", "kind: bars\n    colour: red", "colour"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    right: str, wrong: str, said: str, tmp_path: Path
) -> None:
    assert right in PLOTTED
    lab = PLOTTED.replace(right, wrong)
    files = {**notes(), "caches/ladder/lab/lab.yml": lab}
    findings = examine(read_site(write_notes(tmp_path, files)))
    # The sample keeps words in English alone, to show what stands there in Chinese: PN705.
    first = next(f for f in findings if f.path.endswith("lab.yml") and f.code != "PN705")
    assert first.code in ("PN901", "PN909")
    assert said in f"{first.message} {first.hint}"
    assert first.line > PLOTTED[: PLOTTED.index("plots:")].count("\n") + 1
    assert first.column > 1


@pytest.mark.parametrize(
    ("shown", "said", "place"),
    [
        ("[a](plot:levls)", "did you mean levels?", (1, 5)),
        ("[a](plot:caches/none#levels)", "no note 'caches/none' has a lab", (1, 5)),
        ("[a](plot:Not_a_name)", "is no address of a plot", (1, 5)),
        ("See [a](plot:levels).", "alone in its paragraph", (1, 9)),
        ("- [a](plot:levels)", "alone in its paragraph", (1, 7)),
        ("![a](plot:levels)", "alone in its paragraph", (1, 6)),
        ("[a][p]\n\n[p]: plot:levels", "alone in its paragraph", None),
    ],
)
def test_a_link_to_a_plot_is_checked(
    shown: str, said: str, place: tuple[int, int] | None, tmp_path: Path
) -> None:
    files = notes(shown=f"\n{shown}\n")
    site = read_site(write_notes(tmp_path, files))
    findings = [
        f for f in examine(site) if f.code == "PN909" and f.path.endswith("ladder/index.md")
    ]
    assert len(findings) == 1
    assert said in f"{findings[0].message} {findings[0].hint}"
    text = str((tmp_path / "notes/caches/ladder/index.md").read_text())
    if place:
        line = text[: text.index(shown)].count("\n") + place[0]
        assert (findings[0].line, findings[0].column) == (line, place[1])
    page = _html(site)
    assert not page.css("figure.pn-chart")
    assert "plot:" not in page.html  # type: ignore[operator]


def test_a_plot_of_another_note_and_two_of_the_same(tmp_path: Path) -> None:
    words = "\n[One](plot:caches/ladder#loads)\n\n[Two](plot:ladder#loads)\n"
    files = {**notes(), "caches/rows.md": f"Rows.\n{words}"}
    site = read_site(write_notes(tmp_path, files))
    page = _html(site, "caches/rows/")
    assert len(page.css("figure.pn-chart")) == 2
    ids = [node.attributes["id"] for node in page.css("figure.pn-chart [id]")]
    assert len(set(ids)) == len(ids)
    assert page.css(".pn-chart-numbers a")[0].attributes["href"] == "../ladder/lab/#size"


def test_one_text_shows_a_bounded_number_of_plots(tmp_path: Path) -> None:
    files = notes(shown="\n[One](plot:loads)\n" * (MOST_PLOTS + 3))
    site = read_site(write_notes(tmp_path, files))
    assert len(_html(site).css("figure.pn-chart")) == MOST_PLOTS
    found = [f for f in examine(site) if f.code == "PN909"]
    assert len([f for f in found if f.path.endswith("ladder/index.md")]) == 3


def test_without_a_result_of_the_reference_machine_there_is_no_plot(tmp_path: Path) -> None:
    files = {k: v for k, v in notes().items() if not k.endswith("one-cpu.json")}
    site = read_site(write_notes(tmp_path, files))
    said = {f.message for f in examine(site) if f.code == "PN909"}
    assert "loads: the lab has no result of its reference machine" in said
    assert not _html(site).css("figure.pn-chart")


def test_a_machine_that_lacks_a_value_leaves_it_out(site: Site) -> None:
    lab = site.library.labs["caches/ladder"]
    results = dict(site.library.results["caches/ladder"])
    two = results["two-cpu"]
    run = two.runs["time"]
    fewer = {k: v for k, v in run.quantities.items() if k != "far"}
    results["two-cpu"] = dataclasses.replace(two, runs={"time": replace(run, quantities=fewer)})
    library = dataclasses.replace(
        site.library, results={**site.library.results, "caches/ladder": results}
    )
    data = checked_plot_data(lab.plots["levels"], lab, library)
    assert [len(list(panel.measures)) for panel in data.panels] == [2, 1]


def test_a_plot_stays_small_however_many_samples_there_are(site: Site) -> None:
    data = _data(site, "levels")
    near, *rest = data.panels[0].measures
    many = replace(near, samples=tuple(1 + i / 1e6 for i in range(100_000)))
    group = replace(data.panels[0].groups[0], measures=(many, *rest))
    panel = replace(data.panels[0], groups=(group,))
    assert len(kinds()["samples"].draw(data, panel, "en").shapes) < 20_000


def test_the_points_of_a_plot_called_series_have_their_places() -> None:
    text = PLOTTED.replace("  levels:\n", "  series:\n")
    lab, findings = make_lab(Source("lab.yml", text), FOLDER, sources())
    assert lab, findings
    near, far = lab.plots["series"].series[0].points
    assert text[near.place :].startswith("near: {en: from the first")
    assert text[far.place :].startswith('far-time: {en: "from')


def test_labs_may_be_recorded_without_regard_to_their_plots(site: Site) -> None:
    lab = site.library.labs["caches/ladder"]
    other, findings = make_lab(Source("lab.yml", PLOTTED.replace(PLOTS, "")), FOLDER, sources())
    assert other, findings
    assert not other.plots
    assert other.digest == lab.digest


@pytest.mark.parametrize(
    ("axis", "labels"),
    [
        (Axis(0, 40, False, 0, 100), ["0", "10", "20", "30", "40"]),
        (Axis(0.8, 130, True, 0, 100), ["1", "10", "100"]),
        (Axis(2, 40, True, 0, 100), ["3", "10", "30"]),
        (Axis(0, 2.2e-8, False, 0, 100, 1e9), ["0", "10", "20"]),
        (parameter_axis([16384, 2**28], 0, 100, binary=True),
         ["64 KiB", "1 MiB", "16 MiB", "256 MiB"]),
        (parameter_axis([4096, 65536], 0, 100, binary=True),
         ["0 B", "16 KiB", "32 KiB", "48 KiB", "64 KiB"]),
        (parameter_axis([1, 16], 0, 100, binary=False), ["0", "5", "10", "15"]),
    ],
)  # fmt: skip
def test_ticks_are_round_numbers(axis: Axis, labels: list[str]) -> None:
    assert [label.replace("\u00a0", " ") for _, label in axis.ticks()] == labels


@pytest.mark.parametrize("numbers", [[0.0], [5.0, 5.0], [-3.0, 4.0], [1e-300, 1e299], [0.0, 1e299]])
def test_any_numbers_have_an_axis(numbers: list[float]) -> None:
    axis = axis_of(numbers, 0, 100)
    assert all(0 <= axis.at(number) <= 100 for number in numbers)
    assert len(axis.ticks()) < 12


@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize(
    "places",
    [[0.0], [1e299], [-5.0, 5.0], [1.0, 1.0 + 1e-12], [1e-300, 1e299], [1.0, 3.0, 2.0**40]],
)
def test_any_places_have_an_axis(places: list[float], binary: bool) -> None:
    axis = parameter_axis(places, 0, 100, binary=binary)
    assert all(0 <= axis.at(place) <= 100 for place in places)
    assert len(axis.ticks()) < 12
