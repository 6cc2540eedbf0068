"""White space without meaning: without it every page is the same."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfnotes.build.convert import convert_and_judge
from perfnotes.build.messages import Staged
from perfnotes.checks import examine
from perfnotes.fixes.mend import repaired
from perfnotes.model.repair import Repair
from perfnotes.text.inline import scan
from perfnotes.text.spare_space import spare_space
from tests.engine_of import engine_of
from tests.example_notes import read_site, stage_without_index, write_notes
from tests.import_samples import MarkdownSample

_PIECES = ("a b", "- c", "1. d", "> e", "| f | g |", "|---|---|", "```c", "```", "$$", "## H", "`i",
           "j`", "    k", "\tl", "- \tm", "***", "[^1]: n", "x[^1]",
           "[o]: https://example.org", "[o]", "\\", "", "", "", "<kbd>p</kbd>", "> [!NOTE]",
           "!!! note", "q:", ": r")  # fmt: skip
_ENDS = ("", "", "", " ", "  ", "   ", "\t", " \t")
_LEADS = ("", "", "", "", "\t", "  \t", "    ", "\t\t")

rows = st.tuples(st.sampled_from(_LEADS), st.sampled_from(_PIECES), st.sampled_from(_ENDS))
texts = st.lists(rows.map("".join), max_size=14).map("\n".join)


def tidy(text: str) -> str:
    edits = [Repair("", s.start, s.end, "", s.new) for s in spare_space(scan(text))]
    return repaired(text, edits)


def pages(folder: Path, made: list[str]) -> list[str]:
    """The HTML that notes of these texts become."""
    names = [f"note-{i}" for i in range(len(made))]
    texts = (f"---\ntitle: {name}\n---\n{text}" for name, text in zip(names, made, strict=True))
    write_notes(folder, dict(zip((f"caches/{name}.md" for name in names), texts, strict=True)))
    site = read_site(folder)
    staged = stage_without_index(site)
    found = []
    for name in names:
        path = f"caches/{name}/index.md"
        text = Staged.read(staged.files[path]).text
        found.append(
            convert_and_judge(engine_of(), text, staged.markdown[path], mend=False).html.content
        )
    return found


def shown_html(html: str) -> str:
    """With white space outside code as a browser shows it: as one blank, or as none beside tags."""
    parts = re.split(r"(<pre.*?</pre>)", html, flags=re.DOTALL)
    for i, part in enumerate(parts):
        if not part.startswith("<pre"):
            parts[i] = re.sub(r"\s*(<[^<>]*>)\s*", r"\1", re.sub(r"\s+", " ", part))
    return "".join(parts)


def wild(chance: random.Random) -> str:
    rows = (
        chance.choice(_LEADS) + chance.choice(_PIECES) + chance.choice(_ENDS)
        for _ in range(chance.randint(1, 14))
    )
    return "\n".join(rows) + chance.choice(("", "\n", "\n\n\n"))


def shaped(chance: random.Random) -> str:
    whole = [r for r in MarkdownSample(chance).text().split("\n") if not r.startswith("<")]
    return "\n".join(r + chance.choice(_ENDS) + chance.choice(("", "", "\n")) for r in whole)


def test_the_message_counts_the_other_places(tmp_path: Path) -> None:
    at = ", here and at"
    for count, more in ((1, ""), (2, f"{at} 1 more place"), (3, f"{at} 2 more places")):
        text = "A line. \n" * count + "End.\n"
        folder = write_notes(tmp_path / str(count), {"caches/rows.md": text})
        (found,) = (f for f in examine(read_site(folder)) if f.code == "PN508")
        assert found.message == f"white space without meaning{more}"


@pytest.mark.parametrize("make", [wild, shaped])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_pages_stay_the_same(
    tmp_path: Path, make: Callable[[random.Random], str], seed: int
) -> None:
    before = [make(random.Random(f"{seed} {i}")) for i in range(40)]
    after = [tidy(text) for text in before]
    assert before != after
    shown = zip(pages(tmp_path / "a", before), pages(tmp_path / "b", after), strict=True)
    for i, (old, new) in enumerate(shown):
        assert _but_digest(shown_html(old)) == _but_digest(shown_html(new)), (before[i], after[i])


def _but_digest(html: str) -> str:
    """The HTML without the digest of the text by which a page is cited."""
    return re.sub(r"[0-9a-f]{16}", "", html)


@given(text=texts)
@settings(max_examples=200, deadline=None)
def test_twice_is_once_and_no_word_changes(text: str) -> None:
    after = tidy(text)
    assert tidy(after) == after
    assert after.split() == text.split()


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("a  \nb\n", "a  \nb\n"),  # a hard line break
        ("a  \n\nb\n", "a\n\nb\n"),
        ("a \nb\n", "a\nb\n"),
        ("a", "a\n"),
        ("a\n\n\n", "a\n"),
        ("```c\nx  \n\n\n```", "```c\nx  \n\n\n```\n"),
        ("- a\n\tb\n", "- a\n    b\n"),
        ("  \n", "  \n"),
    ],
)
def test_what_goes(text: str, after: str) -> None:
    assert tidy(text) == after


def test_a_long_run_of_blanks_is_looked_at_once() -> None:
    """A pattern that began again at each blank of an indentation took minutes for this line."""
    text = f"A line. \n\n{' ' * 300_000}b\n"
    assert [place.new for place in spare_space(scan(text))] == [""]
