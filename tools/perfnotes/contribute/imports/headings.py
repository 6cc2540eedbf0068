"""Headings of a page: one title, and below it levels from 2 on without a gap."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.contribute.imports.lined import Change, ImportedPage
from perfnotes.text.tokens import Heading

DEEPEST = 6


def levels(given: list[int]) -> list[int]:
    """The same outline from level 2 on: each heading at most one below the one that holds it."""
    out: list[int] = []
    opened: list[tuple[int, int]] = []
    for level in given:
        while opened and opened[-1][0] >= level:
            opened.pop()
        new = min(opened[-1][1] + 1 if opened else 2, DEEPEST)
        opened.append((level, new))
        out.append(new)
    return out


def normalised(page: ImportedPage) -> Iterator[Change]:
    """Number signs for underlines, and levels that fit."""
    found = page.document.blocks.headings
    wanted = levels([h.level for h in found])
    moved = [(h, n) for h, n in zip(found, wanted, strict=True) if h.level != n]
    for i, (heading, level) in enumerate(zip(found, wanted, strict=True)):
        text = page.text
        first = bool(moved) and heading is moved[0][0]
        said = ""
        if first:
            said = (
                f"headings moved: {len(moved)} of {len(found)} have another level, "
                f"from here on ({'#' * heading.level} became {'#' * level})"
            )
        mend = "a note's text begins with ##, and no level is skipped" if first else ""
        if text[heading.start] == "#":
            if level != heading.level:
                end = heading.start + heading.level
                yield Change(heading.start, end, "#" * level, said, mend)
        else:
            words = heading.text.strip()
            yield Change(heading.start, heading.end, f"{'#' * level} {words}", said, mend)
        del i


def plain(words: str) -> str:
    """Words without emphasis and code marks, to compare titles."""
    return " ".join(words.replace("`", "").replace("*", "").replace("\\", "").split()).casefold()


def removed(heading: Heading) -> Iterator[Change]:
    """The page without a heading whose words are its title now."""
    yield Change(heading.start, heading.end, "")
