"""What ``perfnotes import`` makes of pages of MkDocs, and of names and links of daily notes."""

from __future__ import annotations

import pytest

from perfnotes.contribute.imports.dialects.mkdocs import changes
from perfnotes.contribute.imports.imported_page import ImportedPage, run
from perfnotes.contribute.imports.naming import date_in, slug, title
from perfnotes.contribute.imports.steps import attributes
from perfnotes.text.body import read_body
from perfnotes.text.source import Source

BOXES = {
    '!!! warning "Careful"\n    Do not.\n\n    Twice.\nAfter.\n':
        "> [!WARNING]\n> **Careful**\n>\n> Do not.\n>\n> Twice.\n\nAfter.\n",
    "!!! note\n    A.\n": "> [!NOTE]\n> A.\n",
    '??? danger\n    A.\n': "> [!CAUTION]\n> **Danger**\n>\n> A.\n",
    '!!! danger ""\n    A.\n': "> [!CAUTION]\n> A.\n",
    '!!! mine inline end "T *x*"\n    A.\n': "> [!NOTE]\n> T *x*\n>\n> A.\n",
    "!!! note\n    A.\n\n    ???+ tip\n        B.\n":
        "> [!NOTE]\n> A.\n>\n> > [!TIP]\n> > B.\n",
    "1. One\n\n    !!! note\n        A.\n": "1. One\n\n    > [!NOTE]\n    > A.\n",
    '=== "C"\n\n    ```c\n    int x;\n    ```\n\n=== "Go"\n    B.\n':
        "**C**\n\n```c\nint x;\n```\n\n**Go**\n\nB.\n",
    "!!! note\n    ```text\n    !!! tip\n        a\n    ```\n":
        "> [!NOTE]\n> ```text\n> !!! tip\n>     a\n> ```\n",
    "```text\n!!! note\n    A.\n```\n": "```text\n!!! note\n    A.\n```\n",
    "Wow!!! great\n\n===\n\n!!! \n": "Wow!!! great\n\n===\n\n!!! \n",
}  # fmt: skip


@pytest.mark.parametrize("source", BOXES)
def test_admonitions_become_callouts_and_tabs_paragraphs(source: str) -> None:
    assert run(ImportedPage.of("a.md", source), changes).text == BOXES[source]


def test_lines_inside_of_an_admonition_keep_their_numbers() -> None:
    page = run(ImportedPage.of("a.md", '!!! note "T"\n    A.\n\n    B.\n'), changes)
    assert page.line(page.text.index("A.")) == 2
    assert page.line(page.text.index("B.")) == 4


def test_the_id_of_a_heading_stays_when_its_class_goes() -> None:
    page = run(ImportedPage.of("a.md", "## A { #thp .cls }\n\nB.\n"), attributes)
    assert page.text == "## A {#thp}\n\nB.\n"
    assert page.asides == ("{ #thp .cls }",)


def test_a_daily_note_is_called_by_its_day() -> None:
    assert title("daily/2024-05-01.md") == slug("2024-05-01") == "2024-05-01"
    assert date_in("daily/2024-05-01.md") == "2024-05-01"
    assert title("a/store-buffer.md") == "store buffer"


def test_wrapped_chinese_lines_have_no_space_in_plain_words() -> None:
    text = "这是一篇笔记，\n讲缓存，在 Linux\n上测量。\n"
    plain = read_body(Source("a.md", text)).prose.without_markup(0, len(text))
    assert plain == "这是一篇笔记，讲缓存，在 Linux 上测量。"
