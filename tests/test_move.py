"""Renaming: every link follows, nothing else changes; what cannot be is refused."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfnotes.checks import examine
from perfnotes.checks._examples import LAB
from perfnotes.cli.main import main
from perfnotes.fixes.move import apply as applying
from perfnotes.fixes.move.apply import apply, new_files
from perfnotes.fixes.move.changes import Changes, MoveError, edited
from perfnotes.fixes.move.project import read_project
from perfnotes.fixes.move.rename import planned
from perfnotes.model.result import digest_of
from perfnotes.source.yamltext import YamlEditError, YamlText, plain
from perfnotes.storage.write import write_atomically
from perfnotes.text.findings import Severity
from perfnotes.text.tokens import TextEdit
from tests.example_notes import NOTES, read_site, write_notes
from tests.project import tree

QUERIES = "- {id: q1, query: rows, expected: [caches/rows, terms/warp, tags/cache]}\n" + (
    '- id: q2\n  query: "caches/rows"\n  expected:\n    - caches/steps  # a folder\n'
    "    - 'references/drepper2007memory'\n"
)
LINKS = """\
All ways: [[rows]], [[ caches/rows | rows first ]], [a](rows.md), [b](./rows.md?x=1#),
[c](<rows.md>), <a href="rows.md">d</a>, [e][r], ![f](pics/a%20b.svg), [[caches/steps]],
[16×](lab:caches/steps#misses), [16×](lab:steps#misses.low), [g](steps/), [h](../gpu/warps.md).

Not ways: `[[rows]]`, rows.md, \\[\\[rows]], me@drepper2007memory.org, caches/rows.

[r]: rows.md "caches/rows"

```text
[[rows]] [a](rows.md) [@drepper2007memory] lab:caches/steps#misses
```

```console lab=caches/steps#count
```

As [@drepper2007memory, sec. 3; see @drepper2007memory] and @drepper2007memory says; -@x.
"""
OVERLAY = {
    "caches/links.md": f"---\nrequires:\n  - caches/lines\n  - caches/rows  # first\n---\n{LINKS}",
    "caches/links.zh.md": LINKS,
    "caches/pics/a b.svg": '<svg xmlns="http://www.w3.org/2000/svg"/>',
    "gpu/draft.md": "---\ndraft: true\nrequires: [caches/rows]\n---\n"
    "[[rows]], [x](../caches/rows.md)\n",
    "references/drepper2007memory.md": "Read [[rows]] with it.\n",
    "../docs/about.md": "See [rows](../notes/caches/rows.md) and [[caches/steps]], [[warp]].\n",
    "latency.yml": (
        "groups:\n  g: {en: G}\n"
        "rows:\n  - {label: {en: L}, address: lab:caches/steps#misses, group: g}\n"
    ),
}


def make(folder: Path) -> Path:
    """The example with every kind of link in it, in a folder that commands take for a project."""
    write_notes(folder, OVERLAY)
    (folder / "mkdocs.yml").write_text("site_name: Example\n")
    (folder / "tests/search").mkdir(parents=True)
    (folder / "tests/search/queries.yml").write_text(QUERIES)
    return folder


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make(tmp_path)


def move(project: Path, old: str, new: str) -> Changes:
    changes = planned(read_project(project), old, new)
    apply(project, changes, new_files(project, changes))
    return changes


def text(project: Path, name: str) -> str:
    return (project / name).read_text("utf-8")


def changed_lines(before: str, after: str) -> list[str]:
    return [b for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]


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
        assert not any("reading order" in t for t in changes.told)  # gpu has no list of its own

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
        told = move(project, "caches/rows", "gpu/order").told
        assert len(told) == 1
        assert "README.md:3" in told[0]
        assert "notes/gpu/order.md" not in told[0]  # its alias is meant to be there

    def test_byte_order_marks_and_line_ends_stay(self, project: Path) -> None:
        file = project / "notes/gpu/warps.md"
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
        before = file.read_bytes()
        move(project, "caches/steps", "caches/strides")
        assert file.read_bytes() == before.replace(b"[[steps]]", b"[[strides]]")


class TestRefused:
    @pytest.mark.parametrize(
        ("old", "new", "why"),
        [
            ("caches/rows", "caches/lines", "notes/caches/lines.md is there already"),
            ("caches/rows", "caches/steps", "notes/caches/steps is there already"),
            ("caches/rows", "caches/Rows", "is no note's id"),
            ("caches/rows", "a/b/c", "is no note's id"),
            ("caches/rows", "../x", "lies outside of notes/"),
            ("caches/rows", "/etc/x.md", "lies outside of notes/"),
            ("caches/rows", "other/rows", "no topic is called 'other'; there are caches, gpu"),
            ("caches/rows", "rows", "has this name already"),
            ("caches/rows", "tag:rows", "another kind of thing"),
            ("caches/row", "caches/x", "did you mean caches/rows?"),
            ("../secret.md", "caches/x", "lies outside of notes/"),
            ("notes/tags.yml", "caches/x", "is no note"),
            ("tag:cache", "Cache", "is no id"),
            ("term:warp", "cache-line", "there is a term 'cache-line' already"),
            ("@drepper2007memory", "two words", "is no key"),
            ("@drepper2007memory", "Drepper2007Memory", None),
            ("caches/rows", "caches/warp", "a link to"),
        ],
    )
    def test_with_a_reason_and_before_a_byte(
        self, project: Path, old: str, new: str, why: str | None
    ) -> None:
        before = tree(project)
        if why is None:  # only its case: the same key to BibTeX, another to a citation
            move(project, old, new)
            return
        with pytest.raises(MoveError, match=re.escape(why)):
            move(project, old, new)
        assert tree(project) == before

    def test_a_word_that_means_several_things(self, project: Path) -> None:
        move(project, "tag:cache", "warp")
        with pytest.raises(MoveError, match="'warp' may be tag:warp or term:warp: say which"):
            move(project, "warp", "other")

    def test_another_notes_alias(self, project: Path) -> None:
        move(project, "caches/rows", "caches/order")
        with pytest.raises(MoveError, match="an alias of caches/order"):
            move(project, "caches/steps", "caches/rows")

    def test_a_project_that_cannot_be_read(self, project: Path) -> None:
        (project / "notes/gpu/draft.md").write_text("---\ndraft: [true\n---\n[[rows]]\n")
        with pytest.raises(MoveError, match=r"notes/gpu/draft.md:3:1: PN104"):
            move(project, "caches/rows", "caches/order")

    def test_a_result_that_was_changed_by_hand(self, project: Path) -> None:
        file = project / "notes/caches/steps/lab/results/example-cpu.json"
        file.write_text(file.read_text().replace('"unfit": []', '"unfit": ["busy"]'))
        with pytest.raises(MoveError, match="its digest is wrong"):
            move(project, "caches/steps", "caches/strides")

    def test_a_symbolic_link(self, project: Path) -> None:
        file = project / "notes/caches/rows.md"
        file.rename(project / "notes/caches/real.md")
        file.symlink_to("real.md")
        with pytest.raises(MoveError, match="is a symbolic link"):
            move(project, "caches/rows", "caches/order")


class TestWords:
    def test_a_tag(self, project: Path) -> None:
        move(project, "tag:cache", "caches")
        assert "- id: caches\n  name: {en: Cache" in text(project, "notes/tags.yml")
        assert "\n  aliases: [cache]\n" in text(project, "notes/tags.yml")
        assert "tags: [caches]" in text(project, "notes/gpu/draft.md")
        assert "tags/caches]" in text(project, "tests/search/queries.yml")
        move(project, "tag:caches", "cache")
        assert "aliases: [caches]" in text(project, "notes/tags.yml")

    def test_a_term(self, project: Path) -> None:
        changes = move(project, "term:warp", "thread-group")
        assert "- id: thread-group\n  en: warp\n" in text(project, "notes/glossary.yml")
        assert "aliases" not in text(project, "notes/glossary.yml")
        assert changes.told == ["'warp' becomes no alias: the term is known by these words"]
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
        assert "keys have no alias" in changes.told[0]
        assert "notes/caches/links.md:21" in changes.told[1]  # a code block

    def test_a_key_that_a_crossref_names(self, project: Path) -> None:
        file = project / "notes/references.bib"
        child = "\n@inbook{part, title = {P}, crossref = {drepper2007memory}, year = 2007}\n"
        file.write_text(file.read_text() + child)
        move(project, "drepper2007memory", "other2007")
        assert "crossref = {other2007}" in file.read_text()


class TestAllOrNothing:
    def test_an_error_on_the_way_leaves_all_as_it_was(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        changes = planned(read_project(project), "caches/steps", "gpu/strides")
        files = new_files(project, changes)
        before = tree(project)
        for path in ("caches/links.zh.md", "caches/links.md"):
            with monkeypatch.context() as patch:
                _fail_at(patch, path)
                with pytest.raises(OSError, match="no space"):
                    apply(project, changes, files)
            assert tree(project) == before
        with monkeypatch.context() as patch:
            patch.setattr(Path, "rename", _no_rename)
            with pytest.raises(KeyboardInterrupt):
                apply(project, changes, files)
        assert tree(project) == before
        assert not (project / "notes/gpu/strides").exists()

    def test_a_file_that_changed_meanwhile(self, project: Path) -> None:
        changes = planned(read_project(project), "caches/rows", "caches/order")
        files = new_files(project, changes)
        (project / "notes/glossary.yml").touch()
        (project / "notes/caches/links.md").write_text("other\n")
        before = tree(project)
        with pytest.raises(MoveError, match="changed meanwhile"):
            apply(project, changes, files)
        assert tree(project) == before

    def test_a_last_note_takes_its_topics_folder_along(self, project: Path) -> None:
        move(project, "gpu/draft", "caches/draft")
        assert (project / "notes/gpu").is_dir()
        move(project, "gpu/warps", "caches/warps")
        assert not (project / "notes/gpu").exists()
        move(project, "caches/warps", "gpu/warps")


def _fail_at(patch: pytest.MonkeyPatch, path: str) -> None:
    failed: list[Path] = []

    def write(file: Path, data: bytes) -> None:
        if file.as_posix().endswith(path) and not failed:
            failed.append(file)
            raise OSError(28, "no space left on device")
        write_atomically(file, data)

    patch.setattr(applying, "write_atomically", write)


def _no_rename(self: Path, target: Path) -> Path:
    del self, target
    raise KeyboardInterrupt


class TestCommand:
    def test_shows_first_and_writes_with_yes(
        self, project: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = tree(project)
        assert main(["move", "caches/rows", "gpu/order", "--dry-run"]) == 0
        assert main(["move", "caches/rows", "gpu/order"]) == 2  # nobody to ask
        out, err = capsys.readouterr()
        assert "rename notes/caches/rows.md → notes/gpu/order.md" in out
        assert "+requires: [gpu/order]" in out
        assert "nothing written" in err
        assert "add --yes" in err
        assert tree(project) == before
        assert main(["move", "caches/rows", "gpu/order", "--yes"]) == 0
        assert "changed " in capsys.readouterr().out
        assert tree(project) != before

    def test_wrong_use(self, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
        del project
        assert main(["move", "nothing", "caches/x"]) == 2
        assert "no note, tag, term or reference is called 'nothing'" in capsys.readouterr().err


class TestYaml:
    def test_items_and_scalars(self) -> None:
        yaml = YamlText("a: [x, 'y']\nb:\n  - p # c\n  - \"q\"\nc: []\nd: {e: z}\n")
        assert edited(yaml.text, [yaml.renamed(("a", 1), "new")]).startswith("a: [x, 'new']\n")
        assert edited(yaml.text, [yaml.appended(("a",), "n")]).startswith("a: [x, 'y', n]\n")
        assert '  - "q"\n  - n\nc:' in edited(yaml.text, [yaml.appended(("b",), "n")])
        assert "c: [n]\n" in edited(yaml.text, [yaml.appended(("c",), "n")])
        assert edited(yaml.text, [yaml.removed(("a",), 0)]).startswith("a: ['y']\n")
        assert edited(yaml.text, [yaml.removed(("a",), 1)]).startswith("a: [x]\n")
        assert 'b:\n  - "q"\n' in edited(yaml.text, [yaml.removed(("b",), 0)])
        assert "d: {e: n}" in edited(yaml.text, [yaml.renamed(("d", "e"), "n")])
        with pytest.raises(YamlEditError):
            yaml.added_key(("d",), "f: 1", ("e",))
        assert [plain(w) for w in ("a-b", "no", "1e3", "12", "a/b")] == [
            "a-b", '"no"', '"1e3"', '"12"', "a/b",
        ]  # fmt: skip

    def test_edits_never_overlap(self) -> None:
        with pytest.raises(MoveError):
            edited("abc", [TextEdit(0, 2, "x"), TextEdit(1, 3, "y")])


_TOPICS = ("caches", "gpu")
_SLUGS = ("one", "two", "three", "rows", "lines", "steps", "warps", "links", "draft")
_NAMES = {
    "note": st.builds("{}/{}".format, st.sampled_from(_TOPICS), st.sampled_from(_SLUGS)),
    "tag": st.sampled_from(["cache", "memory", "lines"]),
    "term": st.sampled_from(["cache-line", "warp", "unit", "two"]),
    "key": st.sampled_from(["drepper2007memory", "drepper2007programmer", "x"]),
}


def _moves() -> st.SearchStrategy[tuple[str, str, str]]:
    return st.one_of(*(st.tuples(st.just(k), n, n) for k, n in _NAMES.items()))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("moves")
    make(folder / "fresh")
    yield folder
    shutil.rmtree(folder)


@given(st.lists(_moves(), min_size=1, max_size=3))
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_random_moves_keep_the_findings_and_the_graph(
    scratch: Path, moves: list[tuple[str, str, str]]
) -> None:
    """However names change, check says the same and the graph is the same but for the names."""
    project = scratch / "now"
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(scratch / "fresh", project)
    findings, edges = _seen(project)
    for kind, old, new in moves:
        before = tree(project)
        try:
            move(project, f"{kind}:{old}", f"{kind}:{new}")
        except MoveError:
            assert tree(project) == before
            continue
        names = {(kind, old): new}
        edges = {tuple(names.get(each, each[1]) for each in e) for e in _typed(edges)}
        now, edges_now = _seen(project)
        assert now == findings
        assert edges_now == edges


def _seen(project: Path) -> tuple[Counter[str], set[tuple[str, ...]]]:
    """The codes of all findings, and the edges between notes, terms, references and tags."""
    site = read_site(project)
    graph, library = site.graph, site.library
    edges: set[tuple[str, ...]] = {
        ("link", s, t) for s, targets in graph.outbound.items() for t in targets
    }
    edges |= {("cite", s, k) for s, keys in graph.cites.items() for k in keys}
    edges |= {("requires", n.id, r) for n in library.notes.values() for r in n.meta.requires}
    edges |= {("tag", n.id, t) for n in library.notes.values() for t in n.meta.tags}
    edges |= {("term", t.id, t.note) for t in library.terms.values() if t.note}
    found = (f.code for f in examine(site) if f.severity is not Severity.NOTE)
    return Counter(found), edges


def _typed(edges: set[tuple[str, ...]]) -> Iterator[tuple[tuple[str, str], ...]]:
    kinds = {
        "link": ("note", "note"), "cite": ("note", "key"), "requires": ("note", "note"),
        "tag": ("note", "tag"), "term": ("term", "note"),
    }  # fmt: skip
    for name, a, b in edges:
        yield ("", name), (kinds[name][0], a), (kinds[name][1], b)


def test_the_example_has_what_these_tests_need() -> None:
    assert "caches/rows.md" in NOTES
