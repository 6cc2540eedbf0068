"""Tables of MediaWiki's markup as tables of Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable

from perfnotes.contribute.imports.escape import escape_bars
from perfnotes.contribute.imports.formats._wiki import Stash

Inline = Callable[[str], str]  # makes Markdown of the words of a cell

ITEM = re.compile(r"([*#:;]+)[ \t]*")
_ATTRIBUTES = re.compile(r"\s*(?:[\w-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'|\S+)\s*)+")


def table_end(rows: list[str], i: int) -> int:
    """Return the number of the row after the table that begins at row ``i``."""
    depth = 0
    for j in range(i, len(rows)):
        row = rows[j].lstrip()
        depth += row.startswith("{|")
        depth -= row.startswith("|}")
        if depth == 0:
            return j + 1
    return len(rows)


def table_of(rows: list[str], stash: Stash, inline: Inline) -> list[str]:
    """Return the rows of a table in Markdown; attributes of rows and cells are kept aside."""
    caption = ""
    table: list[list[str]] = []
    for row in rows:
        bare = row.strip()
        if bare.startswith(("{|", "|-")):
            attributes = bare[2:].strip("- ")
            if bare.startswith("|-") or not table:
                table.append([])
            if "\ue000" in attributes:  # a placeholder stands for text
                table[-1].append(attributes)
            elif attributes:
                stash.asides.append(attributes)
        elif bare.startswith("|}"):
            if bare[2:].strip():
                table.append([bare[2:].strip()])
        elif bare.startswith("|+"):
            caption += " " + bare[2:].strip()
        elif bare[:1] in ("|", "!"):
            table = table or [[]]
            for cell in re.split(r"\|\||!!" if bare[0] == "!" else r"\|\|", bare[1:]):
                before, bar, words = cell.partition("|")
                has_attributes = bar and _ATTRIBUTES.fullmatch(before)
                stash.asides += [before.strip()] if has_attributes else []
                table[-1].append(words if has_attributes else cell)
        elif bare:
            if not table or not table[-1]:
                table = table or [[]]
                table[-1].append("")
            item = ITEM.match(bare)
            words = f"• {bare[item.end() :]}" if item else bare
            joint = "<br>" if table[-1][-1].strip() else ""
            table[-1][-1] += joint + words
    cells = [[_cell(c, stash, inline) for c in row] for row in table if row]
    if not cells:
        return [inline(caption)] if caption.strip() else []
    width = max(len(row) for row in cells)
    made = [f"| {' | '.join([*row, *([''] * (width - len(row)))])} |" for row in cells]
    made.insert(1, "|" + " --- |" * width)
    head = [inline(caption.strip()), ""] if caption.strip() else []
    return [*head, *made]


def _cell(words: str, stash: Stash, inline: Inline) -> str:
    made = stash.restore(inline(words.strip()))
    if "\n" in made:
        made = " ".join(made.split())
    return escape_bars(made)
