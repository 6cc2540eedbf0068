"""Renders things to try: a picture with a worked example, which needs no script to be read.

The script ``explore.js`` adds sliders. It reads the controls, constants and sentences from
``data-explore`` and lets the explorable's own script compute and draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from perfnotes.explorables._drawing import element
from perfnotes.explorables._explorable import WIDTH, Constant, Explorable, amount
from perfnotes.explorables._typed_line import TypedLine
from perfnotes.graph.address import Addresses, to_place
from perfnotes.graph.binding import Found
from perfnotes.graph.evidence import Evidence
from perfnotes.graph.explorables import PlacedExplorable, placed_explorables
from perfnotes.graph.links import Links
from perfnotes.site.render.edits import Edits
from perfnotes.site.render.markup import attribute_url, data_attribute, escape, escape_markdown
from perfnotes.site.render.numbers import evidence_address
from perfnotes.site.render.typed_lines import typed_line
from perfnotes.site.strings import add_words, string
from perfnotes.text.joining import joins

add_words(
    {
        "explore_made_from": ("Made from", "数据来源"),
    }
)


_LAST_NARROW = 0x2E7F  # characters after this one are as wide as two Latin letters
_SPARE = 16  # letters, because numbers in a sentence may become longer
_DESKTOP, _PHONE = 74, 40  # letters in a line


class ExplorableRenderer:
    """Writes the things to try of one page."""

    def __init__(self, evidence: Evidence, addresses: Addresses, lang: str, url: str) -> None:
        self._evidence, self._addresses = evidence, addresses
        self._lang, self._url = lang, url

    def edit(self, links: Links, edits: Edits) -> tuple[str, ...]:
        """Replace each fence of an explorable by its HTML; the Markdown copy keeps the fence.

        Returns the names of the explorables.
        """
        names = []
        for each in placed_explorables(links, self._evidence):
            made = each.explorable
            if made is None or any(map(self._evidence.is_stale, each.found.values())):
                continue
            names.append(each.name)
            fence, lang = each.fence, links.text.lang
            if isinstance(made, TypedLine):
                html, said = typed_line(each.name, made, lang)
            else:
                numbers = made.numbers(each.constants, made.start)
                html = self._html(each, made, numbers, lang)
                said = made.sentence(numbers, lang)
            edits.add(fence.start, fence.end, f"\n{html}\n", None)
            sentence = escape_markdown(said)
            edits.add(fence.end, fence.end, None, f"\n\n{sentence}")
        return tuple(names)

    def _html(
        self, each: PlacedExplorable, made: Explorable, numbers: dict[str, float], lang: str
    ) -> str:
        id = f"explore-{each.name}"
        data = data_attribute("explore", _data(each, made, lang))
        formulas = "".join(f"<li><code>{escape(text)}</code></li>" for text in made.formulas)
        sources = "".join(self._source(made, each, lang))
        return (
            f'<div class="pn-explore" id="{id}" {data}>'
            f'<p class="pn-explore-title" id="{id}-title">'
            f"<span>{string('explore', lang)}</span> {escape(made.title[lang])}</p>"
            f'<p class="pn-explore-lead">{escape(made.lead[lang])}</p>'
            f"{picture(made, numbers, lang, id)}"
            f'<p class="pn-explore-said {_room(made, numbers, lang)}" id="{id}-said">'
            f"{escape(made.sentence(numbers, lang))}</p>"
            f"{''.join(_controls(made, lang))}"
            f'<details class="pn-explore-how"><summary>{string("explore_how", lang)}</summary>'
            f"<p>{escape(made.how[lang])}</p><ul>{formulas}</ul>{sources}</details></div>"
        )

    def _source(self, made: Explorable, each: PlacedExplorable, lang: str) -> Iterator[str]:
        if made.constants:
            links = (self._constant(c, each.found[c.id], lang) for c in made.constants)
            label = f"{string('explore_made_from', lang)}{joins(lang).colon}"
            yield f"<p>{label}{joins(lang).comma.join(links)}</p>"

    def _constant(self, constant: Constant, found: Found, lang: str) -> str:
        assert found.number is not None
        href = attribute_url(
            to_place(self._url, evidence_address(self._addresses, found, self._lang))
        )
        value = escape(amount(found.number, found.unit))
        return f'{escape(constant.what[lang])} <a href="{href}">{value}</a>'


def picture(made: Explorable, numbers: dict[str, float], lang: str, id: str) -> str:
    """Return the picture for these numbers. Its name is the title, its description the sentence."""
    drawn = zip(made.moving, made.draw(numbers), strict=True)
    moving = "".join(element(tag, {**fixed, **changing}) for (tag, fixed), changing in drawn)
    return (
        f'<svg class="pn-explore-picture" viewBox="0 0 {WIDTH} {made.height}" role="img" '
        f'width="{WIDTH}" height="{made.height}" aria-labelledby="{id}-title {id}-said">'
        f"<g>{made.frame(numbers, lang)}</g><g>{moving}</g></svg>"
    )


def _room(made: Explorable, numbers: dict[str, float], lang: str) -> str:
    """Return classes that keep room for the longest sentence, on a wide and on a narrow screen.

    So nothing below the sentence moves when a longer one takes its place.
    """
    wide = max(
        sum(
            2 if ord(char) > _LAST_NARROW else 1
            for char in made.sentence({**numbers, "case": i}, lang)
        )
        for i in range(len(made.says))
    )
    lines = [math.ceil((wide + _SPARE) / each) for each in (_DESKTOP, _PHONE)]
    return f"pn-room-{lines[0]} pn-room-narrow-{lines[1]}"


def _controls(made: Explorable, lang: str) -> Iterator[str]:
    """Yield a line for each control: its name and its value, where the script puts the control."""
    for control in made.controls:
        name = f"<span>{escape(control.what[lang])}</span>"
        if control.choices:
            choices = "".join(
                f"<li>{'<b>' if i == control.start else ''}{escape(choice[lang])}"
                f"{'</b>' if i == control.start else ''}</li>"
                for i, choice in enumerate(control.choices)
            )
            yield f'<div class="pn-explore-choice">{name}<ul>{choices}</ul></div>'
        else:
            value = escape(control.shown(control.start, lang))
            yield f'<div class="pn-explore-slider">{name} <b>{value}</b></div>'


def _data(each: PlacedExplorable, made: Explorable, lang: str) -> dict[str, Any]:
    return {
        "name": each.name,
        "constants": dict(each.constants),
        "controls": [
            {
                "id": control.id,
                "least": control.least,
                "most": control.most,
                "start": control.start,
                "step": control.step,
                "doubling": control.doubling,
                "unit": control.unit,
            }
            for control in made.controls
        ],
        "says": made.sentences(lang),
        "drag": made.drag,
    }
