"""What the references of an SVG file draw again is counted and limited."""

from __future__ import annotations

import pytest

from perfnotes.text.svg import svg_problem
from perfnotes.text.svgcopies import MOST_COPIES

_LEVELS = 6


def problem(inside: str) -> tuple[int, str] | None:
    return svg_problem(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">\n{inside}\n</svg>'.encode()
    )


def nested(group: str, reference: str) -> str:
    """Return levels of elements, each with ten references to the level below it."""
    levels = [f'<{group} id="a0"><rect/></{group}>']
    for i in range(_LEVELS):
        ten = reference.format(i) * 10
        levels.append(f'<{group} id="a{i + 1}">{ten}</{group}>')
    return f"<defs>{''.join(levels)}</defs>\n{reference.format(_LEVELS)}"


BOMBS = {
    "use": nested("g", '<use href="#a{}"/>'),
    "use by an encoded address": nested("g", '<use href="&#10;#%61{} "/>'),
    "symbol": nested("symbol", '<use href="#a{}"/>'),
    "pattern": nested("pattern", '<rect fill="url(#a{})"/>'),
    "mask": nested("mask", """<rect style="stroke:red;mask:url( '#a{}' )"/>"""),
    "inherited": nested("pattern", '<g stroke="url(#a{})"><rect/></g>'),
    "around": "".join(
        f'<g fill="url(#a{i - 1})"><pattern id="a{i}">{"<rect/>" * 20}</pattern></g>'
        for i in range(5)
    ) + '\n<rect fill="url(#a4)"/>',
    "style sheet": "<style>"
    + "".join(f"g > .c{i}, b{{fill:url(#a{i})/**/}}" for i in range(_LEVELS + 1))
    + "</style>" + nested("pattern", '<rect class="b c{}"/>'),
    "corners": '<marker id="a"><rect/></marker>\n<path marker-mid="url(#a)" d="M0 0'
    + "h1" * MOST_COPIES + '"/>',
}  # fmt: skip


@pytest.mark.parametrize("inside", BOMBS.values(), ids=BOMBS.keys())
def test_a_small_file_that_draws_much_is_refused_at_its_place(inside: str) -> None:
    found = problem(inside)
    assert found is not None
    assert "copies of elements; 20,000 are allowed" in found[1]
    assert found[0] == 3


@pytest.mark.parametrize(
    "inside",
    [
        '<g id="a"><use href="#a"/></g>',
        '<pattern id="a"><rect fill="url(#b)"/></pattern><mask id="b"><g fill="url(#a)"/></mask>'
        '<rect fill="url(#a)"/>',
        "<style>rect:hover{fill:url(#a)}</style><pattern id='a'><rect/></pattern><rect/>",
    ],
)
def test_a_reference_to_what_is_around_it_is_refused(inside: str) -> None:
    found = problem(inside)
    assert found is not None
    assert "leads back" in found[1]


def test_a_variable_holds_no_reference() -> None:
    found = problem("<style>:root{--a:url(#a)}</style>")
    assert found is not None
    assert "variable" in found[1]


# As people and plotting programs draw.
DRAWINGS = {
    "points": '<defs><path id="m"/><clipPath id="c"><rect/></clipPath></defs>'
    '<g clip-path="url(#c)">' + '<use href="#m" style="fill:#fff"/>' * 5_000 + "</g>",
    "many elements": "<rect/>" * (MOST_COPIES + 1),
    "bars": "<style>.bar{fill:url(#h)}</style><pattern id='h'><path/><path/></pattern>"
    + "<rect class='bar'/>" * 500,
    "arrow": '<marker id="a"><path/></marker><path marker-end="url(#a)" d="M0 0'
    + "h1" * MOST_COPIES + '"/>',
    "gradient": '<g fill="url(#a)"><linearGradient id="a"/>' + "<rect/>" * 1_000 + "</g>",
    "one id twice": '<g id="a"/><g id="a"><use href="#a"/></g>',
    "nothing there": '<use href="#b"/><rect fill="url(#c)"/>',
}  # fmt: skip


@pytest.mark.parametrize("inside", DRAWINGS.values(), ids=DRAWINGS.keys())
def test_usual_drawings_are_allowed(inside: str) -> None:
    assert problem(inside) is None
