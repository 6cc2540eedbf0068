"""``perfnotes diff``: what changes for readers, told plainly, and safe to post."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.review.comment import problem

from perfnotes.checks._examples import FOLDER, recorded
from perfnotes.cli.main import main
from perfnotes.model.translation import original_hash
from perfnotes.review import pictures
from perfnotes.review.entry import Line, ReportEntry, ReportPart, ReviewReport
from perfnotes.review.markdown import LIMIT, as_markdown
from perfnotes.review.output import as_text
from perfnotes.review.revision import RevisionError, resolve
from perfnotes.review.side import Side, side_of
from tests.example_notes import NOTES, read_site, write_notes
from tests.project import ROOT, commit, git, perfnotes, run

Diff = Callable[..., str]
HOSTILE = (
    "@octocat #1 GH-1 <img src=x onerror=alert(1)> [x](https://evil.example) ![](//evil.example) "
    "``` `tick` </details> <!-- --> :tada: $x$ | www.evil.example ::error::x ##[add-mask]x \\` "
    "\x1b[31m \u202e \u2028 {} {0}"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the example notes, committed."""
    folder = tmp_path / "project"
    write_notes(folder, {"../docs/about.md": "What it is about.\n"})
    shutil.copyfile(ROOT / "mkdocs.yml", folder / "mkdocs.yml")
    (folder / "build/stage").mkdir(parents=True)
    (folder / ".gitignore").write_text("/tools\n/build\n")
    commit(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def diff(project: Path, capsys: pytest.CaptureFixture[str]) -> Diff:
    """What the command prints, since the first commit if nothing else is asked for."""
    del project

    def told(*arguments: str, status: int = 0) -> str:
        capsys.readouterr()
        assert main(["diff", *(arguments or ("HEAD",))]) == status
        out = capsys.readouterr()
        return out.err if status else out.out

    return told


def edit(project: Path, name: str, old: str, new: str) -> None:
    file = project / "notes" / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def write(project: Path, name: str, text: str) -> None:
    write_notes(project / "other", {name: text})
    file = project / "notes" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(project / "other/notes" / name, file)
    shutil.rmtree(project / "other")


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
    assert "lab changed: caches/steps: sources or recipe" in out
    assert "its result of example-cpu is from the former sources" in out


def test_evidence_before_and_after(project: Path, diff: Diff) -> None:
    edit(project, "caches/lines.md", "needs two of them.", "needs two of them, or 5 ns.")
    out = diff()
    assert "Evidence: 100.0 % (2 of 2) → 66.7 % (2 of 3)" in out
    assert "less evidence: caches/lines: none → 0.0 % (0 of 1)" in out
    assert "not bound: in caches/lines\n    - new: 5 ns (without evidence)" in out


def test_a_translation_falls_behind_and_follows_again(project: Path, diff: Diff) -> None:
    edit(project, "caches/lines.md", "needs two of them", "needs both of them")
    out = diff()
    assert "late: caches/lines: the English text says more or other things now" in out
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


@pytest.mark.parametrize("now", [True, False])
def test_notes_that_cannot_be_read_on_one_side(project: Path, diff: Diff, now: bool) -> None:
    file = project / "notes/caches/rows.md"
    good = file.read_bytes()
    bad = good + b"\xff"
    file.write_bytes(good if now else bad)
    git(project, "commit", "--quiet", "--allow-empty", "--all", "--message", "x")
    file.write_bytes(bad if now else good)
    out = diff()
    if now:
        assert "unreadable: caches/rows\n    - the file is there, but cannot be read" in out
        assert "PN101" in out
    else:
        assert "added: caches/rows" in out
        assert "before, it could not be read" in out


@pytest.mark.parametrize(
    "file", ["topics.yml", "glossary.yml", "references.bib", "facts/chips.yml"]
)
def test_tables_that_do_not_parse(project: Path, diff: Diff, file: str) -> None:
    (project / "notes" / file).write_text("{[ @misc{", "utf-8")
    assert "new error" in diff()
    commit(project, "Broken")
    (project / "notes" / file).write_text(NOTES[file], "utf-8")
    assert "error gone" in diff()


def test_before_there_were_notes(project: Path, diff: Diff) -> None:
    git(project, "checkout", "--quiet", "--orphan", "empty")
    git(project, "rm", "--quiet", "--cached", "-r", ".")
    git(project, "commit", "--quiet", "--allow-empty", "--message", "Empty")
    assert "added: caches/rows" in diff()
    assert "removed: caches/rows" in diff("main", "HEAD")


def test_two_revisions_leave_the_working_tree_aside(project: Path, diff: Diff) -> None:
    edit(project, "caches/rows.md", "row by row", "row for row")
    commit(project, "Later")
    edit(project, "caches/lines.md", "needs two", "needs both")
    out = diff("HEAD~1", "HEAD")
    assert "caches/rows" in out
    assert "caches/lines" not in out


def test_a_branch_that_is_behind(project: Path, diff: Diff) -> None:
    git(project, "checkout", "--quiet", "-b", "mine")
    edit(project, "caches/rows.md", "row by row", "row for row")
    commit(project, "Mine")
    git(project, "checkout", "--quiet", "main")
    write(project, "gpu/blocks.md", "Blocks hold warps.\n")
    commit(project, "Theirs")
    git(project, "checkout", "--quiet", "mine")
    assert "removed: gpu/blocks" in diff("main")
    out = diff("--merge-base", "main")
    assert "gpu/blocks" not in out
    assert "changed: caches/rows" in out


def test_unknown_revisions_are_said_plainly(project: Path, diff: Diff) -> None:
    assert "'nosuch' is no revision that this clone knows" in diff("nosuch", status=2)
    assert "'HEAD:notes' is no revision" in diff("HEAD:notes", status=2)
    assert "'no^{such' is no revision" in diff("no^{such", status=2)
    shutil.rmtree(project / ".git")
    assert "no git history" in diff("HEAD", status=2)


def test_a_branch_that_only_the_origin_has(project: Path, diff: Diff) -> None:
    git(project, "update-ref", "refs/remotes/origin/trunk", "HEAD")
    write(project, "caches/more.md", "")
    assert "from trunk (" in diff("trunk")
    assert "'more' is no revision" in diff("more", status=2)


def test_a_shallow_clone(
    project: Path, diff: Diff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = git(project, "rev-parse", "HEAD").strip()
    edit(project, "caches/rows.md", "row by row", "row for row")
    commit(project, "Later")
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{project}", "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    assert "git fetch --unshallow" in diff(first, status=2)
    assert "Nothing changes" in diff("HEAD")


def test_a_clone_without_its_old_files(
    project: Path, diff: Diff, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(project, "caches/rows.md", "row by row", "row for row")
    commit(project, "Later")
    git(project, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "--quiet", "--filter=blob:none", f"file://{project}", "partial")
    monkeypatch.chdir(tmp_path / "partial")
    assert "perfnotes: " in diff("HEAD~1", status=2)


def test_nothing_of_the_repository_runs(project: Path, diff: Diff) -> None:
    trap = project / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {project}/sprung\ncat\n")
    trap.chmod(0o755)
    (project / ".gitattributes").write_text("*.md filter=trap diff=trap\n")
    for name in (
        "filter.trap.smudge",
        "filter.trap.clean",
        "diff.trap.textconv",
        "diff.trap.command",
    ):
        git(project, "config", name, str(trap))
    git(project, "config", "core.fsmonitor", str(trap))
    hooks = project / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        shutil.copy(trap, hooks / name)
    git(project, "config", "core.hooksPath", str(hooks))
    (project / "sprung").unlink(missing_ok=True)
    edit(project, "caches/rows.md", "row by row", "row for row")
    assert "changed: caches/rows" in diff()
    assert not (project / "sprung").exists()


def test_symbolic_links_and_submodules_of_a_revision(
    project: Path, diff: Diff, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.yml"
    secret.write_text("- id: secret-topic\n  title: Secret\n  description: Secret.\n")
    (project / "notes/topics.yml").unlink()
    (project / "notes/topics.yml").symlink_to(secret)
    (project / "notes/gpu/far.md").symlink_to("../../../../../../../../etc/hostname")
    (project / "notes/gpu/up").symlink_to("..")
    (project / "notes/gpu/round.md").symlink_to("up/../../../secret.yml")
    head = git(project, "rev-parse", "HEAD").strip()
    git(project, "add", "--all")
    git(project, "update-index", "--add", "--cacheinfo", f"160000,{head},notes/module")
    git(project, "commit", "--quiet", "--message", "Links")
    out = diff("HEAD~1", "HEAD")
    assert "secret" not in out.replace("secret.yml", "").lower()
    assert "PN106" in out


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


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(), min_size=2, max_size=4))
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
    text = diff("HEAD", "--format", "markdown", "--screenshots", str(folder), "--pages", "2")
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
