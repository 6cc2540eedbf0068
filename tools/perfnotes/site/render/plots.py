"""Renders plots: the drawings, what they show in words, and the numbers behind them.

A plot is inline SVG, made during the build from recorded results. It has no colours and no styles
of its own; ``plot.css`` gives its classes the colours of the design, in light, dark and print.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from perfnotes.graph.address import Addresses, to_place
from perfnotes.graph.evidence import Evidence
from perfnotes.graph.links import Links
from perfnotes.graph.plots import placed_plots
from perfnotes.model.lab import Lab
from perfnotes.model.plot import Plot
from perfnotes.model.quantity.amount import amount, digits, memory, span, with_unit
from perfnotes.plots.data import Measure, Panel, PlotData
from perfnotes.plots.kinds import kinds
from perfnotes.plots.problems import checked_plot_data
from perfnotes.plots.shapes import EM, LINE_HEIGHT, WIDTH, Drawing, number, text, wrapped
from perfnotes.site.render.edits import Edits, without_link
from perfnotes.site.render.markup import attribute_url, escape, escape_markdown
from perfnotes.site.strings import add_words, string
from perfnotes.source.read.memo import Memo
from perfnotes.text.joining import Joins, joins

WORDS = {
    "plot_limit": ("Limit", "上限"),
    "plot_marks": ("Marked: {marks}", "标出：{marks}"),
    "plot_numbers": ("The numbers of this plot", "图中的数据"),
}
add_words(WORDS)

_MOST_WITH_QUARTILES = 8


def set_plots(
    links: Links,
    evidence: Evidence,
    addresses: Addresses,
    site_lang: str,
    url: str,
    edits: Edits,
    *,
    memo: Memo,
) -> None:
    """Put each plot above the words of its link, which stay as its caption, and its numbers below.

    The Markdown copy gets the caption and a table. ``memo`` keeps drawn plots for later builds.
    """
    seen: dict[str, int] = {}
    lang = links.text.lang

    def written(lab: Lab, plot: Plot, id: str) -> tuple[str, str, str]:
        data = checked_plot_data(plot, lab, evidence.library)
        writer = _PlotWriter(data, lang, url, addresses, site_lang)
        return writer.figure(id), writer.numbers(), writer.markdown()

    for each in placed_plots(links, evidence):
        link = each.link
        if link.kind in ("auto", "html"):
            continue
        if each.lab is None or each.plot is None:
            without_link(link, edits)
            continue
        plot = each.plot
        count = seen[plot.id] = seen.get(plot.id, 0) + 1
        id = f"pn-plot-{plot.id}-{count}"
        known = ("plot", evidence.recorded_digest(each.lab), id, lang, url, site_lang)
        figure, numbers, table = memo.of(partial(written, each.lab, plot, id), [], *known)
        edits.add(link.start, link.label_start, f"\n{figure}\n\n", "")
        edits.add(link.label_end, link.end, f"\n\n{numbers}\n", f"\n\n{table}")


def plots_of_lab(lab: Lab, evidence: Evidence, addresses: Addresses, url: str, lang: str) -> str:
    """Return the drawings of all plots of a lab that can be drawn, as HTML for the lab's page."""
    figures = []
    for plot in lab.plots.values():
        if evidence.plot_fault(lab, plot):
            continue  # a check reports it
        data = checked_plot_data(plot, lab, evidence.library)
        writer = _PlotWriter(data, lang, url, addresses, lang)
        figures.append(writer.figure(f"lab--plot-{plot.id}"))
    return "".join(figures)


def svg(id: str, title: str, description: str, drawing: Drawing) -> str:
    """Return a drawing with its words as HTML. ``id`` must be unique on the page."""
    height = round(drawing.height)
    return (
        f'<svg class="pn-c" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-labelledby="{id}-t {id}-d"><title id="{id}-t">{escape(title)}</title>'
        f'<desc id="{id}-d">{escape(description)}</desc>{drawing.shapes}</svg>'
    )


class _PlotWriter(Struct, frozen=True):
    """Writes one plot for the page at ``url``. Links lead to labs' pages in ``site_lang``."""

    data: PlotData
    lang: str
    url: str
    addresses: Addresses
    site_lang: str

    def figure(self, id: str) -> str:
        """Return a drawing for each machine as HTML."""
        drawings = [self._svg(panel, f"{id}-{i}") for i, panel in enumerate(self.data.panels)]
        return f'<figure class="pn-chart">{"".join(drawings)}</figure>'

    def numbers(self) -> str:
        """Return what was drawn as a table, folded; each number leads to its place in the lab."""
        heads = [self._parameter() or "", *(p.machine.id for p in self.data.panels)]
        cells = "".join(
            f'<th scope="col">{escape(head)}</th>' if head else "<td></td>" for head in heads
        )
        rows = []
        for label, measures in self._rows():
            linked = "".join(f"<td>{self._cell(measure)}</td>" for measure in measures)
            rows.append(f'<tr><th scope="row">{escape(label)}</th>{linked}</tr>')
        name = escape(self._title())
        return (
            f'<details class="pn-chart-numbers"><summary>{string("plot_numbers", self.lang)}'
            f'</summary><div class="pn-scroll" tabindex="0" role="region" aria-label="{name}">'
            f'<table class="pn-table"><thead><tr>{cells}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table></div></details>"
        )

    def markdown(self) -> str:
        """Return the numbers of the plot as a table in Markdown."""
        heads = [self._title(), *(p.machine.id for p in self.data.panels)]
        lines = [_row(heads), "|---" * len(heads) + "|"]
        for label, measures in self._rows():
            lines.append(_row([label, *(self._amount(m) if m else "" for m in measures)]))
        return "\n".join(lines)

    @property
    def joins(self) -> Joins:
        return joins(self.lang)

    def _svg(self, panel: Panel, id: str) -> str:
        drawing = kinds()[self.data.plot.kind].draw(self.data, panel, self.lang)
        head, top = self._head(panel)
        height = round(top + drawing.height)
        name = self._title()
        if len(self.data.panels) > 1:
            name = f"{name}{self.joins.comma}{panel.machine.id}"
        shapes = f'{head}<g transform="translate(0 {number(top)})">{drawing.shapes}</g>'
        return svg(id, name, self._description(panel), Drawing(shapes, height))

    def _head(self, panel: Panel) -> tuple[str, float]:
        """Return the title of a drawing, and the height that it takes."""
        parts, y = [], 0.0
        for each in wrapped(self._title(), WIDTH - 16, 3):
            parts.append(text(8, y + EM, each, css_class="pn-c-title"))
            y += LINE_HEIGHT + 1
        if len(self.data.panels) > 1:
            parts.append(text(8, y + EM, panel.machine.id, css_class="pn-c-label"))
            y += LINE_HEIGHT
        return "".join(parts), y + 6

    def _title(self) -> str:
        """Return the title with the unit in which the plot's axis is labelled."""
        title, unit = self.data.plot.title[self.lang], self.data.shown_unit[1]
        if not unit or unit == "×":
            return title
        return title + self.joins.bracketed(unit)

    def _parameter(self) -> str:
        parameter = self.data.plot.parameter
        return parameter.what[self.lang] if parameter else ""

    def _description(self, panel: Panel) -> str:
        """Return what one drawing shows, in words: every point, the limit and the marks.

        If there are many points, only the table has their quartiles.
        """
        signs = self.joins
        parts = []
        between = signs.comma if self.data.plot.parameter else signs.semicolon
        few = sum(1 for _ in panel.measures) <= _MOST_WITH_QUARTILES
        for group in panel.groups:
            points = [
                f"{self._place(m)} {self._amount(m) if few else m.shown}" for m in group.measures
            ]
            name = f"{group.name[self.lang]}{signs.colon}" if group.name else ""
            parts.append(name + between.join(points))
        if panel.limit:
            label = panel.limit.label[self.lang]
            parts.append(
                f"{string('plot_limit', self.lang)}{signs.colon}{label} {panel.limit.shown}"
            )
        if panel.marks and self.data.plot.parameter:
            names = signs.comma.join(what[self.lang] for what, _ in panel.marks)
            parts.append(string("plot_marks", self.lang, marks=names))
        return signs.semicolon.join(parts)

    def _place(self, measure: Measure) -> str:
        """Return a point's label, or its place on the x axis with the unit."""
        if measure.at is None or self.data.plot.parameter is None:
            return measure.label[self.lang]
        if self.data.in_bytes:
            return memory(round(measure.at))
        return with_unit(digits(measure.at), self.data.plot.parameter.unit)

    def _amount(self, measure: Measure) -> str:
        """Return the median and, if there are several samples, the quartiles."""
        spread, by, unit = measure.spread, measure.own_factor, measure.value.unit
        median = amount(spread.median * by, unit)
        if spread.n < 2 or spread.low == spread.high:
            return median
        ends = span(spread.low * by, spread.high * by, unit)
        quartiles = f"{string('quartiles', self.lang)} {ends}"
        return median + self.joins.bracketed(quartiles)

    def _rows(self) -> Iterator[tuple[str, list[Measure | None]]]:
        """Yield the words of each point with what every machine measured for it."""
        plot, panels = self.data.plot, self.data.panels
        measured = [{m.value.id: m for m in panel.measures} for panel in panels]
        for series in plot.series:
            for point in series.points:
                label = self._place(measured[0][point.value])
                if series.name:
                    label = f"{series.name[self.lang]}{self.joins.colon}{label}"
                yield label, [found.get(point.value) for found in measured]
        if panels[0].limit:
            yield panels[0].limit.label[self.lang], [panel.limit for panel in panels]

    def _cell(self, measure: Measure | None) -> str:
        if measure is None:
            return ""
        lab = self.addresses.lab(measure.lab.id, self.site_lang)
        href = attribute_url(to_place(self.url, f"{lab}#{measure.value.id}"))
        return f'<a href="{href}">{escape(self._amount(measure))}</a>'


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(map(escape_markdown, cells))} |"
