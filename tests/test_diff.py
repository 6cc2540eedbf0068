"""``perfnotes diff``: what changes for readers, told plainly."""

from __future__ import annotations

import json
import re
from pathlib import Path

from perfnotes.checks._examples import FOLDER, recorded
from perfnotes.cli.main import main
from perfnotes.model.translation import original_hash
from tests.diff_project import Diff, diff, edit, project, write
from tests.example_notes import read_site
from tests.project import commit, git

__all__ = ["diff", "project"]  # the fixtures


def test_nothing_changes(diff: Diff) -> None:
    told = r"Nothing changes for readers from HEAD \([0-9a-f]{10}\) to the working tree\.\n"
    assert re.fullmatch(told, diff())
    assert "nothing changes for readers" in diff("HEAD", "--format", "markdown")
    assert json.loads(diff("HEAD", "--format", "json"))["parts"] == []


def test_pages_added_and_changed(project: Path, diff: Diff) -> None:
    write(project, "gpu/blocks.md", "Blocks hold warps.\n")
    edit(project, "caches/lines.md", "title: Cache lines", "title: Lines of a cache")
    edit(project, "caches/lines.md", "tags: [cache]", "tags: []\naliases: [unit]")
    edit(project, "caches/lines.md", "level: introductory", "level: advanced")
    edit(project, "caches/lines.md", "needs two of them", "needs both of them at once")
    edit(project, "caches/lines.md", "## Size", "## Its size")
    out = diff()
    assert "Pages: added 1, changed 2" in out  # the Chinese page takes over the ids
    assert "added: gpu/blocks, words: 3\n    - title: Blocks\n" in out
    for told in (
        "changed: caches/lines\n",
        "title: Cache lines → Lines of a cache",
        "tags taken away: cache",
        "aliases added: unit",
        "level: introductory → advanced",
        "section Alignment, words: 3 added, 1 removed",
        "section added: Its size",
        "section removed: Size; its address #size leads to the top of the page now",
    ):
        assert f"{told}" in out, told


def test_a_section_in_another_order_or_form(project: Path, diff: Diff) -> None:
    edit(project, "caches/lines.md", "needs two of them", "of them needs two")
    assert "section Alignment: the same words in another order or form" in diff()


def test_a_removed_page_and_who_linked_to_it(project: Path, diff: Diff) -> None:
    (project / "notes/gpu/warps.md").unlink()
    out = diff()
    assert "removed: gpu/warps\n    - its old address leads nowhere" in out
    assert "these notes linked to it: caches/lines" in out
    assert "broken: notes/caches/lines.md:10: no note or term is called 'warps'" in out
    edit(project, "caches/steps/index.md", "tags:", "aliases: [gpu/warps]\ntags:")
    assert "removed: gpu/warps\n    - its old address leads on to caches/steps" in diff()


def test_a_renamed_page(project: Path, diff: Diff) -> None:
    (project / "notes/caches/rows.md").rename(project / "notes/caches/loops.md")
    out = diff()
    assert "renamed: caches/rows is now caches/loops" in out
    assert "its old address leads nowhere: no note has caches/rows as an alias" in out
    assert "Links: broken" in out
    git(project, "checkout", "--quiet", ".")
    (project / "notes/caches/loops.md").unlink()
    assert main(["move", "caches/rows", "caches/loops", "--yes"]) == 0
    out = diff()
    assert "its old address leads on to caches/loops" in out
    assert "Links" not in out
    assert "Findings" not in out


def test_an_alias_that_is_given_up(project: Path, diff: Diff) -> None:
    edit(project, "caches/rows.md", "tags:", "aliases: [caches/order]\ntags:")
    commit(project, "An alias")
    edit(project, "caches/rows.md", "aliases: [caches/order]\n", "")
    assert "the old address caches/order leads nowhere any more" in diff()


def test_drafts_leave_and_enter_the_site(project: Path, diff: Diff) -> None:
    edit(project, "caches/rows.md", "tags:", "draft: true\ntags:")
    assert "it is a draft now, which the site leaves out" in diff()
    commit(project, "A draft")
    edit(project, "caches/rows.md", "draft: true\n", "")
    told = r"added: caches/rows, words: \d+\n    - title: Rows before columns\n    - it was a draft"
    assert re.search(told, diff())


def test_links_break_and_are_mended(project: Path, diff: Diff) -> None:
    edit(
        project, "caches/rows.md", "[[lines|line]]", "[[lines#alignment|line]] [@drepper2007memori]"
    )
    edit(project, "caches/lines.md", "## Alignment", "## Across two lines")
    edit(project, "caches/lines.md", "Caches hold", "Caches [hold](https://example.org/x)")
    out = diff()
    assert "Links: broken 2, new web address 1" in out
    assert "broken: notes/caches/rows.md:10: caches/lines has no heading #alignment" in out
    assert "no reference has the key 'drepper2007memori'" in out
    assert "new web address: https://example.org/x in notes/caches/lines.md" in out
    commit(project, "Broken")
    edit(project, "caches/lines.md", "## Across two lines", "## Alignment")
    out = diff()
    assert "Links: mended 1" in out
    assert "mended: notes/caches/rows.md: caches/lines has no heading #alignment" in out


def test_a_finding_that_only_moves_is_none(project: Path, diff: Diff) -> None:
    edit(project, "caches/rows.md", "[[lines|line]]", "[[linez|line]]")
    commit(project, "Broken")
    edit(project, "caches/rows.md", "A C array", "One more sentence.\n\nA C array")
    assert "Links" not in diff()


def test_references(project: Path, diff: Diff) -> None:
    file = project / "notes/references.bib"
    text = file.read_text("utf-8")
    file.write_text(
        text.replace("2007},", "2008},")
        + "@misc{new2020one,\n  author = {New, Ann},\n  title = {One},\n  year = {2020}\n}\n"
    )
    edit(project, "caches/rows.md", "row by row", "row by row [@new2020one]")
    out = diff()
    assert "References: added 1, changed 1, citing page 1" in out
    assert "added: new2020one\n    - title: One\n    - cited by caches/rows" in out
    assert "changed: drepper2007memory\n    - changed: year\n    - cited by caches/lines" in out
    assert "citing page: caches/rows\n    - cites now: new2020one" in out
    file.write_text("")
    assert "removed: drepper2007memory\n    - cited by caches/lines" in diff()


def test_terms_tags_and_topics(project: Path, diff: Diff) -> None:
    edit(project, "glossary.yml", "The unit in which", "The smallest unit in which")
    edit(project, "tags.yml", "name: {en: Cache,", "name: {en: Caching,")
    edit(project, "topics.yml", "[lines, rows, steps]", "[rows, lines, steps]")
    out = diff()
    assert "term changed 1, tag changed 1, topic changed 1" in out
    assert "definition: The unit in which" in out
    assert "shown in caches/lines" in out
    assert "name: Cache / 缓存 → Caching / 缓存" in out
    assert "order: lines, rows, steps → rows, lines, steps" in out


def test_a_fact_and_what_follows_from_it(project: Path, diff: Diff) -> None:
    edit(project, "facts/chips.yml", "cache-line: {value: 64", "cache-line: {value: 128")
    edit(project, "facts/chips.yml", "rate: {value: 3.2", "rate: {value: 6.4")
    out = diff()
    assert "Facts: changed 3" in out
    assert (
        "chip/cache-line\n    - value: 64 B → 128 B\n    - shown in notes/caches/steps/index.md"
        in out
    )
    assert "chip/bandwidth\n    - value: 25.6 GB/s → 51.2 GB/s\n    - no page shows it" in out
    assert "wrong now: 64 B, bound to fact:chip/cache-line; its value moved: 64 B → 128 B" in out


def test_a_bound_number_whose_text_changed(project: Path, diff: Diff) -> None:
    edit(project, "caches/steps/index.md", "[16×]", "[17×]")
    out = diff()
    assert "wrong now: 16× → 17×, bound to lab:caches/steps#misses; its value is 16 ×" in out
    assert "    - in caches/steps\n" in out
    edit(project, "caches/steps/index.md", "[17×]", "[16.0×]")
    assert "moved: 16× → 16.0×, bound to lab:caches/steps#misses" in diff()


def test_a_result_recorded_again_and_a_claim_that_fails(project: Path, diff: Diff) -> None:
    file = project / "notes" / FOLDER / "results/example-cpu.json"
    file.write_text(recorded(columns=64.0), "utf-8")
    edit(project, "caches/steps/index.md", "[16×]", "[8×]")
    out = diff()
    assert "recorded again: caches/steps on example-cpu\n" in out
    assert re.search(r"- misses: .* → ", out)
    assert "fails now: caches/steps on example-cpu: claim misses, which expects" in out
    commit(project, "Worse")
    file.write_text(recorded(), "utf-8")
    assert "holds now: caches/steps on example-cpu: claim misses" in diff()


def test_a_promise_made_weaker(project: Path, diff: Diff) -> None:
    lab = (project / "notes" / FOLDER / "lab.yml").read_text("utf-8")
    expected = re.search(r"expect: (.+)", lab)
    assert expected
    edit(project, f"{FOLDER}/lab.yml", expected[0], 'expect: "> 1.5"')
    out = diff()
    assert "promise changed: caches/steps: misses\n    - expects: " in out
    assert "→ > 1.5" in out
    edit(project, f"{FOLDER}/lab.yml", "runs:", "limits: {seconds: 50}\nruns:")
    out = diff()
    assert "lab changed: the sources or the recipe of the lab caches/steps changed" in out
    assert "its result of example-cpu is from the old sources" in out


def test_evidence_before_and_after(project: Path, diff: Diff) -> None:
    edit(project, "caches/lines.md", "needs two of them.", "needs two of them, or 5 ns.")
    out = diff()
    assert "Evidence: 100.0 % (2 of 2) → 66.7 % (2 of 3)" in out
    assert "less evidence: caches/lines: none → 0.0 % (0 of 1)" in out
    assert "not bound: in caches/lines\n    - new: 5 ns (without evidence)" in out


def test_a_translation_falls_behind_and_follows_again(project: Path, diff: Diff) -> None:
    edit(project, "caches/lines.md", "needs two of them", "needs both of them")
    out = diff()
    assert "late: caches/lines: the English text has changed since it was translated" in out
    assert "perfnotes translated caches/lines" in out
    assert "Findings: new warning 1" in out
    commit(project, "Late")
    note = read_site(project).library.notes["caches/lines"]
    twin = (project / "notes/caches/lines.zh.md").read_text("utf-8")
    hash = f"translates: {original_hash(note)}"
    edit(project, "caches/lines.zh.md", re.findall("translates: .*", twin)[0], hash)
    assert "follows again: caches/lines" in diff()


def test_figures_and_what_makes_the_site(project: Path, diff: Diff) -> None:
    (project / "notes/caches/steps/a.svg").write_text("<svg/>")
    (project / "mkdocs.yml").write_text((project / "mkdocs.yml").read_text("utf-8") + "# more\n")
    out = diff()
    assert "figure or file added: notes/caches/steps/a.svg" in out
    assert "what makes the site: files of mkdocs.yml that differ: 1" in out
