"""Taking part: links to change a page and report on it, translations, what help is wanted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.checks import examine
from perfnotes.checks._rule import Files
from perfnotes.graph.site import Settings, Site
from perfnotes.model.repository import LONGEST_ADDRESS, Repository
from perfnotes.site.page import Page
from perfnotes.site.page_frame import frame
from perfnotes.source.twin import skeleton
from tests.example_evidence import EVIDENCE
from tests.example_notes import made_pages, read_site, write_notes

HOST = "https://code.example.org/o/r"
PLACE = "https://example.org/notes/"
SETTINGS = Settings(name="Example", url=PLACE, repository=HOST)
SUBJECTS = """\
topics: {network: {en: Network, zh: 网络}}
subjects:
- id: caches/prefetching
  title: {en: Prefetching <b>, zh: 预取}
  question: {en: "Which walks does the hardware foresee?", zh: 硬件能预见哪些访问？}
- id: caches/rows
  title: {en: Rows}
  question: {en: Why along rows?}
- id: network/routes
  title: {en: Routes, zh: 路由}
  question: {en: Which way?, zh: 走哪条路？}
"""
DRAFT = "---\ndraft: true\n---\n\nA beginning.\n"


def example(folder: Path, notes: Files, settings: Settings = SETTINGS) -> Site:
    return read_site(write_notes(folder, notes), settings)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    notes = {
        **EVIDENCE,
        "wanted.yml": SUBJECTS,
        "caches/begun.md": DRAFT,
        "caches/guess.md": "A miss costs 80 ns.\n",
        "../docs/about.md": "About it.\n",
        "../docs/contributing.md": "How to.\n",
        "../docs/contributing.zh.md": "怎样做。\n",
    }
    return example(tmp_path_factory.mktemp("site"), notes)


@pytest.fixture(scope="module")
def pages(site: Site) -> Mapping[str, Page]:
    return {page.url: page for page in made_pages(site)}


def foot_of(site: Site, page: Page) -> Mapping[str, str]:
    """What stands below a page: words and addresses."""
    tree = LexborHTMLParser(str(frame(site, page).get("foot", "")))
    return {a.text(): a.attributes["href"] or "" for a in tree.css("a")}


def filled(address: str) -> Mapping[str, str]:
    """What an address fills into the form that it opens."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


# Addresses at the code host


def test_every_page_made_of_a_file_leads_to_its_line(site: Site, pages: Mapping[str, Page]) -> None:
    found = {}
    for page in pages.values():
        if page.edit:
            path, _, line = page.edit.removeprefix(f"{HOST}/edit/main/").partition("#L")
            file = site.library.root.parent / unquote(path)
            assert file.is_file(), page.edit
            found[page.kind] = file.read_text("utf-8").splitlines()[int(line or 1) - 1]
    assert found.keys() == {
        "home", "document", "note", "topic", "tags", "tag", "references", "reference", "glossary",
        "term", "lab", "latency", "wanted",
    }  # fmt: skip
    for url, line in {
        "glossary/warp/": "- id: warp",
        "references/drepper2007memory/": "@misc{drepper2007memory,",
        "tags/cache/": "- id: cache",
        "gpu/": "- id: gpu",
    }.items():
        path, _, at = pages[url].edit.removeprefix(f"{HOST}/edit/main/").partition("#L")
        lines = (site.library.root.parent / path).read_text("utf-8").splitlines()
        assert lines[int(at or 1) - 1].startswith(line), url
    assert pages["zh/caches/lines/"].edit == f"{HOST}/edit/main/notes/caches/lines.zh.md"
    facts = LexborHTMLParser(pages["facts/chips/"].body)
    assert facts.css(f'a[href="{HOST}/edit/main/notes/facts/chips.yml"]')
    lab = pages["caches/ladder/lab/"]
    assert lab.edit == f"{HOST}/edit/main/notes/caches/ladder/lab/lab.yml"


def test_a_page_reports_what_is_wrong_on_it(site: Site, pages: Mapping[str, Page]) -> None:
    foot = foot_of(site, pages["zh/caches/lines/"])
    assert list(foot) == ["编辑此页", "报告错误", "报告失效链接"]
    place = f"{PLACE}zh/caches/lines/"
    assert filled(foot["报告错误"]) == {
        "template": "wrong-fact.yml", "title": "内容有误：缓存行", "page": place
    }  # fmt: skip
    link = filled(foot["报告失效链接"])
    assert (link["template"], link["title"]) == ("dead-link.yml", "链接失效：缓存行")
    assert all(address.startswith(f"{HOST}/") for address in foot.values())
    term = foot_of(site, pages["glossary/warp/"])
    assert list(term) == ["Edit this page", "Report a mistake", "Report a dead link"]


def test_a_number_of_a_lab_is_reported_without_scripts(pages: Mapping[str, Page]) -> None:
    body = LexborHTMLParser(pages["caches/ladder/lab/"].body)
    said = filled(link_in(body, ".pn-report a").attributes["href"] or "")
    assert said["template"] == "wrong-number.yml"
    assert said["binding"] == "lab:caches/ladder#far"
    assert said["machine"] == "one-cpu"
    assert said["number"] == said["recorded"] != ""


def test_the_list_of_numbers_holds_what_a_card_reports(pages: Mapping[str, Page]) -> None:
    body = LexborHTMLParser(pages["caches/steps/"].body)
    assert [row.attributes["data-of"] for row in body.css("tr[id]")] == [
        "lab:misses", "fact:chip/cache-line",
    ]  # fmt: skip
    assert link_in(body, ".pn-measured").attributes["data-machine"] == "example-cpu"
    assert filled(link_in(body, "a.pn-report").attributes["href"] or "") == {
        "template": "wrong-number.yml",
        "page": f"{PLACE}caches/steps/",
    }


def link_in(tree: LexborHTMLParser, selector: str) -> LexborNode:
    found = tree.css_first(selector)
    assert found, selector
    return found


def test_nothing_leads_nowhere_without_a_repository(tmp_path: Path) -> None:
    site = example(tmp_path, {**EVIDENCE, "wanted.yml": SUBJECTS}, replace(SETTINGS, repository=""))
    for page in made_pages(site):
        assert "foot" not in frame(site, page), page.url
        for part in ("/issues/new", "/edit/", "/new/", 'href=""', "pn-report", "data-of"):
            assert part not in page.body, (page.url, part)


def test_a_foreign_folder_is_not_ours_to_edit(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.md").write_text("# One\n\nText.\n", "utf-8")
    site = read_site(tmp_path, SETTINGS)
    for page in made_pages(site):
        assert "foot" not in frame(site, page), page.url
        assert page.kind != "wanted"


def test_an_address_stays_short_and_plain() -> None:
    at = Repository(HOST, "next & main")
    assert at.edit("notes/a b.md", 7) == f"{HOST}/edit/next%20%26%20main/notes/a%20b.md#L7"
    address = at.report("wrong-number", "x" * 999, number="9 %\n&x=1", recorded="數" * 5000)
    assert len(address) < LONGEST_ADDRESS
    said = filled(address)
    assert said["number"] == "9 % &x=1"
    assert len(said["recorded"]) == 300
    assert len(said["title"]) < 150
    assert Repository().report("dead-link", "x") == Repository().new("x", "y") == ""
    assert at.new("x.md", "y" * LONGEST_ADDRESS) == ""


# Translations


def test_a_translation_begins_with_what_is_known(site: Site, pages: Mapping[str, Page]) -> None:
    note = site.library.notes["caches/steps"]
    words = "Propose a Chinese version"
    said = filled(foot_of(site, pages["caches/steps/"])[words])
    assert said == {
        "filename": "notes/caches/steps/index.zh.md",
        "value": skeleton(note),
    }
    assert words not in foot_of(site, pages["caches/lines/"])


def test_the_skeleton_of_a_translation_passes_the_check(tmp_path: Path) -> None:
    text = (
        '---\ntitle: "Rows: `a` and \\"b\\""\n---\n\nText.\n\n## The `i` loop\n\n### Deeper {#x}\n'
    )
    before = example(tmp_path, {"caches/rows.md": text})
    note = before.library.notes["caches/rows"]
    file = tmp_path / before.twin_path(note)
    file.write_text(skeleton(note).replace("draft: true\n", ""), "utf-8")
    after = read_site(tmp_path)
    twin = after.library.translations["caches/rows"]
    assert not twin.is_behind
    assert twin.meta.title == note.meta.title
    assert [s.id for s in twin.body.sections] == [s.id for s in note.body.sections]
    # Nothing is wrong but that it is not translated yet; as the draft that it is, nothing at all.
    assert {f.code for f in examine(after) if f.path.endswith(file.name)} == {"PN805"}
    file.write_text(skeleton(note), "utf-8")
    assert not [f for f in examine(read_site(tmp_path)) if f.path.endswith(file.name)]


def test_a_translation_too_long_for_an_address_is_explained(tmp_path: Path) -> None:
    headings = "".join(f"## Heading number {i} of a long note\n\nText.\n\n" for i in range(150))
    notes = {"caches/rows.md": headings, "../docs/contributing.md": "How to.\n"}
    site = example(tmp_path, notes)
    page = next(p for p in made_pages(site) if p.url == "caches/rows/")
    address = foot_of(site, page)["Propose a Chinese version"]
    assert address == "../../contributing/#translation"


# Help wanted


def sections(page: Page) -> Mapping[str, str]:
    """By the last part of its id the Markdown and HTML of each part of the page."""
    parts = re.split(r"^## .*\{#wanted--(\w+)\}$", page.body, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_what_is_wanted_follows_from_the_notes(pages: Mapping[str, Page]) -> None:
    found = sections(pages["help-wanted/"])
    assert list(found) == ["failing", "numbers", "drafts", "machine", "unread",
        "untranslated", "subjects",
    ]  # fmt: skip
    assert "<code>perfnotes reproduce caches/ladder</code>" in found["failing"]
    assert "80 ns" in found["numbers"]
    assert "<code>perfnotes check notes/caches/guess.md</code>" in found["numbers"]
    assert "notes/caches/begun.md#" not in found["drafts"]
    assert f"{HOST}/edit/main/notes/caches/begun.md" in found["drafts"]
    assert "<code>perfnotes reproduce caches/steps --save</code>" in found["machine"]
    assert "caches/ladder" not in found["machine"], "two machines answered"
    assert "<code>perfnotes new note caches/rows --lang zh</code>" in found["untranslated"]
    assert "caches/lines" not in found["untranslated"]


def test_a_subject_leaves_the_list_with_its_note(site: Site, pages: Mapping[str, Page]) -> None:
    for url, title in (("help-wanted/", "Prefetching &lt;b&gt;"), ("zh/help-wanted/", "预取")):
        subjects = sections(pages[url])["subjects"]
        assert title in subjects
        assert "<code>perfnotes new note caches/prefetching</code>" in subjects
        assert "perfnotes new note network/routes" in subjects
        assert "new note caches/rows" not in subjects
    codes = [f.message for f in examine(site) if f.code == "PN211"]
    assert len(codes) == 2, "at the entry and at the note"
    assert all("'caches/rows'" in code for code in codes)


def test_late_translations_are_wanted(tmp_path: Path) -> None:
    text = "---\ntranslates: 0123456789abcdef\n---\n\n文字。\n"
    page = next(
        p
        for p in made_pages(example(tmp_path, {"caches/rows.zh.md": text}))
        if p.url == "help-wanted/"
    )
    late = sections(page)["late"]
    assert "<code>perfnotes translated caches/rows</code>" in late
    assert 'href="../zh/caches/rows/changes/"' in late


def test_a_table_that_is_not_there_is_not_edited(tmp_path: Path) -> None:
    page = next(p for p in made_pages(example(tmp_path, {})) if p.kind == "wanted")
    assert page.edit == ""
    assert "subjects" not in sections(page)


def test_broken_subjects_are_found_at_their_place(tmp_path: Path) -> None:
    broken = "subjects:\n- {id: Prefetching, title: {en: x}}\n"
    site = example(tmp_path, {"wanted.yml": broken})
    found = [(f.path, f.line, f.code) for f in examine(site) if "wanted" in f.path]
    assert ("notes/wanted.yml", 2, "PN203") in found
    twice = SUBJECTS + "- {id: network/routes, title: {en: x}, question: {en: y}}\n"
    again = read_site(write_notes(tmp_path / "twice", {"wanted.yml": twice}))
    assert [f.line for f in examine(again) if f.code == "PN204"] == [12]
