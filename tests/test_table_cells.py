"""Rows of tables with other numbers of cells than the header."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine_of import findings_as_built

FRONT_MATTER = """---
title: Tables
description: A note.
tags: [cache]
level: introductory
date: 2026-01-01
---
"""
HEAD = "| a | b |\n|---|--:|\n"
RIGHT = [
    HEAD + "| 1 | 2 |\n| 1 |\n",
    HEAD + "| `x | y` | 2 |\n",
    HEAD + "| x \\| y | `a \\| b` |\n",
    HEAD + "| [[lines\\|a line]] | 2 |\n",
    "a | b\n---|---\n1 | 2\n",
    "> " + HEAD.replace("\n", "\n> ", 1) + "> | 1 | 2 |\n",
    "- one\n\n    | a | b |\n    |---|---|\n    | 1 | 2 |\n",
    "|x| is the size of x.\n",
    "    | a | b |\n    | 1 | 2 |\n",
    "Words `x\n| a | b\n| c | d`.\n",
    "```text\n" + HEAD + "| 1 | 2 | 3 |\n```\n",
]
WRONG = {
    HEAD + "| 1 | 2 | lost |\n": "a row has 3 cells, its header 2: the page drops the rest",
    HEAD + "| 1 | 2 | |\n": "a row has 3 cells, its header 2: the page drops the rest",
    "a | b\n---|---\n1 | 2 | 3\n": "a row has 3 cells, its header 2: the page drops the rest",
    "| a | b |\n|---|\n| 1 | 2 |\n": "the header has 2 cells, the line of dashes 1",
}
NO_TABLE = {
    "| a | b |\n| 1 | 2 |\n": 11,
    "> | a | b |\n> | 1 | 2 |\n": 11,
    "- | a | b |\n  | 1 | 2 |\n": 11,
    "| a | b |\n|---|===|\n| 1 | 2 |\n": 11,
    "| a | b |\n\n|---|---|\n| 1 | 2 |\n": 13,
}


def told(folder: Path, table: str) -> list[tuple[int, str]]:
    """Return the line and message of each finding about cells in a note with this table."""
    text = f"{FRONT_MATTER}\nText.\n\n{table}"
    found = findings_as_built(folder, {"caches/tables.md": text})
    return [(f.line, f.message) for f in found if f.code == "PN511"]


@pytest.mark.parametrize("table", RIGHT)
def test_right_tables(tmp_path: Path, table: str) -> None:
    assert told(tmp_path, table) == []


@pytest.mark.parametrize("table", WRONG)
def test_wrong_tables(tmp_path: Path, table: str) -> None:
    line = 12 if "dashes" in WRONG[table] else 13
    assert told(tmp_path, table) == [(line, WRONG[table])]


@pytest.mark.parametrize("table", NO_TABLE)
def test_rows_without_a_line_of_dashes_are_no_table(tmp_path: Path, table: str) -> None:
    message = "these rows are no table: the page shows each `|` as text"
    assert told(tmp_path, table) == [(NO_TABLE[table], message)]
