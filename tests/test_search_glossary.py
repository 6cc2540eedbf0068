"""The general glossary: what its file holds, and what it does for a search in any folder."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from perfnotes.search.analysis import key_and_terms
from perfnotes.search.document import SearchDocument
from perfnotes.search.general import (
    FILE,
    OccurringNames,
    general_names,
    general_terms,
    occurring_names,
)
from perfnotes.search.index import Index
from perfnotes.search.query import Engine
from perfnotes.search.shards import Shards
from tests.search_index import index_of, write_folder

TERMS = json.loads(FILE.read_text("utf-8"))
DOMAINS = {
    "cpu", "cache", "memory", "os", "storage", "network", "concurrency", "gpu", "compiler",
    "numerics", "measurement", "algorithms", "pytorch", "python", "bash", "general",
}  # fmt: skip
# Words of running text. A name of one such word would bring pages about something else.
COMMON = (
    "set bank way line block page lock kernel core port trace event sample queue table tile lane "
    "frame heap stack copy fence barrier cache memory thread process register bus node path hit "
    "miss load store fetch issue stall port level state mode time clock rate cost test file disk "
    "read write if wc cat ps cow pie raw war as or"
).split()
OWN = {
    "火焰图": "profiling/flame-graphs", "性能计数器": "terms/pmu",
    "超线程": "cpu/smt", "大页": "caches/huge-pages", "锁页": "gpu/pinned-memory",
}  # fmt: skip
NOTES = {
    "index.md": "# Home\n\nWhere everything begins.\n",
    "flame.md": "# Flame graphs\n\nA flame graph shows where a profiler found the program.\n",
    "counters.md": "# Hardware performance counters\n\nThe performance counter of misses.\n",
    "smt.md": "# Simultaneous multithreading\n\nTwo threads share one core.\n",
    "pages.md": "# Large mappings\n\nA huge page of 2 MB needs one entry.\n",
    "pinned.md": "# Copies\n\nPinned memory is copied without a detour.\n",
    "cache.md": "# 缓存行\n\n一个缓存行有 64 字节。\n",
}


def test_each_term_has_names_in_both_languages_a_domain_and_sources() -> None:
    assert len(TERMS) >= 600
    assert FILE.read_text("utf-8").count("\n") == len(TERMS) + 2, "one line for each term"
    for term in TERMS:
        assert list(term) == ["en", "abbr", "zh", "other", "domain", "sources"], term
        assert all(text.isascii() for text in (term["en"], *term["other"])), term
        assert term["zh"], term
        assert all(re.search("[\u4e00-\u9fff]", text) for text in term["zh"]), term
        assert all(" " not in text for text in term["abbr"]), term
        assert term["domain"] in DOMAINS, term
        assert term["sources"], term


def test_no_name_stands_twice() -> None:
    keys = Counter(name.key for names in general_terms() for name in names)
    assert [key for key, many in keys.items() if many > 1 or not key] == []


def test_words_of_running_text_and_single_characters_are_no_names() -> None:
    keys = {name.key for names in general_terms() for name in names}
    assert keys.isdisjoint(COMMON)
    assert [key for key in keys if len(key) < 2] == []


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(index_of(write_folder(tmp_path_factory.mktemp("notes"), NOTES)).get)


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("火焰图", "flame"), ("性能计数器", "counters"), ("超线程", "smt"), ("大页", "pages"),
        ("锁页", "pinned"), ("SMT", "smt"), ("cache line", "cache"), ("cache lines", "cache"),
    ],
)  # fmt: skip
def test_another_name_finds_a_page_of_any_folder(foreign: Engine, query: str, page: str) -> None:
    found = foreign.search(query)
    assert found.results[0].id == page
    assert found.expanded


def test_a_name_inside_a_longer_one_is_not_replaced() -> None:
    documents = [
        _document("a", "Cache hit rate"),
        _document("b", "缓存命中"),
        _document("c", "缓存命中率"),
    ]
    engine = Engine(dict(Shards().files(documents)).get)
    assert engine.search("cache hit").expanded == ["缓存命中"]
    assert engine.search("cache hit rate").expanded == ["缓存命中率"]


def test_a_page_with_a_part_of_another_name_is_not_about_it() -> None:
    documents = [
        _document("init", "Initialization of the kernel"),
        _document("raii", "Resource acquisition is initialization"),
    ]
    engine = Engine(dict(Shards().files(documents)).get)
    assert [result.id for result in engine.search("RAII").results] == ["raii"]


def test_only_names_that_occur_are_taken() -> None:
    index = Index()
    index.add(_document("a", "Huge pages and flames"))
    names = {
        key for found in general_names(index, occurring_names(index)).values() for key in found
    }
    assert "大页" in names
    assert names.isdisjoint({"透明大页", "火焰图"})
    (first,), key = key_and_terms("大页")[1], "大页"
    assert general_names(index, occurring_names(index))[first][key] == ("huge page",)


def test_the_folders_own_glossary_comes_first() -> None:
    """Its name keeps its meaning, gets names it lacks, and tells apart what it has as two terms."""
    text = "huge page, page fault, minor page fault, streaming multiprocessor, shared memory"
    own = [
        ("huge page", "大页"),
        ("SM", "shared memory"),
        ("page fault", "缺页异常"),
        ("缺页中断", "x"),
    ]
    document = SearchDocument("a", "a/", text, "en", "note", (), groups=tuple(own))
    index = Index()
    index.add(document)
    found = {
        key: names
        for rows in general_names(index, occurring_names(index)).values()
        for key, names in rows.items()
    }
    assert found["巨页"] == ("huge page", "大页")
    assert found.keys().isdisjoint({"hugepage", "大页", "sm", "缺页"})
    assert found["流多处理器"] == ("streaming multiprocessor",)
    engine = Engine(dict(Shards().files([document])).get)
    assert engine.search("巨页").expanded == ["huge page"]
    assert engine.search("SM").expanded == ["shared memory"]


@pytest.mark.slow
def test_another_name_finds_a_note_of_ours(own_index: dict[str, bytes]) -> None:
    engine = Engine(own_index.get)
    for query, id in OWN.items():
        assert id in [result.id for result in engine.search(query).results[:3]], query


def _document(id: str, title: str) -> SearchDocument:
    return SearchDocument(id, f"{id}/", title, "en", "note", (), names=(title,))


def test_names_are_looked_for_again_only_if_one_may_come_or_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    documents = [_document("huge", "A huge page"), _document("flames", "What burns")]
    shards = Shards()
    _ = dict(shards.files(documents))
    looked: list[Index] = []

    def look(index: Index) -> OccurringNames:
        looked.append(index)
        return occurring_names(index)

    monkeypatch.setattr("perfnotes.search.shards.occurring_names", look)
    # The new words are in names of the glossary, but no page has a whole name more.
    shards.update([documents[0], _document("flames", "What burns is no page")])
    assert not looked
    shards.update([documents[0], _document("flames", "A flame graph")])
    assert looked
    assert shards.index.general == general_names(shards.index, occurring_names(shards.index))
    shards.update([documents[0], _document("flames", "What burns")])
    assert shards.index.general == general_names(shards.index, occurring_names(shards.index))
    assert "火焰图" not in {key for names in shards.index.general.values() for key in names}
