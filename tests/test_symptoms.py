"""Symptoms: from a note's front matter to the page "What do you see?", and what guards them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace
from selectolax.lexbor import LexborHTMLParser, LexborNode

from perfnotes.checks import examine
from perfnotes.checks._examples import NOTE_WITH_SYMPTOM
from perfnotes.cli.main import main
from perfnotes.graph.site import Settings, Site
from perfnotes.model.symptom import Symptom, code_and_words, symptoms_from
from perfnotes.model.translation import text_hash
from perfnotes.search.query import Engine
from perfnotes.search.shards import Shards
from perfnotes.site.page import Page
from perfnotes.site.safety import judge
from perfnotes.site.searchable.documents import documents
from perfnotes.text.findings import Severity
from tests.engine_of import engine_of
from tests.example_notes import made_pages, read_site, write_notes

PLACES = """\
places:
- id: program
  title: {en: A program is slow, zh: 程序很慢}
  questions:
  - ask: {en: Is user or system time high?, zh: 高的是哪一种时间？}
    by: {en: "`time ./program`", zh: "`time ./program`"}
    answers:
    - {id: user, says: {en: User time is high, zh: 用户态时间高}}
    - {id: kernel, says: {en: System time is high, zh: 内核态时间高}}
- id: other
  title: {en: Something else, zh: 其他}
first:
- command: uptime
  look: {en: the load averages, zh: 平均负载}
  answers:
  - {says: {en: "More than `nproc`", zh: "高于 `nproc`"}, leads: program/user}
  source: "[@drepper2007memory, sec. 7]"
"""
ENGLISH = """\
---
symptoms:
- id: columns-slow
  see: My loop over the columns of a large matrix is slow.
  confirm: "`perf stat ./program`: if `D1mr` <b>is</b> high, & only then, this is the cause."
  section: what-to-do
  where: program/user
- id: one-more
  see: The same loop is slow only for large matrices.
  confirm: Time it with matrices of several sizes.
  section: what-to-do
  where: other
---

A C array lies in memory row by row.

## What to do

Swap the loops.
"""
CHINESE = """\
---
title: 先行后列
symptoms:
- id: columns-slow
  see: 按列遍历大矩阵的循环很慢。
  confirm: 运行 `perf stat ./program`：`D1mr` 高，原因就在这里。
---

C 数组在内存中按行存放。

## 怎么办

交换两层循环。
"""
NOTES = {"symptoms.yml": PLACES, "caches/rows.md": ENGLISH, "caches/rows.zh.md": CHINESE}


def page(site: Site, url: str) -> Page:
    return next(each for each in made_pages(site) if each.url == url)


def html(made: Page) -> LexborHTMLParser:
    """The body of a page as a browser parses it."""
    text = engine_of().convert(made.body).content
    assert judge(text) == []
    return LexborHTMLParser(text)


def one(tree: LexborHTMLParser, selector: str) -> LexborNode:
    found = tree.css(selector)
    assert len(found) == 1, selector
    return found[0]


def codes(folder: Path, **files: str) -> list[tuple[str, str]]:
    """The code and message of each finding that is more than a note."""
    site = read_site(
        write_notes(folder, NOTES | {k.replace("__", "/"): v for k, v in files.items()})
    )
    found = examine(site, [f for p in made_pages(site) for f in p.findings])
    return [(f.code, f.message) for f in found if f.severity is not Severity.NOTE]


def test_the_hash_covers_what_is_translated() -> None:
    symptom = Symptom("a", "I see it.", "Look there.", "what-to-do", "cpu")
    plain = text_hash("Title", "About.", "Text.\n")
    known = text_hash("Title", "About.", "Text.\n", [symptom])
    assert plain == text_hash("Title", "About.", "Text.\n", ())
    assert known != plain
    for other in (
        replace(symptom, id="b"),
        replace(symptom, see="I see that."),
        replace(symptom, confirm="Look here."),
    ):
        assert text_hash("Title", "About.", "Text.\n", [other]) != known, other
    elsewhere = replace(symptom, section="how", where="gpu", also=("Others say it.",))
    assert text_hash("Title", "About.", "Text.\n", [elsewhere]) == known


def test_what_is_no_symptom_is_left_out() -> None:
    assert symptoms_from([{"id": "a", "see": " I see\n it. "}, 3, {}, None]) == (
        Symptom("a", "I see it.", ""),
    )
    said = {"id": "a", "also": [" many\n threads ", "", {}, 3]}
    assert symptoms_from([said])[0].also == ("many threads", "3")
    assert symptoms_from([{"id": "a", "also": "many threads"}])[0].also == ()
    assert symptoms_from("words") == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain", [(False, "plain")]),
        ("`a b`: c", [(True, "a b"), (False, ": c")]),
        ("one ` alone", [(False, "one ` alone")]),
        ("``two`` ticks", [(False, "``two`` ticks")]),
    ],
)
def test_code_in_a_sentence(text: str, parts: list[tuple[bool, str]]) -> None:
    assert list(code_and_words(text)) == parts


def test_the_page_leads_from_place_to_section(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path, NOTES))
    made = page(site, "symptoms/")
    tree = html(made)
    assert made.scripts == ("filter",)
    answer = one(tree, "details#symptoms--program--user")
    assert one(tree, "#symptoms--program--user summary").text().strip() == "User time is high 1"
    assert [code.text() for code in answer.css(".pn-confirm code")] == [
        "perf stat ./program",
        "D1mr",
    ]
    assert "<b>is</b> high, & only" in answer.text()  # shown as the characters that they are
    link = one(tree, "#symptoms--program--user .pn-cause a")
    assert link.attributes["href"] == "../caches/rows/#what-to-do"
    assert "no note on this yet" in one(tree, "#symptoms--program--kernel").text()
    assert one(tree, ".pn-first a[href='#symptoms--program--user']").text() == "A program is slow"
    first = one(tree, ".pn-first > li > p")
    command = one(tree, ".pn-first > li > p > code").text()
    assert first.text().startswith(f"{command}: ")  # so the first words are no arguments of it
    assert f"1. `{command}`: " in made.markdown
    assert one(tree, ".pn-first a.pn-cite").attributes["href"] == "../references/drepper2007memory/"
    assert "The same loop is slow only" in made.markdown
    assert "- My loop over the columns" in made.markdown


def test_in_chinese_what_is_not_translated_is_english_and_says_so(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path, NOTES))
    tree = html(page(site, "zh/symptoms/"))
    assert "按列遍历大矩阵的循环很慢。" in one(tree, "#symptoms--program--user").text()
    english = one(tree, "li[lang=en]")
    assert "The same loop is slow only" in english.text()


def test_symptoms_of_a_twin_show_before_its_text_is_translated(tmp_path: Path) -> None:
    draft = CHINESE.replace("symptoms:", "draft: true\nsymptoms:")
    notes = NOTES | {"caches/rows.zh.md": draft}
    site = read_site(write_notes(tmp_path, notes))
    link = one(html(page(site, "zh/symptoms/")), "#symptoms--program--user .pn-cause a")
    assert link.attributes["hreflang"] == "en"
    assert "按列遍历大矩阵的循环很慢。" in page(site, "zh/symptoms/").markdown
    assert "zh/caches/rows/" not in {each.url for each in made_pages(site)}
    assert "perfnotes check notes/caches/rows.zh.md" in page(site, "help-wanted/").body
    wrong = draft.replace("id: columns-slow", "id: rows-slow")
    again = read_site(write_notes(tmp_path / "again", notes | {"caches/rows.zh.md": wrong}))
    assert [f.message for f in examine(again) if f.code == "PN704"] == [
        "the English text has no symptom 'rows-slow'"
    ]


@pytest.mark.parametrize(
    ("first", "second", "printed"),
    [
        ("`perf stat ./program`: slow.", "`lscpu -C`: small.", [True, False]),
        ("Time it with `-O2`.", "`A=1 B=2 ./run it`: fast.", [False, True]),
        ("`CUDA out of memory` is said.", "`malloc_info(0, stdout)` says it.", [False, False]),
        ("`rm -rf dir` is in it.", "It says `this is a message`.", [False, False]),
    ],
)
def test_paper_shows_one_symptom_of_a_note_which_a_command_confirms(
    tmp_path: Path, first: str, second: str, printed: list[bool]
) -> None:
    again = ENGLISH.replace("where: other", "where: program/user")
    again = again.replace("Time it with matrices of several sizes.", f'"{second}"')
    again = re.sub(r'"`perf stat.*"', f'"{first}"', again)
    site = read_site(write_notes(tmp_path, NOTES | {"caches/rows.md": again}))
    tree = html(page(site, "symptoms/"))
    items = tree.css("#symptoms--program--user .pn-causes > li")
    assert ["pn-on-paper" in str(each.attributes["class"]) for each in items] == printed


@pytest.mark.parametrize("where", ["program/kernel", "other"])
@pytest.mark.parametrize(
    ("notes", "printed"),
    [(["rows"], {"rows": True}), (["rows", "lines"], {"rows": False, "lines": True})],
)
def test_paper_shows_a_note_once_unless_nothing_would_stand_there(
    tmp_path: Path, where: str, notes: list[str], printed: dict[str, bool]
) -> None:
    """Each note has a symptom there; the rows have one above, below another answer, too."""
    command = '"`perf trace -s ./program`: slow."'
    text = ENGLISH.replace("where: other", f"where: {where}")
    text = text.replace("Time it with matrices of several sizes.", command)
    texts = {"rows": text, "lines": re.sub(r"(?s)- id: columns-slow.*?(?=- id: one)", "", text)}
    files = {f"caches/{note}.md": texts[note].replace("loop", f"loop of {note}") for note in notes}
    tree = html(page(read_site(write_notes(tmp_path, NOTES | files)), "symptoms/"))
    above = {*tree.css("#symptoms--program--user .pn-causes > li")}
    items = [item for item in tree.css(".pn-causes > li") if item not in above]
    shown = {note: [i for i in items if f"loop of {note}" in i.text()] for note in notes}
    assert {
        note: ["pn-on-paper" in str(each.attributes["class"]) for each in each_items]
        for note, each_items in shown.items()
    } == {note: [is_printed] for note, is_printed in printed.items()}
    assert tree.css("#symptoms--program--user .pn-on-paper")


def test_paper_says_what_it_leaves_out_and_where_all_of_it_is(tmp_path: Path) -> None:
    folder = write_notes(tmp_path, NOTES)
    said = one(html(page(read_site(folder), "symptoms/")), "p.pn-on-paper").text()
    assert "All 2 symptoms" in said
    assert said.endswith("on the page.")
    settings = Settings(name="Example", url="https://example.org/a/")
    made = page(read_site(folder, settings), "zh/symptoms/")
    address = "https://example.org/a/zh/symptoms/"
    assert one(html(made), "p.pn-on-paper").text().endswith(address)
    assert made.body.count(address) == 1


def test_the_search_finds_a_place_by_what_people_type(tmp_path: Path) -> None:
    said = "  also: {en: [sluggish program], zh: [程序卡]}\n  questions:"
    table = PLACES.replace("  questions:", said, 1)
    site = read_site(write_notes(tmp_path, NOTES | {"symptoms.yml": table}))
    engine = Engine(dict(Shards().files(documents(site))).get)
    for query in ("A program is slow", "sluggish program"):
        assert engine.search(query).results[0].url == "symptoms/#symptoms--program"
    (found, *_) = engine.search("sluggish program").results
    assert found.text.endswith("high? User time is high; System time is high")
    (found, *_) = engine.search("程序卡", "zh").results
    assert (found.url, found.title) == ("zh/symptoms/#symptoms--program", "程序很慢")


def test_the_home_page_names_the_places(tmp_path: Path) -> None:
    home = "---\ntitle: Home\n---\n\n## See {#start}\n\n<!-- perfnotes:symptoms -->\n"
    site = read_site(write_notes(tmp_path, NOTES | {"../docs/index.md": home.encode()}))
    made = page(site, "")
    found = html(made).css(".pn-places a")
    assert [(a.attributes["href"], a.text()) for a in found] == [
        ("symptoms/#symptoms--program", "A program is slow"),
        ("symptoms/#symptoms--other", "Something else"),
        ("symptoms/#symptoms--first", "A slow Linux machine: the first sixty seconds"),
    ]
    assert "[Something else](symptoms/index.md#symptoms--other)" in made.markdown


def test_without_the_table_there_is_no_page(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path))
    assert not [each for each in made_pages(site) if "symptoms" in each.url]


def test_a_reference_that_only_the_commands_cite_is_cited(tmp_path: Path) -> None:
    bib = "@misc{doe2020uptime,\n  author = {Doe, Ann},\n  title = {Uptime},\n  year = {2020}\n}\n"
    cited = PLACES.replace("drepper2007memory", "doe2020uptime")
    site = read_site(write_notes(tmp_path, NOTES | {"symptoms.yml": cited, "references.bib": bib}))
    assert not [f for f in examine(site) if "doe2020uptime" in f.message]
    shown = html(page(site, "references/doe2020uptime/"))
    assert shown.css("a[href='../../symptoms/']")


def test_what_the_readers_refuse(tmp_path: Path) -> None:
    twice = ENGLISH.replace("one-more", "columns-slow")
    assert ("PN204", "the symptom 'columns-slow' appears twice") in codes(
        tmp_path / "a", **{"caches__rows.md": twice}
    )
    places = PLACES.replace("id: kernel", "id: user").replace("id: other", "id: program")
    found = codes(tmp_path / "b", **{"symptoms.yml": places})
    assert ("PN204", "the id 'user' appears twice") in found
    assert ("PN204", "the id 'program' appears twice") in found
    nowhere = PLACES.replace("leads: program/user", "leads: program/usr")
    found = codes(tmp_path / "c", **{"symptoms.yml": nowhere})
    assert ("PN203", "no place or answer is called 'program/usr'") in found
    empty = codes(tmp_path / "d", **{"symptoms.yml": "places: []\n"})
    assert [code for code, _ in empty if code == "PN203"]
    for wrong in ("symptoms: [3]", "symptoms: {a: b}", "symptoms:\n- {id: A b, see: x}"):
        note = f"---\n{wrong}\n---\nText.\n"
        assert "PN202" in {code for code, _ in codes(tmp_path / "e", **{"caches__rows.md": note})}


def test_numbers_in_symptoms_are_held_against_the_text(tmp_path: Path) -> None:
    number = ENGLISH.replace("large matrix is slow", "large matrix takes 17× the time")
    found = codes(tmp_path / "a", **{"caches__rows.md": number})
    assert ("PN924", "17× in a symptom is not bound in the text") in found
    code = ENGLISH.replace("`perf stat ./program`", "`perf stat --timeout 500 ms ./program`")
    assert not [c for c, _ in codes(tmp_path / "b", **{"caches__rows.md": code}) if c == "PN924"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the example notes and symptoms; nobody sits at a terminal."""
    write_notes(tmp_path, NOTES)
    (tmp_path / "mkdocs.yml").write_text("site_name: Example\n")
    for command in ("init -q", "add -A", "-c user.name=A -c user.email=a@b.c commit -qm notes"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False)
    return tmp_path


def test_a_changed_symptom_shows_in_the_comparison_and_makes_the_twin_late(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project / "notes/caches/rows.md"
    text = file.read_text("utf-8").replace("is slow.", "takes for ever.", 1)
    file.write_text(text.replace("one-more", "another"), "utf-8")
    table = project / "notes/symptoms.yml"
    table.write_text(table.read_text("utf-8").replace("Something else", "All else"), "utf-8")
    assert main(["diff", "HEAD"]) == 0
    told = capsys.readouterr().out
    assert "symptom columns-slow: My loop over the columns of a large matrix is slow. → My" in told
    assert "symptom added, another: " in told
    assert "symptom taken away, one-more: " in told
    assert "place changed: other\n    - now: All else / 其他" in told
    assert "caches/rows: the English text has changed since it was translated" in told
    assert main(["translated", "caches/rows"]) == 0
    assert "{+takes" in capsys.readouterr().out


def test_a_new_note_begins_with_its_symptom(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["new", "note", "caches/sets", "--title", "Sets", "--tags", "cache", "--level",
             "advanced", "--see", "My loop is slow for some sizes."]  # fmt: skip
    assert main(asked) == 2
    assert "--where is missing" in capsys.readouterr().err
    assert main([*asked, "--where", "program/usr"]) == 2
    assert "did you mean program/user?" in capsys.readouterr().err
    assert main([*asked, "--where", "program/user", "--twin"]) == 0
    for name in ("sets.md", "sets.zh.md"):
        file = project / "notes/caches" / name
        file.write_text(file.read_text("utf-8").replace("draft: true\n", ""), "utf-8")
    capsys.readouterr()
    main(["check"])
    told = capsys.readouterr().out
    assert "the symptom 'my-loop-is-slow-for-some-sizes' still has the `confirm` of" in told
    assert "the symptom 'my-loop-is-slow-for-some-sizes' is in English" in told
    assert "PN212" not in told


def test_a_note_without_headings_is_told_to_add_one(tmp_path: Path) -> None:
    see = "My loop over the columns of a matrix is slow."
    note = NOTE_WITH_SYMPTOM.format(see=see).partition("## What")[0]
    site = read_site(write_notes(tmp_path, {"symptoms.yml": PLACES, "caches/rows.md": note}))
    (found,) = (f for f in examine(site) if f.code == "PN212")
    assert found.hint == "add the heading to the note"


def test_a_symptom_may_open_at_a_heading_that_answers(tmp_path: Path) -> None:
    opens = {
        "caches/rows.md": ENGLISH.replace("where: other\n", "where: other\n  opens: what-to-do\n"),
        "caches/rows.zh.md": CHINESE.replace("就在这里。\n", "就在这里。\n  opens: what-to-do\n"),
    }
    site = read_site(write_notes(tmp_path, NOTES | opens))
    assert not [f for f in examine(site) if f.code in ("PN104", "PN212")]
    anchors = [(d.lang, d.symptom, d.blocks[0].anchor) for d in documents(site) if d.symptom]
    assert ("en", "one-more", "what-to-do") in anchors
    assert ("en", "columns-slow", "") in anchors
    assert ("zh", "columns-slow", "what-to-do") in anchors


@pytest.mark.parametrize("name", ["caches/rows.md", "caches/rows.zh.md"])
def test_a_symptom_cannot_open_at_a_heading_that_is_not_there(tmp_path: Path, name: str) -> None:
    text = NOTES[name].replace("原因就在这里。\n", "原因就在这里。\n  opens: remedy\n")
    text = text.replace("where: other\n", "where: other\n  opens: remedy\n")
    site = read_site(write_notes(tmp_path, NOTES | {name: text}))
    (found,) = (f for f in examine(site) if f.code == "PN212")
    assert (found.path.rpartition("notes/")[2], "'remedy'" in found.message) == (name, True)
