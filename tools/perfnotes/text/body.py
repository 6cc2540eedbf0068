"""A Body: the scanned Markdown of one page and its sections, each with a unique id."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct

from perfnotes.text.inline import scan
from perfnotes.text.lazy_field import lazy_field, state_without_loading
from perfnotes.text.outside_prose import QuantityOutsideProse, quantities_outside_prose
from perfnotes.text.prose import Prose, reading_minutes
from perfnotes.text.quantities import Quantity, quantities
from perfnotes.text.slug import Slugs, bare_id, slugify
from perfnotes.text.source import Source
from perfnotes.text.tokens import Citation, Heading, MarkdownDocument, Wiki

T = TypeVar("T")
_ID = re.compile(r"\b(?:id|name)\s*=\s*[\"']?([^\"'\s>]+)")
_GOOD_ID = re.compile(r"(?!__|pn-)[^\s\"'<>&#{}]+$")


class TextSection(Struct, frozen=True):
    """A heading with its id and plain title; its text runs from ``start`` to ``end``."""

    level: int
    id: str
    title: str
    heading: Heading
    start: int
    end: int


@dataclass(frozen=True)
class Body:
    """The scanned Markdown of a source; ``document.start`` is where the front matter ends.

    A body that was stored without its document loads the document when somebody asks for it.
    """

    source: Source
    document: MarkdownDocument = lazy_field()  # noqa: RUF009 - a descriptor, no default
    sections: tuple[TextSection, ...] = ()

    def __getstate__(self) -> dict[str, object]:
        """Pickle without the properties that are computed again when they are asked for."""
        state = state_without_loading(self)
        return {k: v for k, v in state.items() if k not in ("prose", "anchors_by_bare_id")}

    def computed(self, what: str, known: object, compute: Callable[[], T]) -> T:
        """Return the result of ``compute``, which is kept and stored with this text as ``what``.

        Other layers keep here what they compute from a text. It is computed again if ``known``, all
        that it depends on besides the text, is no longer equal to what it was.
        """
        before = self._computed.get(what)
        if before is None or before[0] != known:
            before = self._computed[what] = known, compute()
        found: T = before[1]
        return found

    @cached_property
    def _computed(self) -> dict[str, tuple[object, Any]]:
        return {}

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Every id that a link may point to on this page."""
        ids = {s.id for s in self.sections}
        for tag in self.document.tags:
            ids.update(_ID.findall(self.document.text[tag.start : tag.end]))
        return frozenset(ids)

    @cached_property
    def anchors_by_bare_id(self) -> dict[str, str]:
        """The ids of ``anchors`` by their ``bare_id``; of several with the same one, the first."""
        found: dict[str, str] = {}
        for id in [*(s.id for s in self.sections), *sorted(self.anchors)]:
            found.setdefault(bare_id(id), id)
        return found

    def title_section(self, title: str) -> TextSection | None:
        """Return the first section if its heading only repeats the page's title, else None."""
        first = self.sections[0] if self.sections else None
        if first is None or first.level != 1 or first.title != title:
            return None
        says_more = "![" in first.heading.text or "<img" in first.heading.text
        return None if says_more else first

    @property
    def repeated_ids(self) -> list[tuple[TextSection, TextSection]]:
        """Sections whose heading gives an id that an earlier one has; each with that one."""
        first: dict[str, TextSection] = {}
        repeated = []
        for section in self.sections:
            written = section.heading.explicit_id
            if written != section.id and written in first:
                repeated.append((section, first[written]))
            first.setdefault(section.id, section)
        return repeated

    @cached_property
    def prose(self) -> Prose:
        """The text in plain words; a link shows its own label or target."""
        return Prose(self.document, plain_name)

    def section_at(self, offset: int) -> TextSection | None:
        """Return the section in which a place of the text is, None before the first heading."""
        at = bisect_right(self.sections, offset, key=lambda section: section.start) - 1
        return self.sections[at] if at >= 0 else None

    @property
    def opening(self) -> tuple[int, int]:
        """Where the first paragraph begins and ends; a heading above it does not count."""
        text, start = self.document.text, self.document.start
        for heading in self.document.blocks.headings:
            if text[start : heading.start].strip():
                break
            start = heading.end
        start += len(text[start:]) - len(text[start:].lstrip())
        end = text.find("\n\n", start)
        return start, end if end >= 0 else len(text)

    @cached_property
    def minutes(self) -> int:
        """The time to read the text, in minutes."""
        return reading_minutes(self.text)

    @cached_property
    def quantities(self) -> tuple[Quantity, ...]:
        """The quantities of the prose, in the order of the text."""
        return tuple(quantities(self.document))

    @cached_property
    def quantities_outside_prose(self) -> tuple[QuantityOutsideProse, ...]:
        """The quantities of headings, formulas, code and tooltips."""
        return tuple(quantities_outside_prose(self.document))

    @property
    def text(self) -> str:
        """The Markdown without its front matter."""
        return self.document.text[self.document.start :]


def plain_name(token: Wiki | Citation) -> str:
    """Return how a wiki link or a citation reads if it is not resolved."""
    if isinstance(token, Wiki):
        return token.label or token.target
    return "; ".join(f"@{item.key}" for item in token.items)


def read_body(source: Source, start: int = 0, original: Sequence[TextSection] = ()) -> Body:
    """Scan a source from the offset ``start`` on.

    For a translation, ``original`` are the sections of the text that it translates. If the headings
    of both texts have the same levels in the same order, each takes the id of its original, so that
    a link to a section works in both languages.
    """
    document = scan(source.text, start)
    headings = document.blocks.headings
    words = Prose(document, plain_name)
    titles = [words.without_markup(h.text_start, h.text_start + len(h.text)) for h in headings]
    same = [h.level for h in headings] == [s.level for s in original]
    slugs = Slugs()
    ends = _ends(headings, len(source.text))
    sections: list[TextSection] = []
    for i, heading in enumerate(headings):
        wanted = original[i].id if original and same else heading.explicit_id
        if not wanted or not _GOOD_ID.match(wanted):
            wanted = slugify(titles[i])
        end = ends[i]
        sections.append(
            TextSection(heading.level, slugs.claim(wanted), titles[i], heading, heading.start, end)
        )
    return Body(source, document, tuple(sections))


def _ends(headings: Sequence[Heading], length: int) -> list[int]:
    """Return where each section ends: at the next heading of the same or a higher rank."""
    ends = [length] * len(headings)
    opened: list[int] = []
    for i, heading in enumerate(headings):
        while opened and headings[opened[-1]].level >= heading.level:
            ends[opened.pop()] = heading.start
        opened.append(i)
    return ends
