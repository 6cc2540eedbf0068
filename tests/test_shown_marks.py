"""Marks that mean something elsewhere are told where the page shows them as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine_of import findings_as_built
from tests.foreign_folder import Folder

SHOWN = [
    ("[!NOTE]\nWords.", 1),
    ("Words.\n[!TIP] More.", 2),
    ("> Words.\n> [!NOTE]\n> more", 2),
    ("- [!NOTE] Words.", 1),
    ("> **[!NOTE]**\n> Words.", 1),
    (":::note\nWords.\n:::", 1),
    ("::: {.warning}\nWords.\n:::", 1),
    ("/// note\nWords.\n///", 1),
    ('{% hint style="info" %}\nWords.\n{% endhint %}', 1),
    ("{{% notice tip %}}\nWords.\n{{% /notice %}}", 1),
    (".. note::\n\n   Words.", 1),
    ("Words.\n\n%%\nlater\n%%", 3),
    ("Words [@drepper2007memory, sec. 3.", 1),
    ("Words \\citep{drepper2007memory}.", 1),
    ("‘‘‘c", 1),
    ("Words\n[more][lines].", 2),
]
BOXES = [
    "> [!NOTE]\n> Words.",
    "- Words.\n\n  > [!NOTE]\n  > Words.",
    "> > [!NOTE]\n> > Words.",
    "Words with [!NOTE] and `[!NOTE]`, 5 %% and 6 %.",
    "```text\n[!NOTE]\n:::note\n%%a%%\n```",
    "Words [^1][^2], [more][x], [x][], \\[a][b], `a[i][j]`, [-@drepper2007memory]."
    "\n\n[^1]: One.\n\n[^2]: Two.\n\n[x]: lines.md",
    "std:::name and a /// note, $a %% b %% c$.",
]


@pytest.mark.parametrize(("text", "line"), SHOWN)
def test_a_mark_that_the_page_shows_is_told_at_its_line(
    tmp_path: Path, text: str, line: int
) -> None:
    found = findings_as_built(tmp_path, {"caches/rows.md": f"{text}\n"})
    assert [f.line - 9 for f in found if f.code == "PN516"] == [line]


def test_boxes_code_and_words_are_left_alone(tmp_path: Path) -> None:
    found = findings_as_built(tmp_path, {"caches/rows.md": "\n\n".join(BOXES) + "\n"})
    assert not [str(f) for f in found if f.code == "PN516"]


NOTE = """\
# A %%title%%

Seen %%secret%% here, `%%code%%` and 5 %%.

%%
secret

```
secret
```
%%

%%x%% *Begun*.
"""


def test_comments_of_a_vault_are_left_out(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    folder = Folder(tmp_path, {"a.md": NOTE, "b.md": "# B\n\n[[a]] [c](c.md)\n"})
    assert folder.text("a.md") == "A Seen here, %%code%% and 5 %%. Begun ."
    assert "secret" not in "".join(page.content for page in folder.prepared.values())
    assert "secret" not in folder.site.library.notes["a"].body.text
    assert not [f for f in folder.findings if f.code == "PN516"]
    below = Folder(tmp_path / "below", {"a.md": "Words %%secret%%.\n"})
    assert "secret" not in below.text("a.md")


def test_comments_elsewhere_are_shown_and_told(tmp_path: Path) -> None:
    folder = Folder(tmp_path, {"a.md": NOTE})
    assert folder.text("a.md").count("secret") == 3
    found = [(f.line, f.message) for f in folder.findings if f.code == "PN516"]
    assert [line for line, _ in found] == [1, 3, 5, 13]
    assert found[1][1] == "readers see the comment 'secret'"


def test_lines_keep_their_numbers_where_a_comment_was(tmp_path: Path) -> None:
    (tmp_path / ".obsidian").mkdir()
    folder = Folder(tmp_path, {"a.md": "%%\na\n\nb\n%%\n\n[gone](gone.md)\n"})
    assert [(f.code, f.line) for f in folder.findings if f.code == "PN304"] == [("PN304", 7)]
