"""Lists, definitions and tables of HTML as blocks of Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from perfnotes.contribute.imports.escape import escape_bars
from perfnotes.contribute.imports.htmltree import HtmlElement, HtmlText
from perfnotes.contribute.imports.htmlwords import SILENT, Block, around

if TYPE_CHECKING:
    from perfnotes.contribute.imports.htmlwriter import Writer


def list_of(writer: Writer, element: HtmlElement) -> list[Block]:
    """Return one block with all items; a list between two items becomes a part of the first."""
    ordered = element.tag == "ol"
    start = element.attributes.get("start", "1")
    number = int(start) if start.isascii() and start.isdecimal() and len(start) < 7 else 1
    items: list[list[Block]] = []
    for child in element.children:
        if isinstance(child, HtmlText):
            if child.data.strip():
                items.append(writer.blocks([child]))
        elif child.tag == "li":
            items.append(writer.blocks(child.children))
        elif child.tag not in SILENT:
            inner = writer.blocks([child])
            if items and child.tag in ("ul", "ol"):
                items[-1].extend(inner)
            elif inner:
                items.append(inner)
    lines: list[str] = []
    first = element.line
    tight = all(len(item) <= 1 or _tail_is_list(item) for item in items)
    for item in items:
        marker = f"{number}. " if ordered else "- "
        number += 1
        pad = " " * len(marker)
        text = ("\n" if tight else "\n\n").join(t for _, t in item)
        shifted = [pad + row if row else "" for row in text.split("\n")]
        lines.append((marker + "\n".join(shifted)[len(pad) :]).rstrip() if text else "")
    joined = ("\n" if tight else "\n\n").join(row for row in lines if row)
    return [(first, joined)] if joined else []


def definitions_of(writer: Writer, element: HtmlElement) -> list[Block]:
    """Return each term in bold, and the blocks of its definitions after it."""
    out: list[Block] = []
    for child in element.children:
        if isinstance(child, HtmlElement) and child.tag == "dt":
            words = writer.inline(child.children).strip()
            if words:
                out.append((child.line, around("**", words)))
        elif isinstance(child, HtmlElement) and child.tag == "dd":
            out.extend(writer.blocks(child.children))
        else:
            out.extend(writer.blocks([child]))
    return out


def table_of(writer: Writer, element: HtmlElement) -> list[Block]:
    """Return a table, or the blocks of its cells if Markdown has no such table."""
    rows: list[list[HtmlElement]] = []
    rest: list[Block] = []
    _rows(writer, element, rows, rest)
    flat = all(not _is_deep(cell) for row in rows for cell in row)
    width = max((_width(row) for row in rows), default=0)
    if not flat or width < 1 or (width == 1 and len(rows) == 1):
        if rows and width > 1:
            writer.tell(element.line, "a table with lists, code or tables in its cells became text")
        for row in rows:
            for cell in row:
                rest.extend(writer.blocks(cell.children))
        return rest
    cells = [_cells(writer, row, width) for row in rows]
    heads = rows[0] and all(cell.tag == "th" for cell in rows[0])
    if not heads:
        writer.tell(element.line, "the table has no row of headings: its first row is one now",
                  "move it below the line of hyphens, or name the columns")  # fmt: skip
    lines = [f"| {' | '.join(row)} |" for row in cells]
    lines.insert(1, "|" + " --- |" * width)
    return [*rest, (element.line, "\n".join(lines))]


def _rows(
    writer: Writer, element: HtmlElement, rows: list[list[HtmlElement]], rest: list[Block]
) -> None:
    for child in element.children:
        if isinstance(child, HtmlText):
            if child.data.strip():
                rest.extend(writer.blocks([child]))
        elif child.tag == "tr":
            rows.append([])
            for cell in child.children:
                if isinstance(cell, HtmlElement) and cell.tag in ("td", "th"):
                    rows[-1].append(cell)
                elif isinstance(cell, HtmlElement) or cell.data.strip():
                    rows[-1].append(HtmlElement("td", {}, cell.line, [cell]))
            if not rows[-1]:
                rows.pop()
        elif child.tag in ("thead", "tbody", "tfoot"):
            _rows(writer, child, rows, rest)
        else:
            rest.extend(writer.blocks([child]))


def _cells(writer: Writer, row: list[HtmlElement], width: int) -> list[str]:
    out: list[str] = []
    for cell in row:
        parts = [t for _, t in writer.blocks(cell.children)]
        words = "<br>".join(p.replace("\n", " ") for p in parts)
        out.append(escape_bars(words).strip())
        out.extend([""] * (_span(cell) - 1))
    return [*out, *([""] * (width - len(out)))]


def _is_deep(cell: HtmlElement) -> bool:
    """Whether a cell holds a block that no cell of a Markdown table can hold."""
    return cell.find("ul", "ol", "pre", "table", "blockquote", "h1", "h2", "h3", "h4") is not None


def _span(cell: HtmlElement) -> int:
    given = cell.attributes.get("colspan", "1")
    is_short = len(given) < 4 and given.isascii() and given.isdecimal()
    return int(given) if is_short and 0 < int(given) < 40 else 1


def _width(row: list[HtmlElement]) -> int:
    return sum(_span(cell) for cell in row)


def _tail_is_list(item: list[Block]) -> bool:
    """Whether all blocks of an item but the first are lists."""
    return all(re.match(r"(?:[-*+]|\d+\.) ", text) for _, text in item[1:])
