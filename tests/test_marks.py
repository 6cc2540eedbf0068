"""Callouts, footnotes and languages of fences that a page would show otherwise than meant."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perfnotes.checks import examine, unknown_language
from perfnotes.checks.unknown_language import COMMON
from perfnotes.text.callouts import CALLOUTS
from perfnotes.text.highlighting import lexers
from perfnotes.text.inline import scan
from perfnotes.text.prose import strip_markup
from tests.engine_of import html
from tests.example_notes import read_site, write_notes
from tests.import_samples import errors, imported

FRONT_MATTER = """---
title: Marks
description: A note.
tags: [cache]
level: introductory
date: 2026-01-01
---

Text.

"""
FIRST_LINE = 11
RIGHT = [
    *(f"> [!{kind}]\n> A box.\n" for kind in CALLOUTS),
    "> [!note]\n> A box.\n",
    "> [!NOTE] A heading\n> A box.\n",
    "> [!NOTE | wide]\n> A box.\n",
    "> [!TIP]-\n> A box that folds.\n",
    "> \\[!NOTTE]\n> A quote.\n",
    "> Words.\n> [!NOTTE]\n",
    "> [!] Look.\n",
    "> `[!NOTTE]`\n",
    "> ```text\n> [!NOTTE]\n> ```\n",
    ">     [!NOTTE]\n",
    "```text\n> [!NOTTE]\n```\n",
    "`> [!NOTTE]`\n",
    "<!--\n> [!NOTTE]\n-->\n\nText.\n",
    "A[^1] and b[^two].\n\n[^1]: One.\n[^two]: Two.\n",
    "A[^1] and again.[^1]\n\n[^1]: One,\n    in two lines.\n",
    "> A quote.[^1]\n\n- [^1]: One.\n",
    "A[^1](as in C).\n\n[^1]: One.\n",
    "A[^1]: that.\n\n[^1]: One.\n",
    "`[^1]` and \\[^2] and $x[^3]$ and ``a `[^4]` b``.\n",
    "```text\n[^1] and\n[^2]: two\n```\n",
    "    [^1]: One.\n",
    "A [^a b] that is no footnote.\n",
    *(f"```{name}\nx\n```\n" for name in ("C", "c++", "{.python}", "pycon title='x'", "XMl")),
    "~~~ text\n```bsh\n~~~\n",
    "`` ```bsh ``\n",
]
GIVES = "the code gets no colours"
WRONG = {
    "> [!NOTTE]\n> A box.\n": (0, 5, "'NOTTE'", "did you mean [!NOTE]?"),
    "> [! WARN]\n> A box.\n": (0, 5, "' WARN'", "did you mean [!WARNING]?"),
    "> [!INFO]+ Heading\n> A box.\n": (0, 5, "'INFO'", "the kinds are NOTE, TIP, WARNING, "),
    ">\n> [!NTOE|wide]\n> A box.\n": (1, 5, "'NTOE'", "did you mean [!NOTE]?"),
    "- > [!TIPP]\n  > A box.\n": (0, 7, "'TIPP'", "did you mean [!TIP]?"),
    "> > [!Importent]\n": (0, 7, "'Importent'", "did you mean [!IMPORTANT]?"),
    "A[^1].\n": (0, 2, "no footnote is called [^1]", "add a line that begins with [^1]:"),
    "| a[^1] |\n|---|\n| b |\n": (0, 4, "no footnote is called [^1]", "add a line"),
    "A[^note].\n\n[^Note]: One.\n": (0, 2, "called [^note]", "did you mean [^Note]?"),
    "A[^1].\n\n[^1]: One.\n[^2]: Two.\n": (3, 1, "nothing refers to the footnote [^2]", "put"),
    "A[^1].\n\n[^1]: One.\n[^1]: Two.\n": (3, 1, "a second text for the footnote [^1]", "give"),
    "A[^nots] and b[^2].\n\n[^notes]: One.\n[^2]: Two.\n": (0, 2, "[^nots]", "mean [^notes]?"),
    "A[^1 b].\n\n[^1 b]: One.\n": (2, 1, "footnote [^1 b] has a blank", "write [^1-b] in all"),
    "```bsh\nx\n```\n": (0, 4, "no language 'bsh': " + GIVES, "did you mean bash?"),
    "~~~ {.Pyhton}\nx\n~~~\n": (0, 7, "no language 'Pyhton'", "did you mean python?"),
    "- ```elixr\n  x\n  ```\n": (0, 6, "no language 'elixr'", "did you mean elixir?"),
    "```zzz title='x'\nx\n```\n": (0, 4, "no language 'zzz'", "write text if"),
    "```title='x'\nx\n```\n": (0, 4, "the option title= stands where", "write the language first"),
}


Said = tuple[int, int, str, str]  # line, column, message and hint of a finding


def told_of_each(folder: Path, texts: Iterable[str]) -> dict[str, list[Said]]:
    """Return by text what these checks say of it, each being a note of its own."""
    files = {f"caches/marks-{i}.md": text for i, text in enumerate(texts)}
    notes = {path: FRONT_MATTER.replace("Marks", path) + text for path, text in files.items()}
    told: dict[str, list[Said]] = {text: [] for text in files.values()}
    for f in examine(read_site(write_notes(folder, notes))):
        if f.code in ("PN512", "PN513", "PN514"):
            text = files.get(f.path.removeprefix("notes/"), f.path)
            told.setdefault(text, []).append((f.line, f.column, f.message, f.hint))
    return told


def told(folder: Path, text: str) -> list[Said]:
    """Return what these checks say of a note."""
    return told_of_each(folder, [text])[text]


def test_right_marks(tmp_path: Path) -> None:
    assert told_of_each(tmp_path, RIGHT) == {text: [] for text in RIGHT}


def test_wrong_marks(tmp_path: Path) -> None:
    told = told_of_each(tmp_path, WRONG)
    for text, (line, column, message, hint) in WRONG.items():
        found = told[text]
        places = {(a, b) for a, b, _, _ in found}
        assert (line + FIRST_LINE, column) in places, text
        assert any(message in m and hint in h for _, _, m, h in found), (text, found)
        assert len(found) == 1, (text, found)


def test_a_fence_that_stands_for_a_calculator_needs_no_language(tmp_path: Path) -> None:
    assert told(tmp_path, "```calc=rate\nx\n```\n\n```explore=roofline\n```\n") == []


def test_common_languages_are_told_without_the_names_of_pygments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {name for name in COMMON if name not in lexers()} == set()

    def read() -> dict[str, str]:
        raise AssertionError("the names of Pygments were read")

    monkeypatch.setattr(unknown_language, "lexers", read)
    assert told(tmp_path, "".join(f"```{name}\nx\n```\n\n" for name in sorted(COMMON))) == []
    with pytest.raises(AssertionError):
        told(tmp_path, "```bsh\nx\n```\n")


IMPORTED = {
    "> [!Read this]\n> Words.\n": "> \\[!Read this]\n> Words.\n",
    "A[^1] and b[^2].\n\n[^2]: Two.\n": "A\\[^1] and b[^2].\n\n[^2]: Two.\n",
    "A.\n\n[^2]: Two.\n": "A.\n\n\\[^2]: Two.\n",
    "A[^my note].\n\n[^my note]: One.\n": "A[^my-note].\n\n[^my-note]: One.\n",
    "A\n\n```nonsense,x\nwords\n```\n": "A\n\n```text,x\nwords\n```\n",
    "A\n\n~~~ {.bsh}\nfor x in *; do\n~~~\n": "A\n\n~~~ {.bash}\nfor x in *; do\n~~~\n",
    'A\n\n```title="x"\nwords\n```\n': "A\n\n```text\nwords\n```\n",
}


@pytest.mark.parametrize("source", IMPORTED)
def test_an_import_keeps_marks_that_mean_nothing_as_words(tmp_path: Path, source: str) -> None:
    library = read_site(write_notes(tmp_path)).library
    made = imported(source, "markdown", library)
    assert [draft.page.text.strip() for draft in made] == [IMPORTED[source].strip()]
    assert errors(made, library) == []


def test_words_behind_a_footnote_may_stand_in_parentheses() -> None:
    page = html("A[^1](as in C).\n\n[^1]: One.\n")
    assert [link.attributes["href"] for link in page.css("sup a")] == ["#fn:1"]
    assert "(as in C)" in page.text()


def test_the_mark_of_a_callout_is_no_word() -> None:
    assert strip_markup("\n> [!note]\n> [!TIP] Words").split() == ["Words"]


@given(st.text("[]^!>1a:-`\\ \n|$(", max_size=60))
def test_marks_have_their_own_source(text: str) -> None:
    document = scan(text)
    for mark in document.footnotes:
        assert text[mark.start : mark.end] == f"[^{mark.label}]"
        assert mark.label.split() == [mark.label]
        assert not any(a <= mark.start < b for a, b in document.code)
    for at in document.blocks.quotes:
        assert ">" in text[text.rfind("\n", 0, at) + 1 : at]
