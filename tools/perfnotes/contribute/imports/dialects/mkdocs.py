"""MkDocs and Material for MkDocs: admonitions become callouts, tabs become paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perfnotes.contribute.imports.dialects import obsidian
from perfnotes.contribute.imports.imported_page import Change, ImportedPage

_HEAD = re.compile(
    r"^(?P<lead>[ >]*)(?P<mark>!!!|\?\?\?\+?|===[!+]{0,2})[ ]+"
    r"(?P<kinds>(?:[\w-]+[ ]*)*)(?:\"(?P<title>[^\n]*)\")?[ ]*$"
)
_INDENT = "    "


def changes(page: ImportedPage) -> Iterator[Change]:
    """Change one line at a time, so that each keeps its source line.

    A block within another one is changed in the next round.
    """
    lines = page.text.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    row = 0
    while row < len(lines):
        head = _HEAD.match(lines[row])
        last = _last_of_body(lines, row, head["lead"]) if head else row
        is_tab = bool(head and head["mark"].startswith("=") and head["title"])
        is_box = bool(head and not head["mark"].startswith("=") and head["kinds"])
        if not head or not (is_tab or is_box) or page.is_verbatim(offsets[row] + head.end("lead")):
            row += 1
            continue
        lead, before = head["lead"], "" if is_tab else "> "
        new, said = _tab(head["title"] or "") if is_tab else _box(lead, head)
        if is_tab and row + 1 < len(lines) and lines[row + 1].strip(" >"):
            new += f"\n{lead.rstrip()}"
        at = offsets[row] + len(lead)
        yield Change(at, offsets[row + 1] - 1, new, said)
        for each in range(row + 1, last + 1):
            start, line = offsets[each], lines[each]
            if line.startswith(lead + _INDENT):
                yield Change(start + len(lead), start + len(lead) + len(_INDENT), before)
            elif before:
                yield Change(start, start + len(line), f"{lead}>")
        if last + 1 < len(lines) and lines[last + 1].strip(" >"):  # else it would belong to the box
            yield Change(offsets[last + 1], offsets[last + 1], f"{lead.rstrip()}\n")
        row = last + 1


def _last_of_body(lines: list[str], row: int, lead: str) -> int:
    """Return the last line that is indented below the line ``row``, or ``row`` if there is none."""
    last = row
    for each in range(row + 1, len(lines)):
        if lines[each].startswith(lead + _INDENT) and lines[each].strip(" >"):
            last = each
        elif lines[each].strip(" >"):
            break
    return last


def _box(lead: str, head: re.Match[str]) -> tuple[str, str]:
    given = head["kinds"].split()[0]
    kind = obsidian.kind_of(given) or "NOTE"
    title = head["title"]
    if title is None:  # MkDocs shows the kind in its place
        title = "" if given.upper() == kind else given.capitalize()
    new = f"> [!{kind}]"
    if title:
        new += (
            f"\n{lead}> **{title}**\n{lead}>" if "*" not in title else f"\n{lead}> {title}\n{lead}>"
        )
    said = f"the admonition {given!r} became [!{kind}]"
    if head["mark"].startswith("?"):
        said += ", which cannot be folded"
    return new, said


def _tab(title: str) -> tuple[str, str]:
    return (
        f"**{title}**" if "*" not in title else title
    ), "a tab became a paragraph with its title"
