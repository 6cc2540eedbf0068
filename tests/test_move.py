"""Renaming: every link follows, and nothing else changes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from perfnotes.checks._examples import LAB, PLACES, TOOLS
from perfnotes.model.result import digest_of
from tests.example_notes import read_site
from tests.moving import changed_lines, make, move, text


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make(tmp_path)


class TestNotes:
    def test_every_link_follows_and_code_stays(self, project: Path) -> None:
        before = text(project, "notes/caches/links.md")
        move(project, "caches/rows", "gpu/order")
        after = text(project, "notes/caches/links.md")
        assert changed_lines(before, after) == [
            "  - gpu/order  # first",
            "All ways: [[order]], [[ gpu/order | rows first ]], [a](../gpu/order.md), "
            "[b](../gpu/order.md?x=1#),",
            '[c](<../gpu/order.md>), <a href="../gpu/order.md">d</a>, [e][r], '
            "![f](pics/a%20b.svg), [[caches/steps]],",
            '[r]: ../gpu/order.md "caches/rows"',
        ]
        assert "[x](order.md)" in text(project, "notes/gpu/draft.md")
        assert "requires: [gpu/order]" in text(project, "notes/gpu/draft.md")
        assert "[rows](../notes/gpu/order.md)" in text(project, "docs/about.md")
        assert "[[order]]" in text(project, "notes/references/drepper2007memory.md")
        assert "expected: [gpu/order, terms/warp, tags/cache]" in (
            text(project, "tests/search/queries.yml")
        )
        assert '"caches/rows"' in text(project, "tests/search/queries.yml")

    def test_the_old_id_becomes_an_alias_and_leads_on(self, project: Path) -> None:
        move(project, "caches/rows", "caches/order")
        assert "aliases: [caches/rows]" in text(project, "notes/caches/order.md")
        move(project, "caches/order", "gpu/order")
        assert "aliases: [caches/rows, caches/order]" in text(project, "notes/gpu/order.md")
        move(project, "gpu/order", "caches/rows")
        assert "aliases: [gpu/order, caches/order]" in text(project, "notes/caches/rows.md")

    def test_the_reading_order(self, project: Path) -> None:
        move(project, "caches/rows", "caches/order")
        assert "notes: [lines, order, steps]" in text(project, "notes/topics.yml")
        changes = move(project, "caches/order", "gpu/order")
        assert "notes: [lines, steps]" in text(project, "notes/topics.yml")
        assert not any("reading order" in t for t in changes.remarks)  # gpu has no list of its own

    def test_a_folder_goes_with_its_lab_and_results(self, project: Path) -> None:
        before = text(project, "notes/caches/links.md")
        move(project, "caches/steps", "gpu/strides")
        assert not (project / "notes/caches/steps").exists()
        assert (project / "notes/gpu/strides/lab/steps.py").is_file()
        result = json.loads(text(project, "notes/gpu/strides/lab/results/example-cpu.json"))
        assert result["lab"] == "gpu/strides"
        assert result["digest"] == digest_of(result)
        lines = changed_lines(before, text(project, "notes/caches/links.md"))
        assert lines[0].endswith("![f](pics/a%20b.svg), [[gpu/strides]],")
        assert lines[1] == (
            "[16×](lab:gpu/strides#misses), [16×](lab:gpu/strides#misses.low), "
            "[g](../gpu/strides/), [h](../gpu/warps.md)."
        )
        assert lines[2:] == ["```console lab=gpu/strides#count"]
        assert "address: lab:gpu/strides#misses" in text(project, "notes/latency.yml")
        assert "    - gpu/strides  # a folder" in text(project, "tests/search/queries.yml")
        assert "[[strides]]" in text(project, "notes/gpu/warps.md")

    def test_plots_are_still_found(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        project = make(tmp_path)
        lab = (
            f"{LAB}plots:\n  lines:\n    kind: bars\n    title: Lines\n    values: [columns]\n"
            "    limit: {caches/steps#columns: {en: all}}\n"
        )
        (project / "notes/caches/steps/lab/lab.yml").write_text(lab)
        shown = "\n[A](plot:caches/steps#lines)\n\n[B](plot:steps#lines)\n"
        (project / "notes/caches/links.zh.md").write_text(
            text(project, "notes/caches/links.zh.md") + shown
        )
        move(project, "caches/steps", "gpu/strides")
        moved = text(project, "notes/caches/links.zh.md")
        assert "[A](plot:gpu/strides#lines)\n\n[B](plot:gpu/strides#lines)" in moved
        assert "{gpu/strides#columns: " in text(project, "notes/gpu/strides/lab/lab.yml")

    @pytest.mark.parametrize(
        ("values", "moved"),
        [
            ("[columns, caches/steps#columns]", "[columns, gpu/strides#columns]"),
            ("{'caches/steps#columns': {en: all}}", "{'gpu/strides#columns': {en: all}}"),
        ],
    )
    def test_points_of_a_plot_follow_the_lab_that_they_name(
        self, values: str, moved: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        project = make(tmp_path)
        plot = f"plots:\n  lines:\n    kind: bars\n    title: Lines\n    values: {values}\n"
        (project / "notes/caches/steps/lab/lab.yml").write_text(LAB + plot)
        move(project, "caches/steps", "gpu/strides")
        assert f"    values: {moved}\n" in text(project, "notes/gpu/strides/lab/lab.yml")

    def test_a_note_takes_its_translation_and_its_own_links(self, project: Path) -> None:
        move(project, "caches/links", "gpu/links")
        moved = text(project, "notes/gpu/links.md")
        assert "[a](../caches/rows.md), [b](../caches/rows.md?x=1#)" in moved
        assert "![f](../caches/pics/a%20b.svg)" in moved
        assert "[g](../caches/steps/), [h](warps.md)" in moved
        assert "[h](warps.md)" in text(project, "notes/gpu/links.zh.md")
        move(project, "caches/lines", "caches/units")
        assert "note: caches/units" in text(project, "notes/glossary.yml")
        assert (project / "notes/caches/units.zh.md").is_file()

    def test_a_translation_that_followed_follows_and_a_late_one_stays_late(
        self, project: Path
    ) -> None:
        late = project / "notes/caches/links.zh.md"
        late.write_text(re.sub("translates: .*", "translates: " + "0f" * 8, late.read_text()))
        move(project, "caches/rows", "gpu/order")
        library = read_site(project).library
        assert not library.translations["caches/lines"].is_behind
        assert library.translations["caches/links"].meta.translates == "0f" * 8

    def test_names_that_a_new_slug_would_make_doubtful_are_written_out(self, project: Path) -> None:
        warps = project / "notes/gpu/warps.md"
        warps.write_text(warps.read_text() + "\nSee [[lines]] and [[draft]].\n")
        move(project, "gpu/draft", "gpu/lines")
        assert "See [[caches/lines]] and [[gpu/lines]]." in warps.read_text()

    def test_ways_to_say_which(self, project: Path) -> None:
        for old, new in (
            ("rows", "order"), ("notes/caches/order.md", "gpu/order"),
            (str(project / "notes/gpu/order.md"), "notes/caches/rows.md"),
            ("note:caches/rows", "note:caches/other"),
        ):  # fmt: skip
            move(project, old, new)
        assert (project / "notes/caches/other.md").is_file()

    def test_names_in_code_and_words_are_told(self, project: Path) -> None:
        (project / "README.md").write_text("# Run\n\n    perfnotes reproduce caches/rows\n")
        told = move(project, "caches/rows", "gpu/order").remarks
        assert len(told) == 1
        assert "README.md:3" in told[0]
        assert "notes/gpu/order.md" not in told[0]  # its alias is meant to be there

    def test_byte_order_marks_and_line_ends_stay(self, project: Path) -> None:
        file = project / "notes/gpu/warps.md"
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
        before = file.read_bytes()
        move(project, "caches/steps", "caches/strides")
        assert file.read_bytes() == before.replace(b"[[steps]]", b"[[strides]]")


class TestWords:
    def test_a_tag(self, project: Path) -> None:
        move(project, "tag:cache", "caches")
        assert "- id: caches\n  name: {en: Cache" in text(project, "notes/tags.yml")
        assert "\n  aliases: [cache]\n" in text(project, "notes/tags.yml")
        assert "tags: [caches]" in text(project, "notes/gpu/draft.md")
        assert "tags/caches]" in text(project, "tests/search/queries.yml")
        move(project, "tag:caches", "cache")
        assert "aliases: [caches]" in text(project, "notes/tags.yml")

    def test_the_alias_of_a_tag_stands_in_its_entry(self, project: Path) -> None:
        table = project / "notes/tags.yml"
        blocks = "- id: cache\n  name:\n    en: Cache\n    zh: 缓存\n  description:\n"
        blocks += "    en: What is kept near.\n    zh: 留在近处的东西。\n\n- id: other\n"
        blocks += "  name: {en: Other, zh: 其他}\n  description: {en: The rest., zh: 其余。}\n"
        table.write_text(blocks, "utf-8")
        move(project, "tag:cache", "caches")
        assert "留在近处的东西。\n  aliases: [cache]\n\n- id: other" in table.read_text("utf-8")

    def test_a_term(self, project: Path) -> None:
        changes = move(project, "term:warp", "thread-group")
        assert "- id: thread-group\n  en: warp\n" in text(project, "notes/glossary.yml")
        assert "aliases" not in text(project, "notes/glossary.yml")
        assert changes.remarks == ["'warp' becomes no alias: the term has these words already"]
        assert "[[thread-group]]" in text(project, "docs/about.md")
        assert "[[warps]]" in text(project, "notes/caches/lines.md")  # the note's slug
        assert "terms/thread-group" in text(project, "tests/search/queries.yml")
        move(project, "term:thread-group", "warp")
        assert "aliases: {en: [thread-group], zh: []}" in text(project, "notes/glossary.yml")

    def test_a_key(self, project: Path) -> None:
        before = text(project, "notes/caches/links.md")
        changes = move(project, "@drepper2007memory", "drepper2007programmer")
        assert changed_lines(before, text(project, "notes/caches/links.md")) == [
            "As [@drepper2007programmer, sec. 3; see @drepper2007programmer] and "
            "@drepper2007programmer says; -@x."
        ]
        assert "@misc{drepper2007programmer," in text(project, "notes/references.bib")
        assert "[@drepper2007programmer, sec. 3]" in text(project, "notes/facts/chips.yml")
        assert (project / "notes/references/drepper2007programmer.md").is_file()
        assert "'references/drepper2007programmer'" in text(project, "tests/search/queries.yml")
        assert "keys have no alias" in changes.remarks[0]
        assert "notes/caches/links.md:21" in changes.remarks[1]  # a code block

    def test_a_key_that_tables_cite(self, project: Path) -> None:
        look, says = "{en: the load, zh: 负载}", "{en: It is high, zh: 负载高}"
        files = {
            "tools.yml": TOOLS.format(source=r"[@drepper2007memory, \"Fig. 1\"]"),
            "symptoms.yml": f"{PLACES}first:\n\n- command: uptime\n  look: {look}\n"
            f"  answers: [{{says: {says}, leads: program}}]\n"
            "  source: '[@drepper2007memory, sec. 7]'\n",
        }
        for name, content in files.items():
            (project / "notes" / name).write_text(content)
        move(project, "@drepper2007memory", "drepper2007programmer")
        for name, content in files.items():
            now = content.replace("drepper2007memory", "drepper2007programmer")
            assert text(project, f"notes/{name}") == now

    def test_a_key_that_a_crossref_names(self, project: Path) -> None:
        file = project / "notes/references.bib"
        child = "\n@inbook{part, title = {P}, crossref = {drepper2007memory}, year = 2007}\n"
        file.write_text(file.read_text() + child)
        move(project, "drepper2007memory", "other2007")
        assert "crossref = {other2007}" in file.read_text()
