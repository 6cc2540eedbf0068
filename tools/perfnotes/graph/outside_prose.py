"""The quantities that a text shows outside of its Markdown: in its front matter and its figures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.graph.links import Links
from perfnotes.model.library import Library
from perfnotes.model.note import Meta
from perfnotes.model.symptom import code_and_words
from perfnotes.text.outside_prose import QuantityOutsideProse, find_in_code
from perfnotes.text.quantities import Quantity, find
from perfnotes.text.readable import Readable

SYMPTOM = "symptom"
_DRAWN = re.compile(r"<(?P<end>/?)(?P<name>text|title|desc)\b[^<>]*>")
_INNER = re.compile(r"<[^<>]*>")


def in_front_matter(meta: Meta) -> Iterator[QuantityOutsideProse]:
    """The quantities of the title, the description and the symptoms."""
    for key, words in (("title", meta.title), ("description", meta.description)):
        at = meta.place(key)
        for q in find(Readable(words).text):
            yield QuantityOutsideProse(Quantity(q.text, at, at, q.amounts), key)
    yield from _in_symptoms(meta)


def _in_symptoms(meta: Meta) -> Iterator[QuantityOutsideProse]:
    """The quantities of symptoms; of their code only those that state a measurement."""
    for i, symptom in enumerate(meta.symptoms):
        for key, text in (("see", symptom.see), ("confirm", symptom.confirm)):
            at = meta.place("symptoms", i, key)
            for is_code, words in code_and_words(text):
                for q in find_in_code(words) if is_code else find(Readable(words).text):
                    yield QuantityOutsideProse(Quantity(q.text, at, at, q.amounts), SYMPTOM)


def drawings_of(links: Links, library: Library) -> dict[str, str]:
    """The SVG of each figure that a text shows, by the figure's path."""
    drawings = {}
    for link, target in links.links:
        if link.kind == "image" and target.kind == "file" and target.id.endswith(".svg"):
            path = library.root / target.id.removeprefix("notes/")
            try:
                drawings[target.id] = path.read_text("utf-8", "replace")
            except OSError:
                continue  # another check reports the missing file
    return drawings


def in_drawing(svg: str) -> list[Quantity]:
    """The quantities in the words of a figure."""
    words = (_INNER.sub("", inner) for inner in _drawn_texts(svg))
    return [q for each in words for q in find(Readable(each).text)]


def _drawn_texts(svg: str) -> Iterator[str]:
    """Yield the content of each element of an SVG that shows text.

    The tags are passed once, because a search for the end tag from each tag on could take hours.
    """
    tags = list(_DRAWN.finditer(svg))
    last = {tag["name"]: tag.start() for tag in tags if tag["end"]}
    opened: re.Match[str] | None = None
    for tag in tags:
        if opened is None:
            if not tag["end"] and last.get(tag["name"], -1) > tag.start():
                opened = tag
        elif tag["end"] and tag["name"] == opened["name"]:
            yield svg[opened.end() : tag.start()]
            opened = None
