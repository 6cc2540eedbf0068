"""Colours of drawings: the design's tokens, for light and dark pages, as a style in each SVG file.

A drawing is shown as an image, to which the page's style sheet does not apply. The page's
``color-scheme`` does, so a reader's choice of light or dark reaches it. A code host shows the same
file in its own scheme. A test compares the values with those of the theme's ``site.css``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LEAST_SIZE = 11.0
"""The least font size. On a phone a drawing is shown in its own size and scrolls."""

LIGHT = {
    "paper": "#fdfcf8",
    "soft": "#f6f3ec",
    "ink": "#1d1b18",
    "muted": "#4c4740",
    "faint": "#958d80",
    "line": "#ddd7ca",
    "accent": "#8c1c13",
    "kind-1": "#23407c",
    "kind-2": "#23502f",
    "kind-3": "#6d4300",
    "kind-4": "#5b2a6e",
    "kind-5": "#0f5358",
}
DARK = {
    "paper": "#161512",
    "soft": "#211f1b",
    "ink": "#e9e5db",
    "muted": "#b9b3a6",
    "faint": "#79736a",
    "line": "#3a3630",
    "accent": "#ff9f89",
    "kind-1": "#a9c3f5",
    "kind-2": "#a3d6ae",
    "kind-3": "#e8bd83",
    "kind-4": "#dcb5ec",
    "kind-5": "#8fd3d6",
}
_TINT = {"light": 0.22, "dark": 0.3}  # share of the colour in a tint of the paper


def _tint(colour: str, paper: str, share: float) -> str:
    pairs = ((int(colour[i : i + 2], 16), int(paper[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in pairs)


def _tokens(colours: dict[str, str], share: float) -> dict[str, str]:
    tints = {
        f"tint-{name.removeprefix('kind-')}": _tint(colour, colours["paper"], share)
        for name, colour in colours.items()
        if name == "accent" or name.startswith("kind-")
    }
    return colours | tints


def _rule(tokens: dict[str, str]) -> str:
    return ":root{" + ";".join(f"--{name}:{value}" for name, value in tokens.items()) + "}"


_LIGHT, _DARK = _tokens(LIGHT, _TINT["light"]), _tokens(DARK, _TINT["dark"])
TOKENS = frozenset(_LIGHT)
"""The names of the colours: those of the design, and a tint of the accent and of each kind."""

STYLE = f"<style>{_rule(_LIGHT)}@media (prefers-color-scheme:dark){{{_rule(_DARK)}}}</style>"
"""The element that each drawing holds."""

_PAINT = re.compile(
    r"(?:\b(?P<name>fill|stroke|color|stop-color|flood-color)\s*[:=]\s*(?:[\"']\s*)?)"
    r"(?P<value>[^\s\"';>]+(?:\s[^\"';>]*)?)"
)
_ALLOWED = re.compile(r"var\(--([\w-]+)\)$")
_PLAIN = frozenset("none currentcolor inherit transparent context-stroke context-fill".split())
# A font-size, or one of the parts by which the size in a value of ``font`` is found. An expression
# for a whole value would look at the rest of the file again at each ``font:``.
_SIZE = re.compile(
    r"\bfont-size\s*[:=]\s*(?:[\"']\s*)?(?P<size>[\d.]+)"
    r"|\b(?P<font>font\s*:)|(?P<end>[;\"'}])|(?<![\d.])(?P<pixels>[\d.]+)px"
)
_NUMBER = re.compile(r"\d+\.?\d*|\.\d+")


def figure_problem(text: str) -> tuple[int, str, str] | None:
    """Return offset, message and hint of one thing that is wrong in a drawing, or None.

    A missing style comes first, then colours, then font sizes. A drawing without text and colours
    needs no style.
    """
    drawn = text.replace(STYLE, " " * len(STYLE))
    if STYLE not in text and ("<text" in text or _PAINT.search(text)):
        hint = f"put this after the title: {STYLE}"
        return 0, "the drawing does not hold the design's colours", hint
    for paint in _PAINT.finditer(drawn):
        value = paint["value"].strip().lower()
        token = _ALLOWED.match(value)
        if value in _PLAIN or value.startswith("url(#") or (token and token[1] in TOKENS):
            continue
        hint = f"write var(--ink) or another of {', '.join(sorted(TOKENS))}"
        return paint.start("value"), f"{value!r} is no colour of the design", hint
    for start, size in _sizes(drawn):
        if not _NUMBER.fullmatch(size):
            return start, f"{size[:20]!r} is no font size", "write a number, such as 14 or 14.5"
        if float(size) < LEAST_SIZE:
            hint = "write a larger font-size: on a phone a drawing is not enlarged"
            return start, f"text smaller than {LEAST_SIZE:g} pixels", hint
    return None


def _sizes(text: str) -> Iterator[tuple[int, str]]:
    """Yield each font size with the place of its property: the first of a value of ``font``."""
    font = -1  # where the property began whose size comes next
    for found in _SIZE.finditer(text):
        if found["size"]:
            yield found.start(), found["size"]
        elif found["font"]:
            font = found.start()
        elif found["end"]:
            font = -1
        elif font >= 0:
            yield font, found["pixels"]
            font = -1
