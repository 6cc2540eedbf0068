"""PN909: a plot that cannot be drawn."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.checks._examples import FOLDER, LAB, PROGRAM, RESULT, recorded
from perfnotes.checks._rule import SHOWN_LAB, LazyFiles, Rule
from perfnotes.graph.links import Links
from perfnotes.graph.plots import placed_plots
from perfnotes.graph.site import Site
from perfnotes.text.findings import Finding, Severity

_PLOT = """\
plots:
  lines:
    kind: bars
    title: {en: Lines touched, zh: 触及的缓存行}
    values: {columns: {en: along columns, zh: 按列}}
"""


def _files(plot: str, note: str) -> dict[str, str]:
    lab = LAB + plot
    return {
        f"{FOLDER}/lab.yml": lab,
        f"{FOLDER}/steps.py": PROGRAM,
        RESULT: recorded(lab=lab),
        "caches/rows.md": note,
    }


_NOTE = "Each column is another line.\n\n[Lines that a walk touches](plot:caches/steps#lines)\n"
RULE = Rule(
    code="PN909",
    severity=Severity.ERROR,
    title="A plot that cannot be drawn",
    why=(
        "A note shows a plot of a lab by a link alone in its paragraph; the lab's `lab.yml` says "
        "under `plots` what is drawn. Every value must be one of the lab's, have samples on the "
        "reference machine, and convert to the unit of the plot's first value. A kind with an x "
        "axis needs a number for each value, and any other kind has words."
    ),
    wrong=LazyFiles(lambda: _files(_PLOT.replace("{columns:", "{colums:"), _NOTE)),
    right=LazyFiles(lambda: _files(_PLOT, _NOTE)),
)

LOOKS_AT = frozenset({SHOWN_LAB})


def find(site: Site) -> Iterator[Finding]:
    """Plots that cannot be drawn."""
    evidence = site.graph.evidence
    for lab in site.library.labs.values():
        for plot in lab.plots.values():
            fault = evidence.plot_fault(lab, plot)
            if fault:
                yield lab.source.finding(fault.place, RULE.code, fault.message, fault.hint)


def find_in_text(site: Site, links: Links) -> Iterator[Finding]:
    """Links that name no plot or stand inside a sentence."""
    for each in placed_plots(links, site.graph.evidence):
        if each.problem:
            yield links.text.body.source.finding(each.link.dest_start, *each.problem)
