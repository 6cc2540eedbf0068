"""What the examples of the checks do not show: cases at their edges, and findings together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from perfnotes.checks import MOST_OF_ONE_CODE, examine
from perfnotes.checks._rule import Files, Symlink
from perfnotes.checks.requires_cycle import _circles
from perfnotes.graph import gaps
from perfnotes.model.translation import text_hash
from perfnotes.report.github import write as as_github
from perfnotes.report.text import write as as_text
from perfnotes.site.page_addresses import address_problems
from perfnotes.site.pages.references import times_used
from perfnotes.site.stage import stage
from perfnotes.text.findings import Finding, Severity
from tests.example_notes import NOTES, read_site, stage_without_index, write_notes

ROOT = Path(__file__).parent.parent
Look = Callable[[Files], list[Finding]]


def _codes(findings: list[Finding]) -> list[str]:
    return [f.code for f in findings]


def test_a_requirement_with_the_form_of_an_id_is_not_told_that_form(look: Look) -> None:
    found = look({"caches/rows.md": "---\nrequires: [disks/platters, Disk platters]\n---\n"})
    assert [f.hint for f in found] == [
        "check the spelling, or write that note",
        "write the note's id: folder/file, without .md",
    ]


def test_a_title_is_compared_within_its_language(look: Look) -> None:
    assert not _codes(look({"caches/rows.zh.md": "---\ntitle: Cache lines\n---\n"}))
    found = look({"caches/rows.zh.md": "---\ntitle: 缓存行\n---\n"})
    assert [(f.code, f.path) for f in found] == [
        ("PN206", "notes/caches/lines.zh.md"),
        ("PN206", "notes/caches/rows.zh.md"),
    ]


def test_a_name_in_the_place_of_a_title_is_not_compared(look: Look) -> None:
    unread = {"caches/cache-lines.md": "---\ntitle: [\n---\n"}
    titled = {"gpu/caches.md": "---\ntitle: cache-lines\n---\n"}
    assert _codes(look(unread | titled)) == ["PN104"]


def test_requirements_lead_to_published_notes(look: Look) -> None:
    draft = {"gpu/sms.md": "---\ndraft: true\nrequires: [gpu/tpcs, gpu/gpcs]\n---\n",
             "gpu/tpcs.md": "---\ndraft: true\n---\n"}  # fmt: skip
    rows = {"caches/rows.md": "---\nrequires: [gpu/sms, warps]\n---\n"}
    found = look(draft | rows)
    assert _codes(found) == ["PN207"] * 3
    assert found[0].message.endswith("is a draft, which the site leaves out")
    assert found[1].hint == "did you mean 'gpu/warps'?"
    assert "'gpu/gpcs'" in found[2].message


@pytest.mark.parametrize(
    ("name", "hint"),
    {
        "note.markdown": "rename it to note.md",
        "note.MD": "rename it to note.md",
        "note/index.markdown": "rename it to index.md",
        "note.fr.md": "rename the file",
    }.items(),
)
def test_a_wrong_ending_is_called_so(look: Look, name: str, hint: str) -> None:
    (finding,) = look({f"caches/{name}": b"Text.\n"})
    assert (finding.code, finding.hint) == ("PN801", hint)
    assert finding.message.startswith("a note's file ends in .md")


def test_a_number_that_is_no_quantity_is_not_called_absent(look: Look) -> None:
    (finding,) = look({"caches/rows.md": "---\nchosen: [1021 lines]\n---\nWith 1021 lines.\n"})
    assert (finding.code, finding.line) == ("PN921", 2)
    assert finding.message == (
        "chosen lists '1021 lines', but no quantity of the text is written so"
    )


def test_a_chosen_number_that_only_the_translation_needs_is_used(look: Look) -> None:
    english = {"caches/rows.md": "---\nchosen: [4 字节]\n---\nIt is short.\n"}
    assert [f.code for f in look(english)] == ["PN921"]
    twin = {"caches/rows.zh.md": "---\ntitle: 行\ndescription: 一句话。\n---\n只有 4 字节。\n"}
    assert "PN921" not in [f.code for f in look({**english, **twin})]


@pytest.mark.parametrize("front", [b"", b"\n", b"# later\n"])
def test_an_empty_front_matter_is_called_so(look: Look, front: bytes) -> None:
    (finding,) = [
        f
        for f in look({"caches/rows.md": b"---\n" + front + b"---\n\nText.\n"})
        if f.code == "PN202"
    ]
    assert finding.message == "the front matter is empty"
    assert finding.hint == "write title, description, tags, level and date"


NEAR = {
    "[x](nothing.md)": "",
    "![Rows](foo.png)": "",
    "[x](line.md)": "lines.md",
    "[x](step.md)": "steps/index.md",
    "[x](warps.md)": "../gpu/warps.md",
    "[x](../gpu/warp.md)": "../gpu/warps.md",
    "![Rows](states.png)": "states%20of%20a%20line/states.svg",
    "[x](states.md)": "states%20of%20a%20line/states.svg",
}


@pytest.mark.parametrize(("text", "near"), NEAR.items())
def test_a_file_with_a_name_like_the_missing_one_is_given_as_a_link(
    look: Look, text: str, near: str
) -> None:
    drawing = {"caches/states of a line/states.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"}
    (hint,) = [f.hint for f in look({**drawing, "caches/rows.md": text}) if f.code == "PN304"]
    nothing = "check the path, which is relative to this file"
    assert hint == (f"did you mean {near}?" if near else nothing)


def test_every_circle_is_named_once_at_each_of_its_notes(look: Look) -> None:
    notes = {
        # It leads into the circle, at another note than the first one.
        "caches/begin.md": "---\nrequires: [gpu/warps]\n---\n",
        "caches/lines.md": "---\nrequires: [caches/rows]\n---\n",
        "caches/rows.md": "---\nrequires: [gpu/warps]\n---\n",
        "gpu/warps.md": "---\nrequires: [caches/lines, gpu/sms]\n---\n",
        "gpu/sms.md": "---\nrequires: [gpu/sms, caches/columns]\n---\n",
        "caches/columns.md": "---\nrequires: []\n---\n",
    }
    circles = [(f.path, f.message) for f in look(notes) if f.code == "PN208"]
    three = "these notes require each other: caches/lines → caches/rows → gpu/warps → caches/lines"
    assert circles == [
        ("notes/caches/lines.md", three),
        ("notes/caches/rows.md", three),
        ("notes/gpu/sms.md", "'gpu/sms' requires itself"),
        ("notes/gpu/warps.md", three),
    ]


def test_drafts_that_require_each_other_are_a_circle(look: Look) -> None:
    notes = {
        "gpu/sms.md": "---\ndraft: true\nrequires: [gpu/tpcs]\n---\n",
        "gpu/tpcs.md": "---\ndraft: true\nrequires: [gpu/sms]\n---\n",
    }
    assert [f.path for f in look(notes) if f.code == "PN208"] == [f"notes/{path}" for path in notes]


def test_a_long_chain_of_requirements_is_no_circle() -> None:
    chain = {str(i): (str(i + 1), str(i + 2)) for i in range(3000)}
    assert list(_circles(chain)) == []


def test_the_glossary_names_notes_that_exist(look: Look) -> None:
    entry = (
        "- {{id: warp, en: warp, zh: 线程束, definition: {{en: Threads., zh: 线程。}},\n"
        "   note: {note}}}\n"
    )
    found = look({"glossary.yml": entry.format(note="gpu/warp")})
    assert [(f.code, f.line, f.hint) for f in found] == [("PN209", 2, "did you mean 'gpu/warps'?")]
    draft = {"gpu/warp.md": "---\ndraft: true\n---\n"}
    assert not look({"glossary.yml": entry.format(note="gpu/warp"), **draft})


def test_the_reading_order_names_files_not_ids(look: Look) -> None:
    topic = "- id: gpu\n  title: {en: GPU}\n  description: {en: x}\n  notes: [gpu/warps]\n"
    assert [f.hint for f in look({"topics.yml": topic})] == ["write 'warps'"]


@pytest.mark.parametrize("alias", ["caches/rows", "caches/lines", "lines", "pages"])
def test_an_alias_may_not_take_links_from_another_note(look: Look, alias: str) -> None:
    other = {"caches/lines.md": "---\naliases: [pages]\n---\n"}
    found = look({**other, "caches/rows.md": f"---\naliases: [{alias}]\n---\n"})
    paths = ["notes/caches/rows.md"]  # and the other note, unless that is the note itself
    if alias != "caches/rows":
        paths.insert(0, "notes/caches/lines.md")
    assert [f.path for f in found if f.code == "PN210"] == paths


def test_notes_may_share_a_phrase_that_helps_search(look: Look) -> None:
    shared = "---\naliases: [cache miss, 缓存 未命中]\n---\n"
    assert not look({"caches/lines.md": shared, "caches/rows.md": shared})


def test_what_counts_as_a_citation(look: Look) -> None:
    bib = """
@inproceedings{frigo1999cache,
  author = {Frigo, Matteo}, title = {Cache-Oblivious Algorithms}, crossref = {focs1999}
}
@proceedings{focs1999, title = {Symposium on Foundations of Computer Science}, year = {1999}}
"""
    annotation = {"references/drepper2007memory.md": "Unlike @frigo1999cache.\n"}
    uncited = look({"references.bib": bib, **annotation})
    assert [(f.code, f.line) for f in uncited] == [("PN407", 2)]
    page = {"../docs/index.md": "As @frigo1999cache shows.\n"}
    assert not look({"references.bib": bib, **page})


def test_a_page_that_cites_a_reference_counts_as_a_note_does(tmp_path: Path) -> None:
    page = {
        "../docs/index.md": "As @frigo1999cache shows.\n",
        "../docs/index.zh.md": "见 @frigo1999cache。\n",
    }
    bib = "@misc{frigo1999cache, title = {Caches}, year = {1999}}\n"
    bib += "@misc{nobody2000cites, title = {Tables}, year = {2000}}\n"
    site = read_site(
        write_notes(tmp_path, {"references.bib": NOTES["references.bib"] + bib, **page})
    )
    assert [each.key for each in gaps.uncited(site)] == ["nobody2000cites"]
    used = {
        key: times_used(site, site.library.references[key])
        for key in ("frigo1999cache", "nobody2000cites")
    }
    assert used == {"frigo1999cache": 1, "nobody2000cites": 0}


def test_pages_of_the_site_have_twins_too(look: Look) -> None:
    head = "---\ntitle: About\ndescription: All.\n---\n"
    english = {"../docs/about.md": f"{head}\n## What\n\nNotes.\n"}
    assert _codes(look({"../docs/about.zh.md": "## 什么\n"})) == ["PN701"]
    twin = "---\ntranslates: 0123456789abcdef\n---\n\n### 什么\n"
    found = look({**english, "../docs/about.zh.md": twin})
    assert {"PN702", "PN703"} <= set(_codes(found))
    assert any("perfnotes translated docs/about" in f.hint for f in found if f.code == "PN702")
    hash = text_hash("About", "All.", "## What\n\nNotes.\n")
    right = f"---\ntranslates: {hash}\n---\n\n## 什么\n"
    assert not look({**english, "../docs/about.zh.md": right})


def test_a_recorded_hash_is_never_a_number() -> None:
    # YAML would read one without a letter as an integer, which the schema refuses.
    assert not any(text_hash("", "", str(i)).isdigit() for i in range(10_000))


def test_a_heading_too_many_in_a_translation(look: Look) -> None:
    found = look({"caches/rows.zh.md": "按行存放。\n\n## 多余\n\n文字。\n"})
    places = [(f.code, f.path, f.line) for f in found]
    assert ("PN703", "notes/caches/rows.zh.md", 9) in places
    assert ("PN703", "notes/caches/rows.md", 10) in places, "checking the original alone shows it"
    (message,) = (f.message for f in found if f.path.endswith("rows.md") and f.code == "PN703")
    assert message.startswith("the translation notes/caches/rows.zh.md has more headings: ")


def test_thousands_of_findings_of_one_kind_are_counted(look: Look) -> None:
    text = "".join(f"It takes {i}.5 s.\n\n" for i in range(1000))
    found = look({"caches/rows.md": f"{text}A [[wrong-name]].\n"})
    alike = [f for f in found if f.code == "PN920"]
    assert len(alike) == MOST_OF_ONE_CODE + 1
    assert alike[-1].message == "800 more findings of PN920 from here on in this file"
    assert alike[-1].line == alike[-2].line + 2
    assert alike[-1].severity is Severity.WARNING
    assert "PN305" in _codes(found)


def test_a_redirect_over_a_page_is_reported_at_its_alias_too(tmp_path: Path) -> None:
    alias = {"caches/rows.md": "---\naliases: [tags/cache]\n---\n"}
    found = list(address_problems(read_site(write_notes(tmp_path, alias))))
    places = {(f.code, f.path) for f in found if "alias" in f.message}
    assert places == {("PN802", "notes/caches/rows.md")}


def test_a_finding_about_a_page_without_a_file_names_its_address(tmp_path: Path) -> None:
    alias = {"caches/rows.md": "---\naliases: [checks/pn101]\n---\n", "../docs/index.md": "Text.\n"}
    site = read_site(write_notes(tmp_path, alias))
    found = [*address_problems(site), *stage_without_index(site).findings]
    paths = {f.path for f in found if f.code == "PN802"}
    assert paths == {"checks/pn101/index.html", "notes/caches/rows.md"}


def test_a_topic_may_not_be_called_like_a_page_of_the_site(look: Look) -> None:
    topic = "- id: about\n  title: {en: About}\n  description: {en: x}\n"
    assert not look({"topics.yml": topic})
    assert "PN803" in _codes(look({"topics.yml": topic, "../docs/about.md": "Text.\n"}))


def test_who_leads_to_a_note(look: Look) -> None:
    alone = {"caches/columns.md": "[[columns]] has [[columns|itself]].\n"}
    assert _codes(look(alone)) == ["PN804"]
    term = "- {id: column, en: column, zh: 列, definition: {en: x, zh: x}, note: caches/columns}\n"
    linked = {"glossary.yml": term, "caches/rows.md": "Along a [[column]].\n"}
    assert not look({**alone, **linked})


@pytest.mark.parametrize("target", ["rows.md", "../caches", "nothing.md", "/etc/passwd", "../.."])
def test_symbolic_links_that_are_not_followed(look: Look, target: str) -> None:
    assert "PN106" in _codes(look({"caches/rows.md": Symlink(target)}))


def test_a_symbolic_link_to_a_file_of_the_notes_is_followed(look: Look) -> None:
    found = look({"caches/row.c": b"int x;\n", "caches/copy.c": Symlink("row.c"),
                  "caches/rows.md": "See [it](copy.c).\n"})  # fmt: skip
    assert not found


@pytest.mark.parametrize("files", [[".git/HEAD"], [".git"], ["HEAD", "commondir"]], ids=str)
def test_a_repository_inside_the_notes_is_found(look: Look, files: list[str]) -> None:
    assert _codes(look({f"caches/more/{file}": b"" for file in files})) == ["PN110"]


def test_notes_may_be_a_repository_themselves(look: Look) -> None:
    assert not look({".git/HEAD": b"", "caches/refs/HEAD": b"", "caches/objects/refs": b""})


def test_in_any_other_folder_findings_are_warnings(tmp_path: Path) -> None:
    text = "# A\n\n![](a.png)\n\n#### B\n\n<b>x</b>\n\n```\nopen\n"
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/a.md").write_text(text, "utf-8")
    (tmp_path / "notes/a.png").write_bytes(b"")
    site = read_site(tmp_path)
    found = examine(site, stage(site).findings)
    assert [(f.code, f.line, f.column) for f in found] == [("PN505", 3, 1), ("PN504", 9, 1)]
    assert {f.severity for f in found} == {Severity.WARNING}


def test_a_file_name_cannot_forge_a_workflow_command() -> None:
    forged = Finding("notes/a\n::error::x.md", 1, 1, "PN105", "a\n::error::x", "b")
    assert as_github([forged]).count("\n") == 1
    assert as_text([forged]).count("\n") == 1


def test_a_skeleton_is_only_a_draft(look: Look) -> None:
    description = "One sentence that says what the reader will know, at most 200 characters."
    template = (ROOT / "tools/perfnotes/contribute/templates/note.md").read_text("utf-8")
    assert f"description: {description}\n" in template
    skeleton = {"caches/rows.md": template}
    found = [str(f) for f in look(skeleton) if f.code == "PN805"]
    assert [f.split(": ")[0] for f in found] == [
        "notes/caches/rows.md:3:1",
        "notes/caches/rows.md:12:1",
        "notes/caches/rows.md:16:1",
        "notes/caches/rows.md:17:1",
    ]
    draft = template.replace("date: 2026-01-31\n", "date: 2026-01-31\ndraft: true\n")
    assert "PN805" not in _codes(look({"caches/rows.md": draft}))


def test_a_twin_says_nothing_in_the_words_of_its_note(look: Look) -> None:
    english = "---\ntitle: Rows\ndescription: Why rows.\n---\n## How it is stored\n\n## GPU queue\n"
    twin = "---\ntitle: Rows\ndescription: Why rows.\ntranslates: 0000000000000000\n---\n"
    headings = "## How it is stored\n\n甲。\n\n## GPU queue\n\n乙。\n"
    files = {"caches/rows.md": english, "caches/rows.zh.md": twin + headings}
    found = [str(f).split(": ")[0] for f in look(files) if f.code == "PN805"]
    assert found == ["notes/caches/rows.zh.md:3:1", "notes/caches/rows.zh.md:7:1"]
    files["caches/rows.zh.md"] = (
        files["caches/rows.zh.md"]
        .replace("Why rows.", "为什么按行。")
        .replace("How it is stored", "怎样存放")
    )
    assert "PN805" not in _codes(look(files))


def test_marks_of_a_merge_are_found_among_references_and_in_code(look: Look) -> None:
    bib = str(NOTES["references.bib"])
    text = "```text\n>>>>>>> theirs\n >>>>>>> shown\n```\n\n>>> a quote in a quote in a quote\n"
    found = look({"references.bib": f"{bib}<<<<<<< ours\n", "caches/rows.md": text})
    line = bib.count("\n") + 1
    places = [(f.path, f.line) for f in found if f.code == "PN109"]
    assert places == [("notes/caches/rows.md", 11), ("notes/references.bib", line)]
