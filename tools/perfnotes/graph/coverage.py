"""Coverage: which quantities of a text have evidence, and which have none.

A quantity has evidence if it is bound to a lab or fact, or if the same sentence or table row has a
citation with a locator (page, section, table). A number listed under ``chosen`` is not counted at
all. A number listed under ``waived`` counts as a quantity without evidence, but has a reason.

A quantity in the title, the description, a symptom, a heading, a formula, a code span or a figure
cannot be bound there. It has evidence if the prose of the same text shows that amount with
evidence.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from perfnotes.graph.binding import KnownAmounts
from perfnotes.graph.graph import Graph
from perfnotes.graph.links import Links
from perfnotes.graph.outside_prose import drawings_of, in_drawing, in_front_matter
from perfnotes.model.note import Meta, Note
from perfnotes.model.quantity.shown import ShownError
from perfnotes.model.quantity.shown import parse as parse_shown
from perfnotes.model.translation import Translation
from perfnotes.text.outside_prose import QuantityOutsideProse
from perfnotes.text.quantities import Quantity, single_spaced
from perfnotes.text.spans import Spans

BOUND, CITED, WAIVED, WITHOUT = "bound", "cited", "waived", "without"


class JudgedQuantity(Struct, frozen=True):
    """A quantity and its state: ``BOUND``, ``CITED``, ``WAIVED`` or ``WITHOUT``.

    ``reason`` is the reason of a waiver. ``figure`` is the path of the figure that shows the
    quantity, or empty for the text itself.
    """

    quantity: Quantity
    state: str
    reason: str = ""
    figure: str = ""


class UnusedEntry(Struct, frozen=True):
    """An entry of ``chosen`` or ``waived``, the ``key``, that names no quantity of the text.

    ``read`` is the longest quantity of the text with which the entry begins and that is not listed
    itself, or empty.
    """

    key: str
    text: str
    read: str


class Share(Struct, frozen=True):
    """How many quantities there are, and how many have evidence."""

    evident: int
    total: int

    def __add__(self, other: Share) -> Share:
        return Share(self.evident + other.evident, self.total + other.total)

    @property
    def percent(self) -> float:
        return 100.0 * self.evident / self.total if self.total else 100.0


def share(judged: Iterable[JudgedQuantity]) -> Share:
    """The share of quantities with evidence."""
    states = [j.state for j in judged]
    return Share(sum(1 for s in states if s in (BOUND, CITED)), len(states))


@dataclass
class Coverage:
    """Judges the quantities of one text.

    ``metas`` are the front matters whose ``chosen`` and ``waived`` count: the text's own and, for
    a translation, that of its note. ``drawings`` maps a figure's path to its SVG.
    """

    links: Links
    metas: tuple[Meta, ...]
    drawings: dict[str, str]

    def __getstate__(self) -> dict[str, object]:
        """Pickle the fields and the results; what only helped to compute them is left out."""
        stored = ("links", "metas", "drawings", "judged", "outside", "needed", "unused", "opening")
        return {name: value for name, value in self.__dict__.items() if name in stored}

    @cached_property
    def judged(self) -> list[JudgedQuantity]:
        """Every quantity of prose and figures, in the order of the text."""
        found = [self._judge(q) for q in self._quantities]
        out = [j for j in found if j]
        for link, target in self.links.links:
            if link.kind == "image" and target.kind == "file":
                out += self._drawn(link.start, link.end, target.id)
        return sorted(out, key=lambda j: (j.quantity.start, j.quantity.text))

    @cached_property
    def outside(self) -> list[tuple[str, JudgedQuantity]]:
        """The quantities outside of prose and figures: the kind of place, and how it is judged.

        They do not count for the share, because each of them should only repeat the prose.
        """
        out = []
        for each in self._outside_prose:
            if each.quantity.text in self._chosen:
                continue
            reason = self._waived.get(each.quantity.text)
            if reason is not None:
                out.append((each.where, JudgedQuantity(each.quantity, WAIVED, reason)))
            else:
                is_evident = self._is_evident(each.quantity) or (
                    each.where in ("formula", "code") and self._is_cited(each.quantity.start)
                )
                state = CITED if is_evident else WITHOUT
                out.append((each.where, JudgedQuantity(each.quantity, state)))
        return out

    @cached_property
    def _outside_prose(self) -> list[QuantityOutsideProse]:
        return [*in_front_matter(self.metas[0]), *self.links.text.body.quantities_outside_prose]

    def _is_evident(self, quantity: Quantity) -> bool:
        """Whether the prose shows the same text or the same amounts with evidence."""
        if _bare(quantity.text) in self._evident_texts:
            return True
        amounts = quantity.amounts
        return bool(amounts) and all(self._evident_amounts.include(amount) for amount in amounts)

    @cached_property
    def _evident_in_prose(self) -> list[JudgedQuantity]:
        """The quantities of the prose that have evidence."""
        found = (self._judge(q) for q in self._quantities)
        return [j for j in found if j and j.state in (BOUND, CITED)]

    @cached_property
    def _evident_texts(self) -> set[str]:
        texts = {_bare(j.quantity.text) for j in self._evident_in_prose}
        return texts | {_bare(b.shown) for b in self.links.bindings}

    @cached_property
    def _evident_amounts(self) -> KnownAmounts:
        """Every amount of the prose that has evidence; for a bound number, the recorded value."""
        found = {(b.found.number, b.found.unit) for b in self.links.bindings}
        for judged in self._evident_in_prose:
            if judged.state == CITED:
                found |= {_parsed(amount) for amount in judged.quantity.amounts}
        return KnownAmounts((n, of) for n, of in found if n is not None)

    @cached_property
    def needed(self) -> frozenset[str]:
        """The entries of ``chosen`` and ``waived`` that a quantity of the text needs."""
        listed = {text for meta in self.metas for text in _listed(meta)}
        there = self._texts if listed else frozenset()
        return frozenset(text for text in listed if single_spaced(text) in there)

    @cached_property
    def unused(self) -> list[UnusedEntry]:
        """The entries of the text's own front matter that no quantity of the text needs."""
        unneeded = {
            text: key for text, key in _listed(self.metas[0]).items() if text not in self.needed
        }
        unlisted = self._texts.difference(self._chosen, self._waived) if unneeded else frozenset()
        return [
            UnusedEntry(key, text, max(filter(text.startswith, unlisted), key=len, default=""))
            for text, key in unneeded.items()
        ]

    @cached_property
    def _texts(self) -> frozenset[str]:
        """Every quantity of the text, its front matter and its figures, as it is written."""
        there = {q.text for q in self._quantities}
        there |= {each.quantity.text for each in self._outside_prose}
        drawn = (q.text for drawing in self.drawings.values() for q in in_drawing(drawing))
        return frozenset(there.union(drawn))

    @cached_property
    def opening(self) -> list[Quantity]:
        """The quantities of the first paragraph below the title."""
        start, end = self.links.text.body.opening
        return [q for q in self._quantities if start <= q.start < end]

    @property
    def _quantities(self) -> tuple[Quantity, ...]:
        return self.links.text.body.quantities

    @cached_property
    def _chosen(self) -> set[str]:
        return {single_spaced(c) for meta in self.metas for c in meta.chosen}

    @cached_property
    def _waived(self) -> dict[str, str]:
        return {single_spaced(text): why for meta in self.metas for text, why in meta.waived}

    @cached_property
    def _bound(self) -> Spans:
        return Spans([(b.link.label_start, b.link.label_end) for b in self.links.bindings])

    @cached_property
    def _cited(self) -> list[int]:
        """The sorted offsets of citations in which every item has a locator."""
        cited = self.links.citations
        return sorted(c.start for c, _ in cited if all(item.locator for item in c.items))

    def _judge(self, quantity: Quantity) -> JudgedQuantity | None:
        """Judge a quantity of the prose; None for one that is listed under ``chosen``."""
        if self._bound.around(quantity.start):
            return JudgedQuantity(quantity, BOUND)
        if quantity.text in self._chosen:
            return None
        if quantity.text in self._waived:
            return JudgedQuantity(quantity, WAIVED, self._waived[quantity.text])
        return JudgedQuantity(quantity, CITED if self._is_cited(quantity.start) else WITHOUT)

    def _is_cited(self, offset: int) -> bool:
        """Whether a citation with a locator is in the same sentence or table row."""
        if not self._cited:
            return False
        start, end = self.links.prose.sentence_range(offset)
        i = bisect_left(self._cited, start)
        return i < len(self._cited) and self._cited[i] < end

    def _drawn(self, start: int, end: int, path: str) -> list[JudgedQuantity]:
        """The quantities of a figure, with the image's place in the text.

        They have evidence if the image's sentence is cited or the prose shows the same amounts
        with evidence.
        """
        out = []
        cited = self._is_cited(start)
        for quantity in in_drawing(self.drawings.get(path, "")):
            if quantity.text in self._chosen:
                continue
            here = Quantity(quantity.text, start, end)
            if quantity.text in self._waived:
                out.append(JudgedQuantity(here, WAIVED, self._waived[quantity.text], path))
            elif cited or self._is_evident(quantity):
                out.append(JudgedQuantity(here, CITED, figure=path))
            else:
                out.append(JudgedQuantity(here, WITHOUT, figure=path))
        return out


def coverages(graph: Graph, before: Mapping[str, Coverage]) -> dict[str, Coverage]:
    """Return by path the coverage of every note and its translation.

    ``before`` are the coverages of an earlier state. If the links, front matter and figures of a
    text are the same, its coverage is taken from there, with what it has judged already.
    """
    library = graph.library
    both: list[tuple[str, Note | Translation]] = [(n.file, n) for n in library.notes.values()]
    both += [(t.file, t) for t in library.translations.values()]
    found = {}
    for file, text in both:
        links = graph.links[f"notes/{file}"]
        metas = (text.meta, text.note.meta) if isinstance(text, Translation) else (text.meta,)
        drawings = drawings_of(links, library)
        known = before.get(f"notes/{file}")
        if known and known.links is links and (known.metas, known.drawings) == (metas, drawings):
            found[f"notes/{file}"] = known
        else:
            found[f"notes/{file}"] = Coverage(links, metas, drawings)
    return found


def _listed(meta: Meta) -> dict[str, str]:
    """The entries of ``chosen`` and ``waived``, each with its key."""
    return {text: "waived" for text, _ in meta.waived} | dict.fromkeys(meta.chosen, "chosen")


def _parsed(amount: str) -> tuple[float | None, str]:
    """The number and unit that a text shows; (None, "") if the text is not a number with unit."""
    try:
        shown = parse_shown(amount)
    except ShownError:
        return None, ""
    return float(shown.number.scaleb(shown.scale)), shown.unit


def _bare(text: str) -> str:
    """Return a number's text without spaces and commas, so that ``2,048 B`` is like ``2048B``."""
    return text.replace(" ", "").replace(",", "")
