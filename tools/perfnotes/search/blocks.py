"""A page's text as Blocks: one or more for each section, in plain words and separate code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.graph.links import Links
from perfnotes.model.note import Meta
from perfnotes.search.document import Block, split
from perfnotes.text.body import plain_name
from perfnotes.text.inline import scan
from perfnotes.text.prose import Prose
from perfnotes.text.tokens import MarkdownDocument

_LINE = re.compile(r"[^\n]+")
_DELIMITER = re.compile(r":?-+:?$")
_MARKUP = re.compile(r"[\\`*_\[\]<>$~=|#\n]|^[-+]")


def body_blocks(links: Links, meta: Meta) -> Iterator[Block]:
    """Yield the blocks of a page.

    The first blocks have no heading. They hold the description and the text before the first
    section; if the body repeats the title as a heading, also the text directly below the title.
    """
    body = links.text.body
    prose = links.prose
    title = body.title_section(meta.title)
    sections = body.sections[1:] if title else body.sections
    first = sections[0].start if sections else len(body.document.text)
    lead, code = _words(prose, links, body.document.start, title.start if title else first)
    if title:
        text, more = _words(prose, links, title.heading.end, first)
        lead, code = f"{lead} {text}", f"{code}\n{more}"
    yield from split("", "", f"{without_markup(meta.description)} {lead}", code)
    for i, section in enumerate(sections):
        following = sections[i + 1 : i + 2]
        end = following[0].start if following else len(body.document.text)
        text, code = _words(prose, links, section.heading.end, end)
        yield from split(section.id, section.title, text, code)


def plain_blocks(markdown: str) -> tuple[Block, ...]:
    """Return a short Markdown text, such as a definition, as blocks without a heading."""
    return tuple(split("", "", without_markup(markdown), ""))


def without_markup(markdown: str) -> str:
    """Return a short Markdown text without its markup."""
    if not _MARKUP.search(markdown):
        return markdown
    document = scan(markdown)
    return _passage(Prose(document, plain_name), document, 0, len(markdown))


def _words(prose: Prose, links: Links, start: int, end: int) -> tuple[str, str]:
    """Return the plain words of a range of the body, and the code of its fenced blocks."""
    document = links.text.body.document
    words: list[str] = []
    code: list[str] = []
    at = start
    for fence in document.blocks.fences:
        if fence.start < at or fence.start >= end:
            continue
        words.append(_passage(prose, document, at, fence.start))
        inside = document.text[fence.info_end : fence.end]
        code.append(inside.rpartition("\n")[0] if fence.closed else inside)
        at = fence.end
    words.append(_passage(prose, document, at, max(at, end)))
    return " ".join(words), "\n".join(code)


def _passage(prose: Prose, document: MarkdownDocument, start: int, end: int) -> str:
    """Return the plain words of a range without fences; cells of tables are separated by dots."""
    words: list[str] = []
    at = start
    for first, last in document.blocks.tables:
        if at <= first < end:
            words += [prose.without_markup(at, first), _table(prose, document.text, first, last)]
            at = last
    words.append(prose.without_markup(at, max(at, end)))
    return " ".join(words)


def _table(prose: Prose, text: str, start: int, end: int) -> str:
    rows: list[str] = []
    for line in _LINE.finditer(text, start, end):
        cells = [cell for cell in prose.cells(line.start(), line.end()) if cell]
        if cells and not all(_DELIMITER.match(cell) for cell in cells):
            rows.append(" · ".join(cells))
    return "; ".join(rows) + "." if rows else ""
