"""The timeline of all papers: a bar for each year, with a link to that year's rows in the table.

Early years have few papers, so they are grouped by decades. As many late years as there is room for
have their own bars. Papers without a year have a bar of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from perfnotes.model.reference import Reference
from perfnotes.site.page import block
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, string

WORDS = {
    "timeline": ("Papers by year", "按年份的文献"),
    "timeline_bar": (
        "{when}: {n}, of which {cited} cited",
        "{when}：{n} 篇，其中 {cited} 篇被引用",
    ),
    "timeline_caption": (
        "Filled: cited in a text, a fact or a table. A bar leads to the papers of its years.",
        "实心：有正文、常数或表格引用。点击条形可查看该年份的文献。",
    ),
    "timeline_undated": ("n.d.", "无年份"),
}
add_words(WORDS)

_MOST_BARS = 24
# Pixels of a page whose text has 16: a bar's room and height, the space above and below the bars.
_BAR, _HEIGHT, _TOP, _FOOT = 26, 120, 18, 22
_OVERHANG = 8  # room for the words below the last bar: in Chinese they are wider than the bar
UNDATED = (0, 0)


class Bar(Struct, frozen=True):
    """The papers of the years ``first`` to ``last``. Both are 0 for papers without a year."""

    first: int
    last: int
    papers: tuple[Reference, ...]

    @property
    def name(self) -> str:
        if not self.first:
            return ""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"

    @property
    def anchor(self) -> str:
        """The id of the bar's first row in the table."""
        return f"y{self.last}" if self.last else "undated"


def bars(references: Sequence[Reference]) -> list[Bar]:
    """Return the bars, the oldest first and the undated papers last.

    A year or decade without papers has an empty bar; there is no bar for undated papers if there
    are none.
    """
    years = {r.key: year_of(r) for r in references}
    dated = sorted({y for y in years.values() if y})
    spans: list[tuple[int, int]] = []
    if dated:
        first, last = dated[0], dated[-1]
        decades = range(first // 10 * 10, last + 1, 10)
        # From this decade on every year has a bar of its own: the earliest with few enough bars.
        split = next(
            (d for i, d in enumerate(decades) if i + last - d + 1 <= _MOST_BARS), decades[-1]
        )
        spans = [(d, d + 9) for d in decades if d < split]
        spans += [(y, y) for y in range(max(split, first), last + 1)]
    out = []
    for a, b in [*spans, UNDATED]:
        found = tuple(r for r in references if a <= years[r.key] <= b)
        if found or a:
            out.append(Bar(a, b, found))
    return out


def year_of(reference: Reference) -> int:
    """Return the year as a number, or 0 if the reference has no year of four digits."""
    year = reference.year.strip()
    return int(year) if year.isascii() and year.isdecimal() and len(year) == 4 else 0


def timeline(references: Sequence[Reference], uses: dict[str, int], lang: str) -> str:
    """Return the timeline as a figure; empty if it would have fewer than three bars.

    ``uses`` maps the key of each reference to the number of its uses (``times_used``).
    """
    found = bars(references)
    if len(found) < 3:
        return ""
    highest = max(len(bar.papers) for bar in found)
    width = _BAR * len(found) + _OVERHANG
    height = _TOP + _HEIGHT + _FOOT
    parts = [_bar(bar, i, highest, uses, lang) for i, bar in enumerate(found)]
    name = string("timeline", lang)
    return block(
        f'<figure class="pn-timeline"><div class="pn-scroll" role="region" tabindex="0" '
        f'aria-label="{name}"><svg class="pn-timeline-picture" width="{width / 16:.3f}em" '
        f'height="{height / 16:.3f}em" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="{name}">{"".join(parts)}'
        f'<line x1="0" y1="{_TOP + _HEIGHT}.5" x2="{width}" y2="{_TOP + _HEIGHT}.5"/></svg></div>'
        f"<figcaption>{string('timeline_caption', lang)}</figcaption></figure>"
    )


def _bar(bar: Bar, i: int, highest: int, uses: dict[str, int], lang: str) -> str:
    x, base = i * _BAR, _TOP + _HEIGHT
    cited = sum(1 for r in bar.papers if uses[r.key])
    all_high = _HEIGHT * len(bar.papers) / highest
    cited_high = _HEIGHT * cited / highest
    when = bar.name or string("timeline_undated", lang)
    label = string("timeline_bar", lang, when=when, n=len(bar.papers), cited=cited)
    tick = _tick(bar, lang)
    mark = (
        f'<text class="pn-timeline-year" x="{x + _BAR / 2:.0f}" y="{base + 15}" '
        f'text-anchor="middle">{escape(tick)}</text>'
        if tick
        else ""
    )
    if not bar.papers:
        return mark
    return (
        f'<a href="#{bar.anchor}" aria-label="{escape(label)}" class="pn-timeline-bar">'
        f'<rect class="pn-timeline-room" x="{x}" y="0" width="{_BAR}" height="{base}"/>'
        f'<rect class="pn-timeline-all" x="{x + 3}" y="{base - all_high:.1f}" '
        f'width="{_BAR - 6}" height="{all_high:.1f}"/>'
        f'<rect class="pn-timeline-cited" x="{x + 3}" y="{base - cited_high:.1f}" '
        f'width="{_BAR - 6}" height="{cited_high:.1f}"/>'
        f'<text x="{x + _BAR / 2:.0f}" y="{base - all_high - 4:.1f}" text-anchor="middle">'
        f"{len(bar.papers)}</text></a>{mark}"
    )


def _tick(bar: Bar, lang: str) -> str:
    """Return the label below a bar: each decade has one, of single years every fifth."""
    if not bar.first:
        return string("timeline_undated", lang)
    if bar.first != bar.last:
        return f"{bar.first % 100:02d}s"  # "年代" is too wide in Chinese
    return str(bar.first) if bar.first % 5 == 0 else ""
