"""A page's text as Blocks: by section, in plain words, code apart."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.link.graph import Links
from perfnotes.note import Meta
from perfnotes.search.document import Block, split
from perfnotes.text.prose import Prose


def body_blocks(links: Links, meta: Meta) -> Iterator[Block]:
    """A page's blocks, first what stands above its first section or below its title alone."""
    body = links.text.body
    prose = links.prose
    title = body.title_section(meta.title)
    sections = body.sections[1:] if title else body.sections
    first = sections[0].start if sections else len(body.document.text)
    lead, code = _words(prose, links, body.document.start, title.start if title else first)
    if title:
        text, more = _words(prose, links, title.heading.end, first)
        lead, code = f"{lead} {text}", f"{code}\n{more}"
    yield from split("", "", f"{meta.description} {lead}", code)
    for i, section in enumerate(sections):
        following = sections[i + 1 : i + 2]
        end = following[0].start if following else len(body.document.text)
        text, code = _words(prose, links, section.heading.end, end)
        yield from split(section.id, section.title, text, code)


def _words(prose: Prose, links: Links, start: int, end: int) -> tuple[str, str]:
    """The plain words of a range, and the code of its fences."""
    document = links.text.body.document
    words: list[str] = []
    code: list[str] = []
    at = start
    for fence in document.blocks.fences:
        if fence.start < at or fence.start >= end:
            continue
        words.append(prose.plain(at, fence.start))
        inside = document.text[fence.info_end : fence.end]
        code.append(inside.rpartition("\n")[0] if fence.closed else inside)
        at = fence.end
    words.append(prose.plain(at, max(at, end)))
    return " ".join(words), "\n".join(code)
