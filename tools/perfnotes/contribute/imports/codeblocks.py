"""Steps for the code of a Markdown page: every block becomes a closed fence with a language."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.contribute.imports import codelang
from perfnotes.contribute.imports.escape import fence
from perfnotes.contribute.imports.imported_page import Change, ImportedPage
from perfnotes.text.tokens import Fence

_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_MOST_ROWS = 4000  # lines of a page in which list items around indented code are looked for
_NEAR = 60  # lines before indented code in which the marker of its list item is looked for
_MEND = "name it after the opening marks"


def closed(page: ImportedPage) -> Iterator[Change]:
    """Close each fence that is not closed at the end of its text."""
    for each in page.document.blocks.fences:
        if each.closed:
            continue
        lead = page.text[page.line_start(each.start) : each.start]
        marks = page.text[each.start : each.info_start]
        lead = re.sub(r"[^\s>]", " ", lead)
        start = "" if page.text[each.end - 1 : each.end] == "\n" else "\n"
        said = "a code fence was never closed: it is closed at the end of its text"
        yield Change(
            each.end, each.end, f"{start}{lead}{marks}", said, "move its end to the right place"
        )


def languages(page: ImportedPage) -> Iterator[Change]:
    """Give each fence a language, by the name that our notes use for it."""
    for each in page.document.blocks.fences:
        info = page.text[each.info_start : each.info_end]
        at = info.find(each.language) + each.info_start
        behind = at + len(each.language)
        if each.language and not page.text.startswith("=", behind):
            name = codelang.our_name(each.language)
            if name != each.language:
                name, said = (name, "") if name else _instead(page, each)
                yield Change(at, behind, name, said, _MEND if said else "")
            continue
        language, why = codelang.guess(_inside(page, each))
        rest = f" {info.strip()}" if info.strip() else ""
        said = f"code without a language: {language}, as {why}"
        if rest:
            said += f"; {info.strip()!r} after its marks is kept aside"
        yield Change(each.info_start, each.info_end, language, said, _MEND, rest.strip())


def _instead(page: ImportedPage, found: Fence) -> tuple[str, str]:
    """Return a guess for a fence in an unknown language, and what the report says of it."""
    language, why = codelang.guess(_inside(page, found))
    return language, f"the unknown language {found.language!r} became {language}, as {why}"


def _inside(page: ImportedPage, found: Fence) -> str:
    lines = page.text[found.info_end : found.end].split("\n")[1:]
    return "\n".join(line.lstrip("> ") if line.startswith(">") else line for line in lines[:-1])


def indented(page: ImportedPage) -> Iterator[Change]:
    """Put indented code into fences."""
    text = page.text
    fences = {f.start for f in page.document.blocks.fences}
    group: list[tuple[int, int]] = []
    for start, end in [*sorted(set(page.document.blocks.code)), (len(text) + 2, len(text) + 2)]:
        is_indented = text[start : start + 1] in (" ", "\t") and start not in fences
        if group and not (is_indented and not text[group[-1][1] : start].strip()):
            yield from _fenced(page, group)
            group = []
        if is_indented:
            group.append((start, end))


def _fenced(page: ImportedPage, group: list[tuple[int, int]]) -> Iterator[Change]:
    start, end = group[0][0], group[-1][1]
    if page.line_start(start) != start:
        return  # in a quote
    rows = [row.expandtabs(4) for row in page.text[start:end].split("\n")]
    least = min(len(row) - len(row.lstrip()) for row in rows if row.strip())
    base = _base(page, start, least)
    code = "\n".join(row[base + 4 :] for row in rows)
    language, why = codelang.guess(code)
    pad = " " * base
    made = "\n".join(pad + row if row else "" for row in fence(code, language).split("\n"))
    said = f"indented code became a fence: {language}, as {why}"
    yield Change(start, end, made, said, _MEND)


def _base(page: ImportedPage, start: int, least: int) -> int:
    """The column at which the text of the surrounding list item begins, or 0 outside of lists.

    ``least`` is the smallest indentation of the code's lines.
    """
    row = page.row(start) - 1
    # Each block splits the text before it again, so on very long pages this is not done.
    lines = page.text.split("\n", row + 1)[: row + 1] if row < _MOST_ROWS else []
    for line in reversed(lines[-_NEAR:]):
        if not line.strip():
            continue
        marker = _MARKER.match(line)
        if marker:
            column = len(marker[0].expandtabs(4))
            if column <= least - 4:
                return column
        elif line[0] not in " \t":
            return 0
    return 0
