"""Samples of the colours and sizes of text, for the page about the site's design.

The values are read from the theme's style sheet, so the page always shows those in use.
"""

from __future__ import annotations

import re
from functools import cache

from perfnotes.site.page import block
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, string
from perfnotes.site.theme_files import THEME

WORDS = {
    "type_sample": ("What a write must do", "一次写入要做什么"),
}
add_words(WORDS)

STYLES = THEME / "styles/site.css"
_SCHEMES = {
    "light": ':root,\n[data-md-color-scheme="default"] {',
    "dark": '[data-md-color-scheme="slate"] {',
}
_COLOUR = re.compile(r"--pn-([a-z0-9-]+): (#[0-9a-f]{6});")

# Colours of text, and colours of the background.
TEXTS = ("ink", "muted", "accent", "good", "warn", "code-keyword", "code-string", "code-name",
         "code-comment", "kind-1", "kind-2", "kind-3", "kind-4", "kind-5")  # fmt: skip
GROUNDS = ("paper", "soft")
_STEPS = ("4", "3", "2", "1", "0", "-1", "-2")


@cache
def colours() -> dict[str, dict[str, str]]:
    """Return the colours of the style sheet as scheme → name → colour (``#rrggbb``)."""
    css = STYLES.read_text("utf-8")
    found = {}
    for scheme, opening in _SCHEMES.items():
        at = css.index(opening)
        found[scheme] = dict(_COLOUR.findall(css[at : css.index("}", at)]))
    return found


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (``#rrggbb``), 1 to 21, as WCAG 2 defines it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0 to 1, as WCAG 2 defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(c * by for c, by in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def colour_table(lang: str) -> str:
    """Return a table of the colours, with the contrast of text colours on each background."""
    heads = "".join(
        f'<th scope="col">{string(key, lang)}</th>'
        for key in ("swatch", "colour", "scheme_light", "scheme_dark")
    )
    rows = "".join(_colour_row(name) for name in (*GROUNDS, *TEXTS))
    return block(
        f'<div class="pn-scroll"><table class="pn-table pn-colours"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _colour_row(name: str) -> str:
    cells = []
    for scheme in _SCHEMES:
        values = colours()[scheme]
        cell = f"<code>{values[name]}</code>"
        if name in TEXTS:
            ratios = (contrast(values[name], values[ground]) for ground in GROUNDS)
            cell += " " + ", ".join(f"{ratio:.1f}:1" for ratio in ratios)
        cells.append(f"<td>{cell}</td>")
    kind = "pn-swatch-text" if name in TEXTS else "pn-swatch"
    letters = 'Aa <span lang="zh">永</span>' if name in TEXTS else ""
    return (
        f'<tr><td><span class="{kind} pn-swatch-{name}">{letters}</span></td>'
        f'<th scope="row"><code>--pn-{name}</code></th>{"".join(cells)}</tr>'
    )


def type_scale(lang: str) -> str:
    """Return a line of text in each size."""
    words = escape(string("type_sample", lang))
    lines = (
        f'<p class="pn-step pn-step-{step}"><code>--pn-step-{step}</code> {words}</p>'
        for step in _STEPS
    )
    return block(f'<div class="pn-steps">{"".join(lines)}</div>')
