"""The parts of a Markdown text: blocks and inline parts, each with its place.

Offsets count characters of the text; ``end`` is the offset after the last character.
"""

from __future__ import annotations

from msgspec import Struct, field


class Heading(Struct, frozen=True):
    """A heading. ``start``..``end`` is its whole source; ``text_start`` is where its words begin.

    ``explicit_id`` and ``attributes`` are what its ``{#id .class}`` gives, or "".
    """

    level: int
    start: int
    end: int
    text: str
    text_start: int
    explicit_id: str
    attributes: str


class Fence(Struct, frozen=True):
    """A fenced code block; its info string runs from ``info_start`` to ``info_end``.

    ``language`` is the first word of the info string. ``closed`` says that a fence ends the block,
    and not the end of the text or of the list item or quote around it.
    """

    start: int
    end: int
    language: str
    info_start: int
    info_end: int
    closed: bool


class Definition(Struct, frozen=True):
    """A link definition, ``[label]: destination "title"``; ``label`` is in lower case."""

    label: str
    start: int
    dest_start: int
    dest_end: int
    end: int


class TextEdit(Struct, frozen=True):
    """Replace ``start``..``end`` by ``new``."""

    start: int
    end: int
    new: str


class Blocks(Struct):
    """What the block scanner found."""

    headings: list[Heading] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    display_math: list[tuple[int, int, str]] = field(default_factory=list)  # with the TeX
    tables: list[tuple[int, int]] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)  # includes comments and raw HTML
    footnotes: list[int] = field(default_factory=list)  # where each definition begins
    quotes: list[int] = field(default_factory=list)  # where the words of each quote begin
    breaks: list[int] = field(default_factory=list)  # where a paragraph or item begins or ends
    edits: list[TextEdit] = field(default_factory=list)  # in the order of ``start``


class Link(Struct, frozen=True):
    """``[label](dest)``, an image, a reference link, an autolink or an HTML tag, by ``kind``.

    kind: ``inline``, ``image``, ``reference``, ``image-reference``, ``auto``, or ``html`` for the
    address in an ``<a>`` or ``<img>``, which has no label here. A reference has its destination in
    a definition, so its ``dest`` is that definition's label, and its range is empty.
    """

    kind: str
    start: int
    end: int
    label_start: int
    label_end: int
    dest: str
    dest_start: int
    dest_end: int


class Wiki(Struct, frozen=True):
    """``[[target]]`` or ``[[target|label]]``; ``embed`` says that a ``!`` stands before it."""

    start: int
    end: int
    target: str
    label: str
    embed: bool = False


class CiteItem(Struct, frozen=True):
    """One reference of a citation: ``prefix`` and ``locator`` are the words around its key."""

    key: str
    key_start: int
    prefix: str
    locator: str
    suppress_author: bool


class Citation(Struct, frozen=True):
    """A bracketed group of citations, or a narrative one (``@key`` in running text)."""

    start: int
    end: int
    items: tuple[CiteItem, ...]
    narrative: bool


class Math(Struct, frozen=True):
    """A formula in TeX, without its dollar signs."""

    start: int
    end: int
    tex: str
    display: bool


class FootnoteMark(Struct, frozen=True):
    """``[^label]``, whether it refers to a footnote or begins its definition."""

    start: int
    end: int
    label: str


class HtmlTag(Struct, frozen=True):
    """A raw HTML tag; ``name`` in lower case, with a leading slash for an end tag."""

    start: int
    end: int
    name: str


class Attributes(Struct, frozen=True):
    """An attribute list, ``{#id .class key=value}``."""

    start: int
    end: int


class Excess(Struct, frozen=True):
    """The reason why a text is shown as its source.

    ``what`` names what the text has too much of, and ``at`` is the offset where that begins.
    """

    at: int
    what: str


class MarkdownDocument(Struct):
    """A scanned text: its blocks and inline parts. ``start`` is where its front matter ends."""

    text: str
    start: int
    blocks: Blocks
    links: list[Link] = field(default_factory=list)
    wikis: list[Wiki] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    maths: list[Math] = field(default_factory=list)
    footnotes: list[FootnoteMark] = field(default_factory=list)
    tags: list[HtmlTag] = field(default_factory=list)
    attributes: list[Attributes] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)  # as in ``blocks``, and code spans
    escapes: list[int] = field(default_factory=list)  # where each escaping backslash is
    edits: list[TextEdit] = field(default_factory=list)  # of inline parts that the engine misreads
    not_highlighted: list[Fence] = field(default_factory=list)  # shown as plain text
    excess: Excess | None = None  # if set, all of the text is treated as code
