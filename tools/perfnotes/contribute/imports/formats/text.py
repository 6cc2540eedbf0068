"""Plain text: paragraphs, underlined headings, lists and indented code."""

from __future__ import annotations

import re
from collections.abc import Callable

from perfnotes.contribute.imports import codelang
from perfnotes.contribute.imports.escape import escape, fence, line_start
from perfnotes.contribute.imports.fields import Fields
from perfnotes.contribute.imports.imported_page import Guess, ImportedPage

ENDINGS = ("txt", "text")

Put = Callable[[str, int], None]

_ITEM = re.compile(
    r"(?P<lead>[ \t]{0,8})(?:(?P<bullet>[-*+•·◦‣○●])|(?P<number>\d{1,3})[.)、])[ \t]+(?=\S)"
)
_UNDERLINE = re.compile(r"[ \t]{0,3}(=+|-+|~+|\*+)[ \t]*$")
_CODE = re.compile(r"(?: {4}|\t)[ \t]*\S")
_CHAPTER = re.compile(
    r"(?:[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十\d]{1,3}[章节])\s*\S"
)


def likely(text: str) -> bool:
    del text
    return True


def read(path: str, text: str) -> tuple[Fields, ImportedPage]:
    rows = [row.rstrip() for row in text.split("\n")]
    out: list[str] = []
    lines: list[int] = []
    guesses: list[Guess] = []
    i = 0

    def put(block: str, row: int) -> None:
        for part in block.split("\n"):
            out.append(part)
            lines.append(row + 1)

    while i < len(rows):
        row = rows[i]
        if not row.strip():
            put("", i)
            i += 1
        elif (level := _heading(rows, i)) > 0:
            words = row.strip()
            put(f"{'#' * level} {escape(words)}", i)
            put("", i)
            two = i + 1 < len(rows) and _UNDERLINE.match(rows[i + 1]) is not None
            how = "it is underlined" if two else "it is numbered as a chapter"
            mend = "remove the number signs if it is no heading"
            guesses.append(Guess(path, i + 1, f"a heading: {words[:60]!r}, as {how}", mend))
            i += 2 if two else 1
        elif _CODE.match(row) and (i == 0 or not rows[i - 1].strip()) and not _ITEM.match(row):
            i = _code(path, rows, i, put, guesses)
        else:
            put(_line(row), i)
            i += 1
    return Fields(), ImportedPage(path, "\n".join(out), tuple(lines), tuple(guesses))


def _heading(rows: list[str], i: int) -> int:
    """The level of the heading in line ``i``, or 0."""
    words = rows[i].strip()
    alone = i == 0 or not rows[i - 1].strip()
    if i + 1 < len(rows) and alone and not _ITEM.match(rows[i]) and any(c.isalnum() for c in words):
        under = _UNDERLINE.match(rows[i + 1])
        if under and len(under[1]) >= max(3, len(words) // 2):
            return 1 if under[1][0] in "=*" else 2
    if alone and len(words) < 40 and _CHAPTER.match(words):
        return 2
    return 0


def _code(path: str, rows: list[str], i: int, put: Put, guesses: list[Guess]) -> int:
    """Write the indented code that begins at row ``i``; return the row after it."""
    j = last = i
    while j < len(rows) and (not rows[j].strip() or _CODE.match(rows[j])):
        if rows[j].strip():
            last = j
        j += 1
    block = [row.expandtabs(4) for row in rows[i : last + 1]]
    least = min(len(row) - len(row.lstrip()) for row in block if row.strip())
    code = "\n".join(row[least:] for row in block)
    language, why = codelang.guess(code)
    mend = "name the language after the opening marks; remove the fence if it is no code"
    guesses.append(Guess(path, i + 1, f"indented lines became code: {language}, as {why}", mend))
    made = fence(code, language).split("\n")
    put(made[0], i)
    for k, line in enumerate(made[1:-1]):
        put(line, i + k)
    put(made[-1], last)
    return last + 1


def _line(row: str) -> str:
    item = _ITEM.match(row)
    if item:
        lead = item["lead"].expandtabs(4)
        pad = " " * (len(lead) // 2 * 2)
        marker = f"{item['number']}." if item["number"] else "-"
        return f"{pad}{marker} {line_start(escape(row[item.end() :]))}"
    return line_start(escape(row.strip()))
