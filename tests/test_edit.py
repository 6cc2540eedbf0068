"""A build after an edit of texts makes only what is different, and so what a whole one makes."""

from __future__ import annotations

import json
import random
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from perfnotes.build import edit
from perfnotes.build import edited_build as again
from perfnotes.checks import examine_texts
from perfnotes.cli import main as cli
from perfnotes.explorables import explorables
from perfnotes.graph.graph import texts_of
from perfnotes.graph.links import Links
from perfnotes.graph.site import Settings, Site
from perfnotes.site.page_frame import frame
from perfnotes.site.page_selection import pages_of
from perfnotes.site.pages import offline, page_kinds, with_function
from perfnotes.text.body import Body
from tests.example_notes import read_site, write_notes
from tests.oracle import build_without_cache
from tests.project import differences, perfnotes, run
from tests.sampling import at_even_distances

SEED, LENGTH = 1, 9  # this series has every kind of edit
TEXTS = ["caches/rows.md", "caches/lines.md", "caches/lines.zh.md", "gpu/warps.md"]
PIECES = [
    "A sentence about cache lines that says nothing new.",
    "缓存行是六十四字节，一个字也不多。",
    "The formula $x^2 + y^2$ is of no use here.",
    "```c\nint only_here = 42;\n```",
    "- one\n- two",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "`cacheline_t` and `std::vector<int>` are words as well.",
    "```text\n" + "\n".join(["=" * 1500] * 8) + "\n```",  # no word, and another file of the index
]
# What other pages show.
SHOWN = [
    "A warp, a cache line and 64 bytes more.",
    "Somebody wrote this [@drepper2007memory], and see [[rows]].",
    "### A heading of its own",
]
WRONG = ["<script>alert(1)</script>", "An unknown key [@nobody2031nothing]."]


def edits(notes: Path, seed: int) -> Iterator[str]:
    """One random edit of a text after the other, two at once now and then."""
    r = random.Random(seed)
    first = {path: (notes / path).read_text("utf-8") for path in TEXTS}
    while True:
        said = []
        for path in r.sample(TEXTS, r.choice((1, 1, 1, 2))):
            file = notes / path
            parts = file.read_text("utf-8").rstrip().split("\n\n")
            dice = r.random()
            if dice < 0.1:
                file.write_text(first[path], "utf-8")
            elif parts[-1] in WRONG or (dice < 0.25 and parts[-1] in PIECES):
                file.write_text("\n\n".join(parts[:-1]) + "\n", "utf-8")
            else:
                pieces = PIECES if dice < 0.85 else SHOWN if dice < 0.95 else WRONG
                file.write_text("\n\n".join([*parts, r.choice(pieces)]) + "\n", "utf-8")
            said.append(f"{path} {dice:.2f}: …{file.read_text('utf-8')[-60:]!r}")
        yield "; ".join(said)
        for path in TEXTS:  # what is wrong is mended before something else is
            text = (notes / path).read_text("utf-8")
            if any(wrong in text for wrong in WRONG):
                for wrong in WRONG:
                    text = text.replace(f"\n\n{wrong}", "")
                (notes / path).write_text(text, "utf-8")


def quick_builds(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What comes of the builds after an edit, None where it was to be a whole one."""
    quick: list[object] = []
    really = again.build_edited

    def noted(task: again.EditedBuildTask, pool: Any) -> again.EditedBuildResult | None:
        quick.append(really(task, pool))
        return cast("again.EditedBuildResult | None", quick[-1])

    monkeypatch.setattr(again, "build_edited", noted)
    return quick


def assert_same(
    kept: Path, fresh: Path, capsys: pytest.CaptureFixture[str], what: str, *options: str
) -> None:
    """Build with and without the cache; the same comes of it, and the same is told."""
    capsys.readouterr()
    is_own = kept == Path("site").resolve()
    status = cli.main(["build", *([] if is_own else ["--site", str(kept)]), *options])
    told = capsys.readouterr().err
    assert status == build_without_cache(fresh, *options), what
    assert told == capsys.readouterr().err, what
    if status == 0:
        assert differences(kept, fresh) == [], what
    for site in (kept, fresh):
        assert [p.name for p in site.parent.glob(f".{site.name}*")] == []


@pytest.mark.slow
def test_a_series_of_texts(
    edited_example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    series_of_edits: int,
) -> None:
    """Each series begins with the texts as the one before left them."""
    quick = quick_builds(monkeypatch)
    for seed in range(SEED, SEED + series_of_edits):
        series = edits(edited_example / "notes", seed)
        for i in range(LENGTH):
            what = f"series {seed}, edit {i}: {next(series)}"
            assert_same(edited_example / "site", tmp_path / "fresh", capsys, what)
    assert sum(done is not None for done in quick) > LENGTH / 3


@pytest.mark.slow
def test_a_picture_that_a_text_gets_and_loses_reaches_the_page_of_things_to_try(
    edited_example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    quick = quick_builds(monkeypatch)
    file, picture = edited_example / "notes/caches/rows.md", explorables()["speed-up"]
    text = file.read_text("utf-8")
    fence = "\n".join(("```text explore=speed-up", *picture.formulas, "```"))
    for what, edited in (("placed", f"{text}\n{fence}\n"), ("gone", text)):
        file.write_text(edited, "utf-8")
        assert_same(edited_example / "site", tmp_path / "fresh", capsys, what)
        found = (edited_example / "site").glob("try/index.html")
        pages = [page.read_text("utf-8") for page in found]
        assert any(picture.title.en in page for page in pages) == (what == "placed")
    assert None not in quick[1:]


@pytest.mark.slow
def test_what_one_edit_had_staged_is_not_staged_after_the_next_one(
    edited_example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    staged: list[int] = []
    request = again._EditedBuild._request_pages

    def counted(build: Any, pages: Mapping[str, edit.RestagedPage]) -> list[edit.RestagedPage]:
        staged.append(len(pages))
        return request(build, pages)

    monkeypatch.setattr(again._EditedBuild, "_request_pages", counted)
    quick = quick_builds(monkeypatch)
    site, fresh = edited_example / "site", tmp_path / "fresh"
    file = edited_example / "notes/caches/lines.md"
    text = file.read_text("utf-8")
    retitled = re.sub("(?m)^title: .*$", "title: Another title", text, count=1)
    # Pages in both languages show the level.
    file.write_text(re.sub("(?m)^level: .*$", "level: advanced", retitled, count=1), "utf-8")
    assert_same(site, fresh, capsys, "front matter")
    for _ in range(2):
        file.write_text(f"{file.read_text('utf-8')}\n{PIECES[0]}\n", "utf-8")
        assert_same(site, fresh, capsys, "a sentence")
    done = cast("list[again.EditedBuildResult]", quick)
    assert [each.record for each in done] == [None] * 3
    assert max(staged[1:]) < staged[0] / 2, staged
    file.write_text(text, "utf-8")
    assert_same(site, fresh, capsys, "all as it was")
    assert staged[3] > max(staged[1:3]), staged


@pytest.mark.slow
@pytest.mark.usefixtures("edited_example")
def test_notes_of_any_folder_are_edited(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    quick = quick_builds(monkeypatch)
    notes = tmp_path / "notes"
    texts = {
        "a.md": "# First\n\nIt leads to [the second](b.md).\n",
        "b.md": "# Second\n\nIt has an <iframe src='https://example.org'></iframe>.\n",
        "deeper/c.md": "# 第三\n\n缓存行有六十四字节。\n",
    }
    for name, text in texts.items():
        (notes / name).parent.mkdir(parents=True, exist_ok=True)
        (notes / name).write_text(text, encoding="utf-8")

    def same(what: str) -> None:
        kept, fresh = tmp_path / "kept", tmp_path / "fresh"
        assert_same(kept, fresh, capsys, what, "--notes", str(notes))

    same("all is new")
    for name, more in (("a.md", "More."), ("b.md", "Even more."), ("deeper/c.md", "更多。")):
        (notes / name).write_text(f"{texts[name]}\n{more}\n", encoding="utf-8")
        same(f"{name} has more")
    (notes / "b.md").write_text(f"{texts['b.md']}\n<object></object>\n", encoding="utf-8")
    same("another danger")
    for name, text in texts.items():
        (notes / name).write_text(text, encoding="utf-8")
        same(f"{name} is as it was")
    assert None not in quick
    assert len(quick) == 7


SENTENCES = {"index.md": "A sentence that says nothing new.", "index.zh.md": "这句话没有新的意思。"}


@pytest.mark.slow
def test_what_people_ask_is_in_the_search_after_an_edit_as_after_a_whole_build(
    edited_example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    quick = quick_builds(monkeypatch)
    site, fresh = edited_example / "site", tmp_path / "fresh"
    file = edited_example / "notes/caches/lines.md"
    text = file.read_text("utf-8")
    asked = "asked:\n- two counters crawl on my laptop\n- zwiebelkuchen loop twice as slow\n"
    file.write_text(text.replace("\n---\n", f"\n{asked}---\n", 1), "utf-8")
    assert_same(site, fresh, capsys, "what people ask")
    assert all(quick)
    index = b"".join(each.read_bytes() for each in sorted((site / "search").rglob("*.js")))
    assert b"wiebelkuchen" in index


@pytest.mark.slow
def test_a_sentence_and_a_title_of_our_own_notes_are_small_edits(
    built_project: Path, tmp_path: Path
) -> None:
    """Each build is a new process, which has what the last one stored and nothing else.

    The edits lead to the notes as they are in ``built_project``, whose site no cache had a part in.
    """
    project = shutil.copytree(built_project, tmp_path / "project", symlinks=True)
    twins = sorted((project / "notes").glob("*/*/index.zh.md"))
    assert twins

    def changed(file: Path, text: str) -> tuple[Path, str]:
        before = file.read_text("utf-8")
        assert text != before
        file.write_text(text, "utf-8")
        return file, before

    sentences = []
    for name, sentence in SENTENCES.items():  # the first one leaves the twin behind
        file = twins[len(twins) // 2].with_name(name)
        sentences.append(changed(file, f"{file.read_text('utf-8')}\n{sentence}\n"))
    note = twins[0].with_name("index.md")
    other = re.sub("(?m)^title: .*$", "title: Another title", note.read_text("utf-8"), count=1)
    title = changed(note, other)
    run(project, perfnotes("build", "--quiet"))
    assert len(differences(project / "site", built_project / "site")) > 12

    def edited(file: Path, text: str) -> str:
        file.write_text(text, "utf-8")
        said = run(project, perfnotes("build", "--quiet", "--verbose")).stderr
        assert "everything is built" not in said, said
        return said

    for each in sentences:
        said = edited(*each)
        assert "cannot be" not in said, said
        assert "was not written by this user" not in said, said
        assert 0 < said.count("is made again") < 12, said
    said = edited(*title)
    assert 12 < said.count("is made again") < 200, said
    assert differences(project / "site", built_project / "site") == []


class _LooksError(Exception):
    """A page kind looks into the text of a note that is not its own."""


def _guarded(monkeypatch: pytest.MonkeyPatch, site: Site, own: list[str]) -> None:
    """Let nothing of a note's text be read but what ``Edit`` compares; those in ``own`` may be."""
    allowed = {"minutes", "sections", "section_at", "anchors", "anchors_by_bare_id", "source"}
    bodies = {id(t.body): t.id for t in texts_of(site.library) if t.kind == "note"}
    comparing = {"_term_uses", "judged", "coverages", "uses_in", "placed_explorables"}

    def is_compared() -> bool:
        at = sys._getframe(1)
        while at := at.f_back:  # type: ignore[assignment]
            if at.f_code.co_name in comparing:
                return True
        return False

    def guard(kind: type[Any], note: Any, free: set[str]) -> None:
        plainly: Any = kind.__getattribute__

        def looked(self: Any, name: str) -> Any:
            found = plainly(self, name)
            if name in free or name.startswith("__"):
                return found
            id = note(self)
            if id and id not in own and not is_compared():
                raise _LooksError(f"{name} of {id}")
            return found

        monkeypatch.setattr(kind, "__getattribute__", looked)

    plain_text: Any = Links.__getattribute__

    def of_links(links: Any) -> str:
        text = plain_text(links, "text")
        return text.id if text.kind == "note" else ""

    guard(Body, lambda body: bodies.get(id(body), ""), allowed)
    guard(Links, of_links, {"text", "edges", "citing", "findings", "links"})


@pytest.mark.slow
def test_no_page_shows_more_of_another_text_than_is_compared(
    own_site_anew: Site, monkeypatch: pytest.MonkeyPatch, all_notes: bool
) -> None:
    library, graph = own_site_anew.library, own_site_anew.graph
    settings = Settings("perfnotes", url="https://example.org/", repository="https://code.example")
    own: list[str] = []
    _guarded(monkeypatch, Site(graph, settings), own)
    for kind in page_kinds():
        if kind.__name__.endswith((".note", ".home", ".wanted", ".changes", ".tryout")):
            continue
        for lang in library.languages:
            site = Site(graph, settings)  # which has nothing from another kind
            for page in pages_of(kind, site, lang):
                frame(site, page)
    for kind in with_function("files"):
        if not kind.__name__.endswith(".search"):
            assert list(kind.files(Site(graph, settings))) is not None
    texts = list(texts_of(library))
    for kind in with_function("page_of"):
        site = Site(graph, settings)
        for text in at_even_distances(texts, len(texts) if all_notes else 60):
            own[:] = [text.id]
            for page in kind.page_of(site, text):
                frame(site, page)


@pytest.mark.slow
def test_no_check_of_a_text_looks_into_another_text(
    own_site_anew: Site, monkeypatch: pytest.MonkeyPatch, all_notes: bool
) -> None:
    site = own_site_anew
    own: list[str] = []
    _guarded(monkeypatch, site, own)
    texts = [each for each in texts_of(site.library) if each.kind == "note"]
    for text in at_even_distances(texts, len(texts) if all_notes else 60):
        own[:] = [text.id]
        assert examine_texts(site, [text.path]) is not None


def test_the_offline_index_is_spliced_as_if_it_were_written_again() -> None:
    tricky = 'a, ",\\"search/t/2.js":" \\","search/x 缓存\n'
    before = {"search/t/1.js": tricky, "search/root.js": "old", "search/t/9.js": "gone"}
    after = {"search/t/1.js": tricky, "search/root.js": f"new {tricky}", "search/d/0.js": "came"}
    changed = {path: after[path] for path in ("search/root.js", "search/d/0.js")}
    assert offline.repacked(offline.packed(before), after, changed) == offline.packed(after)
    assert json.loads(offline.packed(after)) == after


def test_a_kind_that_looks_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path))
    _guarded(monkeypatch, site, [])
    note = next(iter(site.library.notes.values()))
    assert note.body.minutes
    with pytest.raises(_LooksError):
        _ = note.body.document
