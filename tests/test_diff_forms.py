"""The forms of a comparison: safe to post, the same each time, with pictures."""

from __future__ import annotations

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.review.comment import problem

from perfnotes.checks._examples import FOLDER
from perfnotes.review import pictures
from perfnotes.review.entry import Line, ReportEntry, ReportPart, ReviewReport
from perfnotes.review.markdown import LIMIT, as_markdown
from perfnotes.review.output import as_text
from perfnotes.review.revision import RevisionError, resolve
from perfnotes.review.side import Side, side_of
from tests.diff_project import HOSTILE, Diff, diff, edit, project, write
from tests.examples import examples
from tests.project import ROOT, commit, perfnotes, run

__all__ = ["diff", "project"]  # the fixtures


def hostile_notes(project: Path) -> None:
    """Strange words wherever a pull request may write some."""
    quoted = json.dumps(HOSTILE.replace("\x1b", "").replace("\u2028", ""), ensure_ascii=True)
    edit(project, "caches/lines.md", "title: Cache lines", f"title: {quoted}")
    edit(
        project, "caches/lines.md", "description: The unit", f"authors: [{quoted}]\ndescription: X"
    )
    edit(project, "caches/lines.md", "## Size", f"## {HOSTILE}")
    edit(
        project,
        "caches/lines.md",
        "needs two",
        f"needs [9 @octocat`s](lab:x) [[{HOSTILE[:9]}]] two",
    )
    edit(
        project,
        "caches/rows.md",
        "row by row",
        "row [@octocat#1; @drepper2007memori] 5 ns `` ` `` x",
    )
    edit(project, "glossary.yml", "en: cache line", f"en: {quoted}")
    edit(project, "tags.yml", "name: {en: Cache,", f"name: {{en: {quoted},")
    edit(project, "facts/chips.yml", "name: A chip", f"name: {quoted}")
    edit(project, "references.bib", "What Every", "What @octocat <b>`Every`</b>")
    edit(project, f"{FOLDER}/lab.yml", "expect: ", "because_x: ")
    name = "@octocat <img src=x> `[x](y).md"
    (project / "notes/gpu" / name).write_text("Text\n")
    (project / "notes/gpu/a`b``c.svg").write_text("<svg/>")
    (project / "notes/gpu/::error::x\n.md").write_text("Text\n")


@pytest.mark.parametrize("to_head", [True, False])
def test_no_text_of_a_pull_request_becomes_markup(project: Path, diff: Diff, to_head: bool) -> None:
    hostile_notes(project)
    if to_head:
        commit(project, "Hostile")
    arguments = ("main~1", "main") if to_head else ("HEAD",)
    text = diff(*arguments, "--format", "markdown")
    assert problem(text) == ""
    assert "@octocat" in text
    assert "##[" not in text
    for line in diff(*arguments).splitlines():
        assert line.isprintable()
        assert not line.lstrip().startswith(("::", "##["))
    json.loads(diff(*arguments, "--format", "json"))


# Any text, and signs that mean something in Markdown, which are rare among all signs.
_WORDS = st.one_of(st.text(), st.text("`@#<>[](){}*_!|:\\\n\u2028 ax"))


@examples(60)
@given(st.lists(_WORDS, min_size=2, max_size=4))
def test_whatever_the_words_the_form_holds(words: list[str]) -> None:
    entries = tuple(
        ReportEntry("added", Line("{}: {}", (w, words[0])), (Line("in {}", (w,)),)) for w in words
    )
    found = ReviewReport(words[0], words[1], (ReportPart("pages", "Pages", entries),))
    assert problem(as_markdown(found)) == ""
    assert all(line.isprintable() for line in as_text(found).splitlines())


@pytest.mark.parametrize("word", ["x" * 500, "缓" * 500, "\U0001f600" * 500])
def test_a_long_comment_is_cut_and_says_so(word: str) -> None:
    entry = ReportEntry("added", Line("{}", (word,)), (Line("{}", (word,)),) * 100)
    found = ReviewReport(
        "a", "b", tuple(ReportPart(f"p{i}", "Pages", (entry,) * 3000) for i in range(9))
    )
    text = as_markdown(found)
    assert len(text.encode("utf-16-le")) // 2 <= LIMIT
    assert problem(text) == ""
    left = [int(n) for n in re.findall(r"^- and (\d+) more$", text, re.MULTILINE)]
    assert len(left) == 9
    assert "This is cut to fit into a comment" in text
    assert "This is cut" not in as_markdown(
        ReviewReport("a", "b", (ReportPart("p", "Pages", (entry,)),))
    )


def test_json_has_every_change(project: Path, diff: Diff) -> None:
    edit(project, "caches/rows.md", "row by row", "row for row")
    data = json.loads(diff("HEAD", "--format", "json"))
    assert data["after"] == "the working tree"
    assert data["parts"][0] == {
        "part": "pages",
        "summary": "changed 1",
        "changes": [
            {
                "kind": "changed",
                "text": "caches/rows",
                "values": ["caches/rows"],
                "path": "notes/caches/rows.md",
                "details": ["section the beginning, words: 1 added, 1 removed"],
            }
        ],
    }


@pytest.mark.slow
def test_the_same_whatever_the_order_of_hashes(project: Path) -> None:
    hostile_notes(project)
    (project / "tools").symlink_to(ROOT / "tools")
    command = perfnotes("diff", "HEAD", "--format", "json")
    one, two = (run(project, command, env={"PYTHONHASHSEED": seed}).stdout for seed in ("1", "2"))
    assert one == two


def test_pictures_say_what_they_lack(
    project: Path, diff: Diff, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    out = diff("HEAD", "--screenshots", str(project / "pictures"), status=2)
    assert "pictures need Playwright" in out


@pytest.mark.slow
def test_pictures_before_and_after(
    project: Path, diff: Diff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(project, "caches/rows.md", "row by row", "row for row")
    write(project, "gpu/blocks.md", "Blocks hold warps.\n")
    (project / "notes/gpu/warps.md").unlink()

    def tiny_site(side: Side, root: Path, folder: Path) -> Path:
        """A page of one line for each note, since a whole site is built by other tests."""
        if "gpu/warps" in side.site.library.notes:
            raise RevisionError("@somebody broke it")
        for note in side.site.library.notes.values():
            file = folder / note.url / "index.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"<!doctype html><p>{root.name}: {note.id}")
        return folder

    monkeypatch.setattr(pictures, "_built", tiny_site)
    folder = tmp_path / "pictures"
    options = ("--format", "markdown", "--screenshots", str(folder), "--pages", "2")
    # Playwright runs once in a thread, and this one may have the browser of other tests.
    with ThreadPoolExecutor(1) as thread:
        text = thread.submit(diff, "HEAD", *options).result()
    names = ["caches-rows-after", "gpu-blocks-after"]
    made = {f"{name}-{window}.png" for name in names for window in ("desktop", "phone")}
    assert {f.name for f in folder.iterdir()} == made
    assert all(f"  - `{name}`\n" in text for name in made)
    assert "- no pictures: `@somebody broke it`" in text
    assert "**Pictures:** pages with pictures 2, without 1" in text
    assert problem(text) == ""


@pytest.mark.slow
def test_the_site_of_a_revision(project: Path, tmp_path: Path) -> None:
    with side_of(resolve(project, "HEAD")) as side:
        site = pictures._built(side, ROOT, tmp_path / "built")
    assert "A C array lies" in (site / "caches/rows/index.html").read_text("utf-8")
