"""Splits a long page at its headings into several parts."""

from __future__ import annotations

import re

from msgspec import Struct

from perfnotes.contribute.imports.imported_page import ImportedPage

_FOOTNOTE = re.compile(r"\[\^([^\[\]\s]+)\]:?")


class SplitPart(Struct, frozen=True):
    """A part of a page, from the source line ``line`` on.

    ``title`` is empty for the text before the first heading, and for a page that is not split.
    """

    title: str
    page: ImportedPage
    line: int = 1


def parts(page: ImportedPage, level: int) -> list[SplitPart]:
    """Split a page before each heading of at most this level, except before the page's title."""
    found = page.document.blocks.headings
    title = found[0] if found and found[0].level == 1 else None
    alone = title is not None and sum(h.level == 1 for h in found) == 1
    cuts = [h for h in found if h.level <= level and not (alone and h is title)]
    cuts = [h for h in cuts if page.line_start(h.start) == h.start]
    if not cuts:
        return [SplitPart("", page)]
    footnotes = _footnotes(page)
    made = []
    ends = [*(h.start for h in cuts), len(page.text)]
    first = _part(page, "", 0, ends[0], footnotes)
    if first.page.text.strip():
        made.append(first)
    for heading, end in zip(cuts, ends[1:], strict=True):
        made.append(_part(page, heading.text, heading.end, end, footnotes))
    return made


def _part(
    page: ImportedPage, title: str, start: int, end: int, footnotes: dict[str, tuple[int, int]],
) -> SplitPart:  # fmt: skip
    """The part between two offsets, with all footnotes that it uses and no others of the page.

    ``footnotes`` are the spans of the page's footnotes by label.
    """
    pieces: list[str] = []
    lines: list[int] = []

    def add(a: int, b: int) -> None:
        if a >= b:
            return
        rows = page.text[a:b].split("\n")
        first = page.row(a)
        if pieces and not pieces[-1].endswith("\n"):
            pieces.append("\n")
        pieces.append(page.text[a:b])
        lines.extend(page.lines[first : first + len(rows) - (rows[-1] == "")])

    inside = page.text[start:end]
    own = {label for label, (a, _) in footnotes.items() if start <= a < end}
    away = {x for x in own if not _used(inside, x) and _used(page.text, x)}
    at = start
    for a, b in sorted(footnotes[x] for x in away):
        add(at, a)
        at = max(at, b)
    add(at, end)
    used = dict.fromkeys(_FOOTNOTE.findall(inside))
    wanted = [x for x in used if x in footnotes and x not in own]
    for label in wanted:
        if not "".join(pieces[-2:]).endswith("\n\n"):
            pieces.append("\n\n")
            lines.append(lines[-1] if lines else 1)
        add(*footnotes[label])
        more = _FOOTNOTE.findall(page.text[slice(*footnotes[label])])
        wanted += [x for x in more if x in footnotes and x not in own and x not in wanted]
    text = "".join(pieces)
    need = text.count("\n") + 1
    lines = (lines + [lines[-1] if lines else 1] * need)[:need]
    source = page.line(start) if start < len(page.text) else page.lines[-1]
    return SplitPart(title, ImportedPage(page.path, text, tuple(lines)), source)


def _footnotes(page: ImportedPage) -> dict[str, tuple[int, int]]:
    """The span of each footnote by label: its line, and the indented lines after it."""
    found: dict[str, tuple[int, int]] = {}
    text = page.text
    for start in page.document.blocks.footnotes:
        if page.line_start(start) != start:
            continue
        label = _FOOTNOTE.match(text, start)
        end = _line_end(text, start)
        while end < len(text):
            stop = _line_end(text, end)
            row = text[end:stop]
            if row.strip() and not row.startswith(("    ", "\t")):
                break
            ahead = text[stop:].lstrip("\n") if not row.strip() else row
            if not row.strip() and not ahead.startswith(("    ", "\t")):
                break
            end = stop
        if label and label[1] not in found:
            found[label[1]] = (start, end)
    return found


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _used(text: str, label: str) -> bool:
    """Whether a text refers to a footnote; the footnote itself does not count."""
    return (
        re.search(
            rf"(?<!^)\[\^{re.escape(label)}\]|^\[\^{re.escape(label)}\](?!:)", text, re.MULTILINE
        )
        is not None
    )
