"""Renaming, in random series and edit by edit: the graph stays the same but for the names."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perfnotes.checks import examine
from perfnotes.fixes.move.changes import MoveError, edited
from perfnotes.source.yamltext import YamlEditError, YamlText, yaml_scalar
from perfnotes.text.findings import Severity
from perfnotes.text.tokens import TextEdit
from tests.example_notes import NOTES, read_site
from tests.moving import make, move
from tests.project import tree


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
        assert [yaml_scalar(w) for w in ("a-b", "no", "1e3", "12", "a/b")] == [
            "a-b", '"no"', '"1e3"', '"12"', "a/b",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("text", "left"),
        [("a:\n- x\nb: 1\n", "a: []\nb: 1\n"), ("a:\n  - x # c\n", "a: [] # c\n"),
         ("a: [x]\n", "a: []\n")],
    )  # fmt: skip
    def test_the_last_item_leaves_a_list_that_can_be_read(self, text: str, left: str) -> None:
        assert edited(text, [YamlText(text).removed(("a",), 0)]) == left

    def test_a_comment_above_the_last_item_is_left_to_people(self) -> None:
        with pytest.raises(YamlEditError):
            YamlText("a: # why\n- x\n").removed(("a",), 0)

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


@pytest.mark.slow
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
