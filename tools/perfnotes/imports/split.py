"""One long page as several: a part for each heading of a level, and what stands before the first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from perfnotes.imports.lined import Page

_NOTE = re.compile(r"\[\^([^\[\]\s]+)\]:?")


@dataclass(frozen=True)
class Part:
    """``title`` is empty for the text before the first heading, and for a page left whole."""

    title: str
    page: Page
    line: int = 1


def parts(page: Page, level: int) -> list[Part]:
    """The page cut before every heading of ``level`` or above, but its own title."""
    found = page.document.blocks.headings
    title = found[0] if found and found[0].level == 1 else None
    alone = title is not None and sum(h.level == 1 for h in found) == 1
    cuts = [h for h in found if h.level <= level and not (alone and h is title)]
    cuts = [h for h in cuts if page.line_start(h.start) == h.start]
    if not cuts:
        return [Part("", page)]
    notes = _notes(page)
    spans = sorted(notes.values())
    made = []
    ends = [*(h.start for h in cuts), len(page.text)]
    first = _part(page, "", 0, ends[0], notes, spans)
    if first.page.text.strip():
        made.append(first)
    for heading, end in zip(cuts, ends[1:], strict=True):
        made.append(_part(page, heading.text, heading.end, end, notes, spans))
    return made


def _part(
    page: Page, title: str, start: int, end: int, notes: dict[str, tuple[int, int]],
    spans: list[tuple[int, int]],
) -> Part:  # fmt: skip
    """The text between two offsets with the footnotes that it uses, and none that it does not."""
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

    own = [s for s in spans if start <= s[0] < end]
    at = start
    for a, b in own:
        add(at, a)
        at = max(at, b)
    add(at, end)
    body = "".join(pieces)
    wanted = [label for label in dict.fromkeys(_NOTE.findall(body)) if label in notes]
    unused = [label for label, s in notes.items() if s in own and not _used(page, label, notes)]
    for label in list(wanted) + [u for u in unused if u not in wanted]:
        a, b = notes[label]
        inside = page.text[a:b]
        wanted += [w for w in _NOTE.findall(inside) if w in notes and w not in wanted]
    for label in dict.fromkeys([*wanted, *unused]):
        if pieces and not "".join(pieces[-2:]).endswith("\n\n"):
            pieces.append("\n\n")
            lines.append(lines[-1] if lines else 1)
        add(*notes[label])
    text = "".join(pieces)
    need = text.count("\n") + 1
    lines = (lines + [lines[-1] if lines else 1] * need)[:need]
    source = page.line(start) if start < len(page.text) else page.lines[-1]
    return Part(title, Page(page.path, text, tuple(lines)), source)


def _notes(page: Page) -> dict[str, tuple[int, int]]:
    """Where each footnote is defined: its line and the indented ones that follow."""
    found: dict[str, tuple[int, int]] = {}
    text = page.text
    for start in page.document.blocks.footnotes:
        if page.line_start(start) != start:
            continue
        label = _NOTE.match(text, start)
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


def _used(page: Page, label: str, notes: dict[str, tuple[int, int]]) -> bool:
    mark = f"[^{label}]"
    at = page.text.find(mark)
    while at >= 0:
        if at != notes[label][0]:
            return True
        at = page.text.find(mark, at + 1)
    return False


def headings(page: Page) -> Iterator[str]:
    """The words of a page's headings."""
    for heading in page.document.blocks.headings:
        yield heading.text
