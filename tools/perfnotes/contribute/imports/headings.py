"""Headings of a page: one title, and below it levels from 2 on without a gap."""

from __future__ import annotations

from collections.abc import Iterator

from perfnotes.contribute.imports.imported_page import Change, ImportedPage

DEEPEST = 6


def levels(given: list[int]) -> list[int]:
    """The levels of the same outline if it begins at level 2 and no level is skipped."""
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
    """A step: headings get number signs instead of underlines, and the levels of ``levels``."""
    found = page.document.blocks.headings
    wanted = levels([h.level for h in found])
    moved = [(h, n) for h, n in zip(found, wanted, strict=True) if h.level != n]
    for heading, level in zip(found, wanted, strict=True):
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


def title_key(words: str) -> str:
    """A title without case, emphasis and code marks, to compare it with others."""
    return " ".join(words.replace("`", "").replace("*", "").replace("\\", "").split()).casefold()
