"""Plots in texts: a link with an address such as ``plot:by-size``, alone in its paragraph.

``plot:by-size`` names a plot of the note's own lab, ``plot:caches/latency-ladder#by-size`` one of
another note's lab. The link's words are the plot's caption.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from perfnotes.graph.evidence import Evidence
from perfnotes.graph.links import Links
from perfnotes.graph.resolve import Problem
from perfnotes.graph.targets import NONE
from perfnotes.model.lab import Lab
from perfnotes.model.plot import Plot
from perfnotes.text.nearest import nearest
from perfnotes.text.tokens import Link

CODE = "PN909"
MOST_PLOTS = 12
"""How many plots one text may show, since each is a hundred times as long as its link."""

_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"
_ADDRESS = re.compile(rf"plot:(?:(?P<note>{_ID}(?:/{_ID})?)#)?(?P<plot>{_ID})$", re.IGNORECASE)


class PlacedPlot(Struct, frozen=True):
    """A link with the plot that it names, or with its problem.

    ``lab``, ``plot`` and ``problem`` are all None if the link is right but the plot in ``lab.yml``
    cannot be drawn; that finding is in ``lab.yml``.
    """

    link: Link
    lab: Lab | None = None
    plot: Plot | None = None
    problem: Problem | None = None


def placed_plots(links: Links, evidence: Evidence) -> Iterator[PlacedPlot]:
    """Yield every link of a text that names a plot, in the order of the text."""
    targets = {link.start: target for link, target in links.links}
    count = 0
    for link in links.text.body.document.links:
        target = targets.get(link.start) or links.by_label.get(link.dest, NONE)
        if target.kind != "plot":
            continue
        count += 1
        if count > MOST_PLOTS:
            message = f"a text shows at most {MOST_PLOTS} plots"
            yield PlacedPlot(link, problem=(CODE, message, "leave some to the lab's page"))
        else:
            yield _placed(links, link, target.id, evidence)


def labs_shown(links: Links, evidence: Evidence) -> set[str]:
    """Return the ids of all labs whose results the plots of a text show."""
    found: set[str] = set()
    for target in links.targets:
        parts = _ADDRESS.match(target.id) if target.kind == "plot" else None
        if parts:
            lab, _ = evidence.lab(parts["note"] or links.text.id, bool(parts["note"]))
            found |= evidence.compared_labs(lab) | {lab.id} if lab else set()
    return found


def _placed(links: Links, link: Link, address: str, evidence: Evidence) -> PlacedPlot:
    lab, plot, problem = _find(links, address, evidence)
    if lab is None or plot is None:
        return PlacedPlot(link, problem=problem)
    if link.kind != "inline" or not _alone(links.text.body.document.text, link):
        hint = f"write [caption](plot:{plot.id}) with a blank line above and below"
        message = "a plot is a link alone in its paragraph, which is not indented"
        return PlacedPlot(link, problem=(CODE, message, hint))
    if evidence.plot_fault(lab, plot):
        return PlacedPlot(link)
    return PlacedPlot(link, lab, plot)


def _find(
    links: Links, address: str, evidence: Evidence
) -> tuple[Lab | None, Plot | None, Problem | None]:
    parts = _ADDRESS.match(address)
    if not parts:
        hint = "write plot:name, or plot:topic/note#name"
        return None, None, (CODE, f"{address!r} is no address of a plot", hint)
    text = links.text
    note = parts["note"] or (text.id if text.kind == "note" else "")
    named = bool(parts["note"])
    lab, problem = evidence.lab(note, named, text.guesses, form="plot:topic/note#name")
    if lab is None:
        _, message, hint = problem or ("", "", "")
        return None, None, (CODE, message, hint)
    plot = lab.plots.get(parts["plot"])
    if plot is None:
        guess = nearest(parts["plot"], lab.plots, 0.6)
        names = ", ".join(lab.plots) or "none: add it under plots in its lab.yml"
        hint = f"did you mean {guess}?" if guess else f"it has {names}"
        return lab, None, (CODE, f"the lab of {lab.id} has no plot {parts['plot']!r}", hint)
    return lab, plot, None


def _alone(text: str, link: Link) -> bool:
    """Whether a link is a paragraph of its own that begins at the margin."""
    before, after = text[: link.start], text[link.end :]
    return (not before or before.endswith("\n\n")) and (
        not after.strip() or re.match(r"[ \t]*(?:\n[ \t]*(?:\n|$)|$)", after) is not None
    )
