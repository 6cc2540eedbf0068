"""The map of a topic's notes: a picture of which note builds on which. Its nodes are links.

The picture is inline SVG, made during the build. It has no colours; the theme gives them by the
classes, for light and dark pages. For readers who cannot see it, the list of notes below it names
what to read before each note.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from perfnotes.graph.address import relative
from perfnotes.graph.site import Site
from perfnotes.model.note import LEVELS, Note
from perfnotes.site.layout.layered import Layered, layered, without_cycles
from perfnotes.site.page import block
from perfnotes.site.render.language import lang_attribute
from perfnotes.site.render.markup import escape
from perfnotes.site.strings import add_words, label_language, string
from perfnotes.text.joining import joins
from perfnotes.text.wrap import wrap

WORDS = {
    "map_arrow": (
        "An arrow leads from a note to one that builds on it.",
        "箭头从一篇笔记指向以它为基础的笔记。",
    ),
    "map_elsewhere": ("Dashed: a note of another topic.", "虚线框：其他主题的笔记。"),
    "map_levels": (
        "From left to right the notes become more advanced.",
        "从左到右由浅入深。",
    ),
    "map_part": (
        "Of {total} notes the map shows the {n} that most others require.",
        "共 {total} 篇笔记，图中为最常被要求先读的 {n} 篇。",
    ),
    "map_title": ("Map of the notes of {topic}", "“{topic}”笔记导读图"),
}
add_words(WORDS)

_MOST = 40  # notes in one map
# Lengths are in pixels of a page whose text has 16 pixels.
_WIDTH, _COLUMN = 150, 196  # width of a node, and with the room for edges; two fit a phone
# The distance between two nodes of a column.
_GAP = 14
_LINE, _SMALL = 16, 15  # height of a line of a title, and of a line of small text
_PAD = 9  # space around the text of a node
_EMS = (_WIDTH - 2 * _PAD) / 12.5  # width of a title's line, in ems of its font
_SMALL_EMS = (_WIDTH - 2 * _PAD) / 10.5  # the same for small text
_ARROW = 6  # room for an arrowhead


class Box(Struct, frozen=True):
    """A node: the lines of its title, the small text above and below them, and its link."""

    note: Note
    lines: list[str]
    above: str
    level: str
    href: str
    own: str  # the attribute that names the language of a title in another one; else empty

    @property
    def height(self) -> float:
        small = bool(self.above) + bool(self.level)
        return 2 * _PAD - 4 + _LINE * len(self.lines) + _SMALL * small


def topic_map(site: Site, notes: Sequence[Note], title: str, url: str, lang: str) -> str:
    """Return a figure with the map of the notes.

    Empty if there are fewer than two notes, or if none builds on another and all have one level.
    """
    shown = notes_on_map(site, notes)
    mine = {n.id for n in shown}
    needed = dict.fromkeys(
        id for n in shown for id in n.meta.requires if id in site.library.notes and id not in mine
    )
    others = [site.library.notes[id] for id in needed if site.library.notes[id] not in notes]
    boxes = {n.id: box_of(site, n, url, lang, n.id not in mine) for n in [*others, *shown]}
    edges = [(id, n.id) for n in shown for id in dict.fromkeys(n.meta.requires) if id in boxes]
    floors = {n.id: _floor(n) for n in shown}
    if len(boxes) < 2 or not (edges or len(set(floors.values())) > 1):
        return ""
    label_lang = label_language(site, lang)
    words = [string("map_arrow", label_lang)] if edges else []
    words += [string("map_levels", label_lang)] if len(set(floors.values())) > 1 else []
    words += [string("map_elsewhere", label_lang)] if others else []
    if len(shown) < len(notes):
        words.append(string("map_part", label_lang, n=len(shown), total=len(notes)))
    caption = joins(label_lang).gap.join(words)
    name = escape(string("map_title", label_lang, topic=title))
    picture = map_picture(boxes, edges, floors, name, {n.id for n in others})
    return block(
        f'<figure class="pn-map"><div class="pn-scroll" role="region" tabindex="0" '
        f'aria-label="{name}">{picture}</div>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def notes_on_map(site: Site, notes: Sequence[Note]) -> list[Note]:
    """Return the notes to show: all of them if there are at most ``_MOST``.

    Otherwise they are the ``_MOST`` notes that most notes require, of those that require a note or
    are required by one.
    """
    if len(notes) <= _MOST:
        return list(notes)
    weight = site.weights
    tied = {id for n in notes for id in (n.id, *n.meta.requires) if n.meta.requires}
    best = sorted((n for n in notes if n.id in tied), key=lambda n: -weight[n.id])[:_MOST]
    return [n for n in notes if n in best]


def _floor(note: Note) -> int:
    return LEVELS.index(note.meta.level) if note.meta.level in LEVELS else 0


def box_of(site: Site, note: Note, url: str, lang: str, elsewhere: bool) -> Box:
    """Return the node of a note; one of another topic has the topic's title above."""
    topic = site.library.topics.get(note.topic)
    above = ""
    if elsewhere and topic:
        above = wrap(topic.title[lang], _SMALL_EMS, 1)[0]
    level = string(note.meta.level, label_language(site, lang)) if note.meta.level in LEVELS else ""
    if not site.addresses.has(note, lang):
        level = " · ".join(filter(None, (level, string("english_only", lang))))
    href = relative(url, site.addresses.note(note, lang))
    title = site.title(note, lang)
    own = lang_attribute(title, label_language(site, lang))
    return Box(note, wrap(title, _EMS, 5), above, level, href, own)


def map_picture(
    boxes: Mapping[str, Box],
    edges: Sequence[tuple[str, str]],
    floors: Mapping[str, int],
    name: str,
    elsewhere: set[str],
) -> str:
    """Return the picture of notes and of the edges between them, from left to right.

    ``floors`` are the first columns that notes may be in, ``elsewhere`` the notes of other topics;
    ``name`` is escaped.
    """
    sizes = {id: box.height for id, box in boxes.items()}
    plan = layered(sizes, edges, floors, _GAP)
    edges = without_cycles(list(sizes), edges)
    columns = max(plan.rank.values()) + 1
    width = (columns - 1) * _COLUMN + _WIDTH + 4
    height = plan.extent + 4
    paths = [_edge(plan, edge) for edge in edges]
    # The Tab key follows the order in the document: by columns, from the top.
    order = sorted(boxes, key=lambda id: (plan.rank[id], plan.place[id]))
    nodes = [_node(boxes[id], plan, id in elsewhere) for id in order]
    return (
        f'<svg class="pn-map-picture" width="{width / 16:.3f}em" height="{height / 16:.3f}em" '
        f'viewBox="-2 -2 {width} {height:.0f}" role="group" aria-label="{name}">'
        f'<g class="pn-map-edges">{"".join(paths)}</g>{"".join(nodes)}</svg>'
    )


def _node(box: Box, plan: Layered, elsewhere: bool) -> str:
    left = plan.rank[box.note.id] * _COLUMN
    top = plan.place[box.note.id] - box.height / 2
    kind = "pn-map-node pn-map-other" if elsewhere else "pn-map-node"
    # Inside, coordinates count from the node's corner, so that all nodes have the same ones.
    parts = [
        f'<g transform="translate({left} {top:.0f})"><a class="{kind}" href="{escape(box.href)}">'
        f'<rect width="{_WIDTH}" height="{box.height:.0f}" rx="3"/>'
    ]
    at = _PAD - 3
    if box.above:
        at += _SMALL
        parts.append(_text("pn-map-small", _PAD, at - 3, box.above))
    for line in box.lines:
        at += _LINE
        parts.append(_text("pn-map-title", _PAD, at - 3, line, box.own))
    if box.level:
        at += _SMALL
        parts.append(_level(box.note.meta.level, _PAD, at))
        indent = 26 if box.note.meta.level in LEVELS else 0
        parts.append(_text("pn-map-small", _PAD + indent, at - 2, box.level))
    return "".join(parts) + "</a></g>"


def _text(kind: str, x: float, y: float, text: str, own: str = "") -> str:
    # Because of the space at the end, a screen reader does not read two lines as one word.
    return f'<text class="{kind}"{own} x="{x}" y="{y:.0f}">{escape(text)} </text>'


def _level(level: str, x: float, base: float) -> str:
    """Return three dots, of which one, two or three are filled by the level."""
    if level not in LEVELS:
        return ""
    filled = LEVELS.index(level) + 1
    return "".join(
        f'<circle class="{"pn-map-full" if i < filled else "pn-map-empty"}" '
        f'cx="{x + 3 + 8 * i}" cy="{base - 6:.0f}" r="2.6"/>'
        for i in range(3)
    )


def _edge(plan: Layered, edge: tuple[str, str]) -> str:
    """Return a curve through the bends of an edge, with an arrowhead at the target."""
    source, target = edge
    x, y = plan.rank[source] * _COLUMN + _WIDTH, plan.place[source]
    end, to = plan.rank[target] * _COLUMN - 1, plan.place[target]
    path = [f"M{x} {y:.0f}"]
    for column, place in plan.bends[edge]:
        left = column * _COLUMN
        half = (left - x) / 2
        path.append(f"C{x + half:.0f} {y:.0f} {left - half:.0f} {place:.0f} {left} {place:.0f}")
        path.append(f"H{left + _WIDTH}")
        x, y = left + _WIDTH, place
    half = (end - _ARROW - x) / 2
    path.append(
        f"C{x + half:.0f} {y:.0f} {end - _ARROW - half:.0f} {to:.0f} {end - _ARROW} {to:.0f}"
    )
    head = f'<path class="pn-map-head" d="M{end} {to:.0f}l-8-4v8z"/>'
    return f'<path d="{"".join(path)}"/>{head}'
