"""Drawings: the design's colours for light and dark pages, and words of a size that can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from perfnotes.site.render.pictures import PictureSizes
from perfnotes.text.figure import DARK, LIGHT, STYLE, TOKENS, figure_problem
from perfnotes.text.svg import svg_problem
from tests.example_notes import read_site, write_notes
from tests.project import ROOT

_CSS = ROOT / "tools/perfnotes/site/theme/styles/site.css"
_ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'


@pytest.mark.parametrize(("scheme", "colours"), [("default", LIGHT), ("slate", DARK)])
def test_drawings_have_the_colours_of_the_design(scheme: str, colours: dict[str, str]) -> None:
    block = re.search(
        rf'\[data-md-color-scheme="{scheme}"\] \{{\n(.*?)\n\}}', _CSS.read_text(), re.DOTALL
    )
    assert block
    design = dict(re.findall(r"--pn-([\w-]+): (#\w+)", block[1]))
    assert colours == {name: design[name] for name in colours}


def test_the_style_is_allowed_in_a_drawing() -> None:
    assert svg_problem(f"{_ROOT}{STYLE}</svg>".encode()) is None
    assert {"ink", "paper", "tint-1", "tint-accent"} <= TOKENS


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ('<rect fill="var(--soft)" stroke="var(--kind-2)"/><path fill="none"/>', ""),
        ('<path fill="url(#stripes)" stroke="currentColor"/><text font-size="11">a</text>', ""),
        ('<rect fill="#fff"/>', "'#fff' is no colour of the design"),
        ('<rect fill="white"/>', "'white'"),
        ('<rect style="stroke: rgb(0, 0, 0)"/>', "'rgb(0, 0, 0)'"),
        ('<rect fill="var(--nothing)"/>', "'var(--nothing)'"),
        ('<text font-size="10.5">a</text>', "smaller than 11"),
        ('<text style="font: bold 9px serif">a</text>', "smaller than 11"),
        ('<text style="font: bold 14px/9px serif">a</text><text font-size="a">9px</text>', ""),
        ('<text font-size="14.5.1">a</text>', "'14.5.1' is no font size"),
        ('<text style="font:...px a">a</text>', "'...' is no font size"),
    ],
)
def test_other_colours_and_small_words_are_found(drawn: str, said: str) -> None:
    problem = figure_problem(f"{_ROOT}{STYLE}{drawn}</svg>")
    assert (said in problem[1]) if problem else not said
    assert bool(problem) == bool(said)


@pytest.mark.parametrize("piece", ["font:", "font:1", "font-size:" + " " * 9, "fill: ", " ", "1"])
def test_no_drawing_takes_quadratic_time(piece: str) -> None:
    for start in ("font:", "font-size:", "fill:"):  # seconds at most, otherwise many minutes
        figure_problem(f"{_ROOT}{STYLE}{start}{piece * (200_000 // len(piece))}")


def test_a_drawing_without_the_style_is_found_unless_it_is_bare() -> None:
    assert figure_problem(f'{_ROOT}<rect width="9"/></svg>') is None
    problem = figure_problem(f"{_ROOT}<text>a</text></svg>")
    assert problem
    assert "does not hold" in problem[1]


@pytest.mark.parametrize(
    ("box", "size"),
    [
        ("0 0 40.5 30", "{ width=40 height=30 loading=lazy }"),
        ("-1,-1,20,10", "{ width=20 height=10 loading=lazy }"),
        ("0 0 1.2.3 4", ""),
        ("0 0 . 4", ""),
        (f"0 0 {'9' * 400} 4", ""),
    ],
)
def test_a_size_that_is_no_number_is_unknown(box: str, size: str, tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path, {"caches/a.svg": f'<svg viewBox="{box}"/>'}))
    assert PictureSizes(site.library).attributes("notes/caches/a.svg") == size
