"""After any edit, what comes out different is among what is made and looked at again.

Words and numbers of the files of the example are changed one after another, notes come and go, and
each time all pages are made and compared with those of before, all texts are examined, and all
documents of the search are made. With `--all-notes` the files are those of our own notes.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from perfnotes.checks import examine_texts, wrong_output
from perfnotes.checks._examples import FOLDER as LAB_FOLDER
from perfnotes.checks._examples import LAB, PROGRAM, RESULT, recorded
from perfnotes.graph.graph import link
from perfnotes.graph.links import Links
from perfnotes.graph.site import Settings, Site
from perfnotes.site import scripts
from perfnotes.site.changes import changed_names, changed_values, findings_in_texts, names_between
from perfnotes.site.page_addresses import page_addresses
from perfnotes.site.page_plan import Name
from perfnotes.site.page_selection import GONE, pages_of_site, same_files, stale_pages
from perfnotes.site.pages import stylesheet
from perfnotes.site.searchable.changed import documents_after
from perfnotes.site.searchable.documents import documents
from perfnotes.site.stage import Stage, page_source, stage_files
from perfnotes.source.read.folder import read_library
from perfnotes.source.read.memo import InMemory, Memo
from perfnotes.source.read.site import read_site_pages
from perfnotes.text.findings import Finding
from tests.example_evidence import EVIDENCE
from tests.example_notes import write_notes
from tests.project import ROOT
from tests.test_remembered_parts import edited

SETTINGS = Settings("Example", url="https://a.example.org/", repository="https://b.example.org/c")
_TITLE = re.compile(r"^(title: ['\"]?)", re.MULTILINE)
_NEW = """---
title: A note that is new
description: It says that it is new.
tags: [cache]
level: introductory
date: 2026-01-01
---

It leads to [[rows]] and cites somebody [@drepper2007memory].
"""


class _Project:
    """Notes in a folder, read and linked again after each edit, as a build does."""

    def __init__(self, notes: Path, docs: Path | None = None) -> None:
        self.notes, self._docs = notes, docs
        self._memo = InMemory(Memo())
        self.site = self._linked(None)
        self.pages = _staged(self.site)
        self._found = examine_texts(self.site)
        self._documents = [*documents(self.site)]
        self._files = _files_of(self.site)

    def _linked(self, before: Site | None) -> Site:
        library = read_library(self.notes, "notes", self._memo)
        if self._docs:
            read_site_pages(library, self._docs, "docs", self._memo)
        graph = link(library, before.graph if before else None)
        return Site(graph, SETTINGS, coverages_before=before.coverages if before else {})

    def edited(self, file: str) -> Site:
        """Read a file again, and link the notes."""
        self._memo.forget([self.notes / file])
        self.site = self._linked(self.site)
        return self.site

    def codes(self, path: str) -> set[str]:
        """Return the codes of the checks that find something in the text at ``path``."""
        return {code for of, code in self._found if of == path}

    def missed(self, file: str) -> tuple[set[str], int]:
        """After an edit of a file: pages that differ and would not be made; and how many would."""
        before, now = self.site, self.edited(file)
        names, pages = changed_names(before, now), _staged(now)
        differ = {url for url in pages if pages[url] != self.pages.get(url)}
        self.pages = pages
        found, self._found = self._found, examine_texts(now)
        assert findings_in_texts(before, now, found, names) == self._found, file
        known, self._documents = self._documents, [*documents(now)]
        earlier, self._files = self._files, _files_of(now)
        if names is None:
            return set(), len(pages)
        assert documents_after(known, before, now, names) == self._documents, file
        same = same_files(earlier.by_kind, names)
        for kind, paths in same.items():
            assert paths == self._files.by_kind[kind], file
            for path in paths:
                assert earlier.files[path] == self._files.files[path], file
        made = {stale.page.url for stale in stale_pages(now, before, names)}
        return differ - made, len(made)


def urls_of(site: Site) -> set[str]:
    """Return the addresses of all pages."""
    return {page.url for page in page_addresses(site)}


def _staged(site: Site) -> dict[str, tuple[bytes, str]]:
    return {page.url: (page_source(site, page), page.markdown) for page in pages_of_site(site)}


def _files_of(site: Site) -> Stage:
    """Return what is staged besides pages, their figures and the index."""
    stage = Stage()
    stage_files(site, stage, index=False)
    return stage


def _files(notes: Path) -> Iterator[str]:
    for file in sorted(notes.rglob("*")):
        if file.suffix in (".md", ".yml", ".bib", ".json") and file.is_file():
            yield file.relative_to(notes).as_posix()


def _edits(text: str, chance: random.Random, *, is_thorough: bool = False) -> Iterator[str]:
    """Yield the text with other words, and with a title that has another place in lists."""
    yield from edited(text, chance, is_thorough=is_thorough)
    for word in ("Aa", "Zz"):
        other = _TITLE.sub(rf"\1{word} ", text, count=1)
        if other != text:
            yield other


@pytest.fixture
def theme_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the scripts and style sheets of the theme once: no test here edits the theme."""
    made, make = list[tuple[str, bytes]](), stylesheet.files

    def sheets(site: Site) -> list[tuple[str, bytes]]:
        made.extend(() if made else make(site))
        return made

    monkeypatch.setattr(scripts, "joined", cache(scripts.joined))
    monkeypatch.setattr(stylesheet, "files", sheets)


@pytest.mark.slow
@pytest.mark.usefixtures("theme_read_once")
def test_no_page_that_differs_is_left_as_it_was(tmp_path: Path, all_notes: bool) -> None:
    chance = random.Random(7)
    example = _Project(write_notes(tmp_path, EVIDENCE) / "notes")
    files = [*_files(example.notes)]
    made = 0
    for file in files:
        text = (example.notes / file).read_text("utf-8")
        edits = [*_edits(text, chance, is_thorough=all_notes)]
        made += _small_edits(example, file, [*edits, text])
    assert made > len(files)
    if all_notes:
        own = _Project(shutil.copytree(ROOT / "notes", tmp_path / "own"), ROOT / "docs")
        files = chance.sample([*_files(own.notes)], 30)
        made = 0
        for file in files:
            text = (own.notes / file).read_text("utf-8")
            edits = [*_edits(text, chance)]
            made += _small_edits(own, file, [chance.choice(edits), text] if edits else [text])
        assert made > len(files) / 2


def _small_edits(project: _Project, file: str, texts: list[str]) -> int:
    """Give a file each of the texts; return after how many of them few pages are to be made."""
    small = 0
    for text in texts:
        (project.notes / file).write_text(text, "utf-8")
        left, many = project.missed(file)
        assert not left, f"{file}: {text}"
        small += many < len(project.pages) / 2
    return small


@pytest.mark.slow
def test_no_page_that_differs_from_what_later_edits_left_stays(
    tmp_path: Path, all_notes: bool
) -> None:
    """Edits, and edits taken back, are each compared with one state before all of them."""
    chance = random.Random(11)
    if all_notes:
        notes = shutil.copytree(ROOT / "notes", tmp_path / "notes")
        project = _Project(notes, ROOT / "docs")
    else:
        project = _Project(write_notes(tmp_path, EVIDENCE) / "notes")
    notes = project.notes
    files = chance.sample([*_files(notes)], 12)
    first = {file: (notes / file).read_text("utf-8") for file in files}
    before, names, shows = project.site, dict[Name, str](), dict[str, str]()
    known, kept = project.pages, 0
    for _ in range(25 if all_notes else 80):
        file = chance.choice(files)
        text = (notes / file).read_text("utf-8")
        is_as_it_was = text != first[file] and chance.random() < 0.4
        new = first[file] if is_as_it_was else chance.choice([text, *_edits(text, chance)])
        (notes / file).write_text(new, "utf-8")
        now = project.edited(file)
        values = changed_values(before, now)
        if values is None or now.library.notes.keys() != before.library.notes.keys():
            before, names, shows, known = now, {}, {}, _staged(now)
            continue
        changed = names_between(names, values)
        stale = {each.page.url: each for each in stale_pages(now, before, changed, shows)}
        pages = _staged(now)
        differ = {url for url in pages if pages[url] != known.get(url)}
        assert differ <= stale.keys(), file
        later = {url: shows[url] for url in shows.keys() & pages.keys() - stale.keys()}
        kept += len(later)
        shows = later | {url: each.shows for url, each in stale.items()}
        shows |= dict.fromkeys(urls_of(before) - pages.keys(), GONE)
        names, known = values, pages
    assert kept > 300


def _stale_after(project: _Project, file: str, old: str, new: str) -> set[str]:
    """Return the addresses of the pages that are staged once ``new`` takes the place of ``old``."""
    path, before = project.notes / file, project.site
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    names = changed_names(before, project.edited(file))
    assert names is not None
    return {stale.page.url for stale in stale_pages(project.site, before, names)}


def test_a_title_concerns_the_pages_in_its_language(tmp_path: Path) -> None:
    project = _Project(write_notes(tmp_path, EVIDENCE) / "notes")
    english = _stale_after(project, "caches/lines.md", "title: ", "title: Other ")
    assert {"tags/cache/", "caches/rows/", "zh/caches/lines/"} <= english
    assert not {"zh/tags/cache/", "zh/caches/ladder/"} & english
    chinese = _stale_after(project, "caches/lines.zh.md", "title: ", "title: 另外")
    assert {"zh/tags/cache/", "zh/caches/ladder/", "zh/caches/lines/"} <= chinese
    assert not {"tags/cache/", "caches/rows/"} & chinese


@pytest.mark.slow
def test_a_note_of_a_large_topic_concerns_the_notes_whose_navigation_lists_it(
    tmp_path: Path,
) -> None:
    many = {f"caches/note-{i:02}.md": f"---\ntitle: Note {i:02}\n---\nText.\n" for i in range(80)}
    project = _Project(write_notes(tmp_path, many) / "notes")
    file, new = project.notes / "caches/note-40.md", project.notes / "caches/note-40-new.md"
    text = file.read_text("utf-8")

    def assert_made(note: Path, most: int) -> None:
        left, made = project.missed(note.relative_to(project.notes).as_posix())
        assert left == set()
        assert made < most, note

    file.write_text(text.replace("Note 40", "Note 40, again"), "utf-8")
    assert_made(file, 50)
    file.write_text(text.replace("Note 40", "Zz"), "utf-8")  # it goes to the end
    assert_made(file, 90)
    new.write_text(text.replace("Note 40", "Note 40, new"), "utf-8")
    assert_made(new, len(project.pages))
    new.unlink()
    assert_made(new, len(project.pages))


def test_the_title_of_a_family_of_facts_concerns_no_note(tmp_path: Path) -> None:
    project = _Project(write_notes(tmp_path, EVIDENCE) / "notes")
    value = _stale_after(project, "facts/chips.yml", "{value: 64, unit: B", "{value: 128, unit: B")
    assert {"facts/chips/", "caches/ladder/"} <= value
    title = _stale_after(project, "facts/chips.yml", "{en: Chips", "{en: Some chips")
    assert "facts/chips/" in title
    assert "caches/ladder/" not in title


@pytest.mark.slow
def test_pages_around_a_note_that_comes_and_goes_are_made(tmp_path: Path) -> None:
    project = _Project(write_notes(tmp_path, EVIDENCE) / "notes")
    new = "caches/a-note-that-is-new.md"
    (project.notes / new).write_text(_NEW, "utf-8")
    assert project.missed(new)[0] == set()
    assert "caches/a-note-that-is-new/" in project.pages
    (project.notes / new).unlink()
    assert project.missed(new)[0] == set()
    assert "caches/a-note-that-is-new/" not in project.pages


def test_links_are_resolved_again_where_a_key_becomes_known(tmp_path: Path) -> None:
    project = _Project(write_notes(tmp_path, EVIDENCE) / "notes")
    note, table = project.notes / "caches/rows.md", project.notes / "references.bib"
    note.write_text(f"{note.read_text('utf-8')}\nAs [@somebody] says.\n", "utf-8")
    assert project.missed("caches/rows.md")[0] == set()
    entry = (
        "@misc{somebody,\n  title = {Something},\n  author = {Body, Some},\n  year = {2020}\n}\n"
    )
    table.write_text(f"{table.read_text('utf-8')}\n{entry}", "utf-8")
    assert project.missed("references.bib")[0] == set()
    assert "somebody" in project.site.graph.links["notes/caches/rows.md"].cited


def test_a_result_that_differs_in_blanks_is_another(tmp_path: Path) -> None:
    project = _Project(write_notes(tmp_path, EVIDENCE) / "notes")
    result = next(project.notes.rglob("results/*.json"))
    file = result.relative_to(project.notes).as_posix()
    result.write_text(f"{result.read_text('utf-8')}\n", "utf-8")
    before = project.site
    project.missed(file)
    names = changed_names(before, project.site)
    assert names is not None
    assert ("lab", file.partition("/lab/")[0]) in names


def test_a_text_that_shows_a_run_of_another_notes_lab_is_checked_after_an_edit_of_the_lab(
    tmp_path: Path,
) -> None:
    files = {f"{LAB_FOLDER}/steps.py": PROGRAM, f"{LAB_FOLDER}/lab.yml": LAB, RESULT: recorded()}
    project = _Project(write_notes(tmp_path, files) / "notes")
    note = project.notes / "caches/rows.md"
    printed = '$ python3 steps.py\n{"rows": 16, "columns": 256}'
    shown = f"\n```console lab=steps#count\n{printed}\n```\n"
    note.write_text(note.read_text("utf-8") + shown, "utf-8")
    assert project.missed("caches/rows.md")[0] == set()
    assert not project.codes("notes/caches/rows.md")
    (project.notes / RESULT).write_text(recorded(columns=255), "utf-8")
    assert project.missed(RESULT)[0] == set()
    assert project.codes("notes/caches/rows.md") == {"PN922"}


def test_other_tags_of_a_note_are_those_of_the_document_of_its_lab(tmp_path: Path) -> None:
    files = {f"{LAB_FOLDER}/steps.py": PROGRAM, f"{LAB_FOLDER}/lab.yml": LAB, RESULT: recorded()}
    project = _Project(write_notes(tmp_path, files) / "notes")
    file = f"{LAB_FOLDER.rpartition('/')[0]}/index.md"
    note = project.notes / file
    text = note.read_text("utf-8")
    note.write_text(re.sub(r"(?m)^tags: \[.*\]$", "tags: []", text, count=1), "utf-8")
    assert note.read_text("utf-8") != text
    assert project.missed(file)[0] == set()


def test_after_an_edit_of_a_term_only_its_documents_are_made_again(tmp_path: Path) -> None:
    project = _Project(write_notes(tmp_path, EVIDENCE) / "notes")
    table, before = project.notes / "glossary.yml", project.site
    known = [*documents(before)]
    term = next(iter(before.library.terms.values()))
    text = table.read_text("utf-8").replace(term.definition["en"], "Something else.")
    table.write_text(text, "utf-8")
    now = project.edited("glossary.yml")
    names = changed_names(before, now)
    assert names is not None
    there = {id(document) for document in known}
    made = [d.id for d in documents_after(known, before, now, names) if id(d) not in there]
    assert {id for id in made if id.startswith(("terms/", "labs/", "facts/", "references/"))} == {
        f"terms/{term.id}"
    }
    assert {document.type for document in known} >= {"term", "lab", "fact", "paper"}


def test_after_an_edit_of_a_lab_only_the_texts_that_show_it_are_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"{LAB_FOLDER}/steps.py": PROGRAM, f"{LAB_FOLDER}/lab.yml": LAB, RESULT: recorded()}
    shown = '```console lab=count\n$ python3 steps.py\n{"rows": 16, "columns": 256}\n```\n'
    files["caches/steps/index.md"] = shown
    project = _Project(write_notes(tmp_path, files) / "notes")
    judged: list[str] = []
    find = wrong_output.find_in_text

    def counted(site: Site, links: Links) -> Iterator[Finding]:
        judged.append(links.text.path)
        return find(site, links)

    monkeypatch.setattr(wrong_output, "find_in_text", counted)
    before, found = project.site, examine_texts(project.site)
    everything = {*judged}
    judged.clear()
    (project.notes / RESULT).write_text(recorded(columns=255), "utf-8")
    now = project.edited(RESULT)
    findings_in_texts(before, now, found, changed_names(before, now))
    assert {*judged} == {path for path in everything if "/steps/" in path}
    assert len(everything) > len({*judged}) > 0
