"""Every check does what its page says: the wrong example gives the code, the right one does not."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from perfnotes.build.markdown import MarkdownEngine
from perfnotes.checks import MOST_ALIKE, examine, grade, modules, rules
from perfnotes.checks._rule import Files, Rule, Symlink
from perfnotes.checks.requires_cycle import _circles
from perfnotes.graph.site import Site
from perfnotes.model.translation import text_hash
from perfnotes.report.github import write as as_github
from perfnotes.report.text import write as as_text
from perfnotes.site.locate import locate
from perfnotes.site.page_addresses import address_problems
from perfnotes.site.safety import judge
from perfnotes.site.stage import Stage, stage
from perfnotes.text.findings import Finding, Severity
from tests.example_notes import read_site, write_notes

ROOT = Path(__file__).parent.parent

# Where the wrong examples are wrong, as findings say it.
PLACES = {
    "PN101": ["caches/rows.md:5:3"],
    "PN102": ["caches/rows.md:1:1"],
    "PN103": ["glossary.yml:1:1"],
    "PN104": ["caches/rows.md:2:12"],
    "PN105": [r"caches/row\x0amajor.md:1:1"],
    "PN106": ["caches/rows.md:1:1"],
    "PN201": ["caches/rows.md:1:1"],
    "PN202": ["caches/rows.md:2:1", "caches/rows.md:3:1"],
    "PN203": ["glossary.yml:1:3", "glossary.yml:3:3"],
    "PN204": ["tags.yml:5:3"],
    "PN205": ["caches/rows.md:2:8"],
    "PN206": ["caches/lines.md:2:1", "caches/rows.md:2:1"],
    "PN207": ["caches/rows.md:2:12"],
    "PN208": ["caches/lines.md:2:12", "caches/rows.md:2:12"],
    "PN209": ["topics.yml:4:11"],
    "PN210": ["caches/lines.md:2:11", "caches/rows.md:2:11"],
    "PN211": ["caches/rows.md:1:1", "wanted.yml:2:3"],
    "PN212": ["caches/rows.md:6:3"],
    "PN213": ["caches/rows.md:7:3"],
    "PN214": ["caches/rows.md:4:3"],
    "PN215": ["caches/rows.md:4:3"],
    "PN216": ["caches/columns.md:4:3", "caches/rows.md:4:3"],
    "PN217": ["symptoms.yml:5:3"],
    "PN301": ["caches/rows.md:10:30"],
    "PN302": ["caches/columns.md:9:17"],
    "PN303": ["caches/rows.md:10:10"],
    "PN304": ["caches/rows.md:10:37"],
    "PN305": ["caches/rows.md:10:27"],
    "PN306": ["caches/rows.md:10:29"],
    "PN307": ["caches/rows.md:10:15"],
    "PN401": ["references.bib:3:3"],
    "PN402": ["references.bib:7:1"],
    "PN403": ["references.bib:4:3", "references.bib:5:3"],
    "PN404": ["references/drepper2007.md:1:1"],
    "PN405": ["caches/rows.md:10:29"],
    "PN406": ["caches/rows.md:10:39"],
    "PN407": ["references.bib:1:1"],
    "PN408": ["caches/rows.md:10:21"],
    "PN501": ["caches/rows.md:10:1"],
    "PN502": ["caches/rows.md:14:1"],
    "PN503": ["caches/rows.md:12:1"],
    "PN504": ["caches/rows.md:12:1"],
    "PN505": ["caches/rows.md:10:1"],
    "PN506": ["caches/rows.md:10:14"],
    "PN507": ["caches/rows.md:1:1", "gpu/rows.md:1:1"],
    "PN508": ["caches/rows.md:11:1"],
    "PN509": ["caches/rows.md:12:1"],
    "PN510": ["caches/rows.md:12:6", "caches/rows.md:14:14"],
    "PN601": ["caches/rows.md:10:27"],
    "PN602": ["caches/rows.md:10:18"],
    "PN603": ["caches/row.svg:3:1"],
    "PN604": ["caches/rows.md:10:9", "caches/rows.md:10:30"],
    "PN605": ["caches/row.svg:3:40"],
    "PN701": ["caches/row.zh.md:1:1"],
    "PN702": ["caches/rows.zh.md:4:1"],
    "PN703": ["caches/rows.md:14:1", "caches/rows.zh.md:9:20"],
    "PN704": ["caches/rows.zh.md:1:1"],
    "PN801": ["caches/Row Major.md:1:1"],
    "PN802": ["caches/rows.md:1:1", "caches/rows/index.md:1:1"],
    "PN803": ["topics.yml:1:3"],
    "PN804": ["caches/columns.md:1:1"],
    "PN805": ["caches/rows.md:10:1"],
    "PN901": ["caches/steps/lab/lab.yml:11:3"],
    "PN902": ["facts/buses.yml:9:7"],
    "PN903": ["facts/buses.yml:7:37"],
    "PN904": ["caches/steps/lab/results/other.json:1:1"],
    "PN905": ["caches/steps/lab/results/example-cpu.json:52:2"],
    "PN906": ["caches/steps/index.md:10:37", "caches/steps/lab/lab.yml:1:1"],
    "PN907": ["caches/steps/lab/lab.yml:11:3"],
    "PN908": ["caches/steps/calc.yml:5:3", "caches/steps/index.md:10:4"],
    "PN909": ["caches/steps/lab/lab.yml:26:14"],
    "PN910": ["caches/rows.md:10:31"],
    "PN911": ["caches/rows.md:10:26"],
    "PN912": ["caches/rows.md:10:13", "caches/rows.md:11:19"],
    "PN913": ["caches/rows.md:10:22"],
    "PN914": ["latency.yml:3:38"],
    "PN915": ["caches/rows.md:12:4"],
    "PN920": ["caches/rows.md:10:14"],
    "PN921": ["caches/rows.md:2:1"],
    "PN922": ["caches/steps/index.md:12:1"],
    "PN923": ["caches/steps/index.md:10:1"],
    "PN924": ["caches/steps/index.md:2:1"],
    "PN925": ["caches/rows.md:2:1"],
    "PN926": ["caches/steps/index.md:10:1"],
    "PN930": ["caches/rows.review.yml:3:3"],
    "PN931": ["caches/row.review.yml:1:1"],
    "PN932": ["caches/rows.review.yml:7:5"],
}

Look = Callable[[Files], list[Finding]]


@pytest.fixture
def look(tmp_path: Path) -> Look:
    """The findings of the example notes with files laid over them, as the build makes them."""

    def findings(files: Files) -> list[Finding]:
        site = read_site(write_notes(tmp_path, files))
        staged = stage(site)
        return examine(site, staged.findings) + grade(_dangers(site, staged), site.library)

    return findings


def _dangers(site: Site, staged: Stage) -> list[Finding]:
    found = []
    for path, page in staged.pages.items():
        text = staged.files[path].decode().split("\n---\n", 1)[1]
        found += [locate(site, page, d) for d in judge(_content(text))]
    return found


@cache
def _content(text: str) -> str:
    """What the engine makes of a text. Most pages are the same in every test."""
    return _engine().convert(text).content


@cache
def _engine() -> MarkdownEngine:
    configured = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["markdown_extensions"]
    settings: dict[str, Any] = {}
    for entry in configured:
        settings |= entry if isinstance(entry, dict) else {entry: {}}
    return MarkdownEngine(list(settings), settings)


def _codes(findings: list[Finding]) -> list[str]:
    return [f.code for f in findings]


def _place(finding: Finding) -> str:
    return f"{finding.path.removeprefix('notes/')}:{finding.line}:{finding.column}"


each_rule = pytest.mark.parametrize("rule", rules().values(), ids=list(rules()))


def test_the_example_notes_are_right(look: Look) -> None:
    assert look({}) == []


@each_rule
def test_the_wrong_example_gives_the_code_at_its_place(rule: Rule, look: Look) -> None:
    found = [f for f in look(rule.wrong) if f.code == rule.code]
    assert found
    for finding in found:
        assert finding.message
        assert str(finding).isprintable()
        assert finding.severity is rule.severity
    assert [_place(f) for f in found] == PLACES[rule.code]


@each_rule
def test_the_right_example_is_right_in_everything(rule: Rule, look: Look) -> None:
    found = look(rule.right)
    assert [str(f) for f in found if f.code == rule.code] == []
    assert [str(f) for f in found if f.severity is not Severity.NOTE] == []


@each_rule
def test_a_rule_can_be_read_as_a_page(rule: Rule) -> None:
    assert rule.wrong
    assert rule.right
    assert rule.title[0].isupper()
    assert not rule.title.endswith(".")
    assert 2 <= len(re.findall(r"[.?](?=\s|$)", rule.why)) <= 4
    said = [bool(words) for words in rule.in_words]
    assert said in ([False, False], [True, True])
    files = [*rule.wrong.values(), *rule.right.values()]
    if not any(said):  # then the files are shown as they are
        for text in files:
            assert not isinstance(text, Symlink)
            assert len(text) < 1000


def test_every_code_has_one_rule_and_every_rule_its_finder() -> None:
    codes = [module.RULE.code for module in modules()]
    assert len(codes) == len(set(codes))
    checks = ROOT / "tools/perfnotes/checks"
    emitted = set()
    for file in (ROOT / "tools/perfnotes").rglob("*.py"):
        found = set(re.findall(r"[\"'](PN\d{3})[\"']", file.read_text("utf-8")))
        assert found <= set(codes), file
        emitted |= found if checks not in file.parents else set()
    without = {module.RULE.code for module in modules() if not hasattr(module, "find")}
    assert without <= emitted


def test_severities() -> None:
    warnings = {code for code, rule in rules().items() if rule.severity is Severity.WARNING}
    notes = {code for code, rule in rules().items() if rule.severity is Severity.NOTE}
    assert warnings == {"PN214", "PN215", "PN216", "PN305", "PN406", "PN702", "PN703", "PN704",
                        "PN510", "PN605", "PN805", "PN914", "PN920", "PN925", "PN926"}  # fmt: skip
    assert notes == {"PN211", "PN407", "PN408", "PN507", "PN508", "PN509", "PN804", "PN921",
                     "PN923", "PN932"}  # fmt: skip


def test_a_title_is_compared_within_its_language(look: Look) -> None:
    assert not _codes(look({"caches/rows.zh.md": "---\ntitle: Cache lines\n---\n"}))
    found = look({"caches/rows.zh.md": "---\ntitle: 缓存行\n---\n"})
    assert [(f.code, f.path) for f in found] == [
        ("PN206", "notes/caches/lines.zh.md"),
        ("PN206", "notes/caches/rows.zh.md"),
    ]


def test_requirements_lead_to_published_notes(look: Look) -> None:
    draft = {"gpu/sms.md": "---\ndraft: true\nrequires: [gpu/tpcs, gpu/gpcs]\n---\n",
             "gpu/tpcs.md": "---\ndraft: true\n---\n"}  # fmt: skip
    rows = {"caches/rows.md": "---\nrequires: [gpu/sms, warps]\n---\n"}
    found = look(draft | rows)
    assert _codes(found) == ["PN207"] * 3
    assert found[0].message.endswith("is a draft, which the site leaves out")
    assert found[1].hint == "did you mean 'gpu/warps'?"
    assert "'gpu/gpcs'" in found[2].message


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


RAW = {
    "A <i>word</i> and another <i>word</i>.\n": ["10:3 <i>", "10:27 <i>"],
    "A lone </div> end.\n": ["10:8 </div>"],
    "Text.\n\n<script>\nalert(1)\n</script>\n": ["12:1 <script>"],
    "Text.<!-- hidden -->\n\n<!--\nhidden\n-->\n": ["10:6 comment", "12:1 comment"],
    "Text <?php echo ?> and\n\n<!DOCTYPE html>\n": ["10:6 declaration", "12:1 declaration"],
    "Press <kbd>Ctrl</kbd>; x<sub>1</sub><sup>2</sup><br>\n": [],
    "`<i>`, `<!-- x -->`, \\<i>, $a <?b> c$\n\n```html\n<i> <!-- x --> <?x?>\n```\n": [],
}


@pytest.mark.parametrize("text", RAW, ids=range(len(RAW)))
def test_raw_html_is_found_in_the_source(look: Look, text: str) -> None:
    found = [f for f in look({"caches/rows.md": text}) if f.code == "PN604"]
    shown = [
        f"{f.line}:{f.column} {f.message.split()[2 if '<' in f.message else 1]}" for f in found
    ]
    assert [s.replace("HTML", "declaration") for s in shown] == RAW[text]


def test_pages_of_the_site_may_hold_comments(look: Look) -> None:
    found = look({"../docs/index.md": "<!-- perfnotes:recent -->\n\nA <b>word</b>.\n"})
    assert [(f.path, f.code, f.line) for f in found] == [("docs/index.md", "PN604", 8)]


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


def test_thousands_of_findings_of_one_kind_are_counted(look: Look) -> None:
    text = "".join(f"It takes {i}.5 s.\n\n" for i in range(1000))
    found = look({"caches/rows.md": f"{text}A [[wrong-name]].\n"})
    alike = [f for f in found if f.code == "PN920"]
    assert len(alike) == MOST_ALIKE + 1
    assert alike[-1].message == "800 more findings of PN920 from here on in this file"
    assert alike[-1].line == alike[-2].line + 2
    assert alike[-1].severity is Severity.WARNING
    assert "PN305" in _codes(found)


def test_a_redirect_over_a_page_is_reported_at_its_alias_too(tmp_path: Path) -> None:
    alias = {"caches/rows.md": "---\naliases: [tags/cache]\n---\n"}
    found = list(address_problems(read_site(write_notes(tmp_path, alias))))
    places = {(f.code, f.path) for f in found if "alias" in f.message}
    assert places == {("PN802", "notes/caches/rows.md")}


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
