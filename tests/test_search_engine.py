"""What a search finds, in which order, and what it says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from perfnotes.search.analysis import Slot
from perfnotes.search.constants import FORMAT, MOST_PHRASE, PHRASE_STEP
from perfnotes.search.evaluate import (
    evaluate,
    packed_size,
    read_judged,
    summary,
)
from perfnotes.search.lookup import Hits
from perfnotes.search.parse import parse
from perfnotes.search.phrases import with_phrases
from perfnotes.search.query import Engine
from perfnotes.search.scoring import loosened, score
from perfnotes.search.spelling import distance, nearest
from tests.example_notes import write_notes
from tests.search_index import file_of, index_of, write_folder
from tests.search_samples import HOSTILE, NOTES, with_long_facets

if TYPE_CHECKING:
    pass


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return index_of(write_folder(tmp_path_factory.mktemp("notes"), NOTES))


def ids(index: dict[str, bytes], query: str, lang: str = "en") -> list[str]:
    return [r.id for r in Engine(index.get).search(query, lang).results]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("pinned memory", "memory/pinned"),
        ("page locked memory", "memory/pinned"),
        ("Pinned-Memory", "memory/pinned"),
        ("内存对齐", "memory/alignment"),
        ("内存的对齐", "memory/alignment"),
        ("伪共享", "loops/false-sharing"),  # a page named by the term's other name
        ("cudaMemcpyAsync", "memory/pinned"),
        ("cudaMemc", "memory/pinned"),
        ("memcpy async", "memory/pinned"),
        ("MemcpyAsync", "memory/pinned"),
        ("sync_with", "loops/io"),
        ("c++17", "loops/io"),
        ("vectorizing a loop", "loops/vectorization"),
        ("vectoriz", "loops/vectorization"),
        ("vectorizaton", "loops/vectorization"),
        ("vetcorization", "loops/vectorization"),
        ("ectorization", "loops/vectorization"),
        ("-ffast-math", "loops/vectorization"),
        ("fast-math", "loops/vectorization"),
        ("ffastmath", "loops/vectorization"),
        ("pragma omp", "loops/vectorization"),
        ("内存 管理", "ch03/内存 管理"),
        ("tag:threads", "loops/false-sharing"),
        ('"one cache line"', "loops/false-sharing"),
        ('"影响性能"', "memory/alignment"),
    ],
)
def test_a_query_finds_its_page_first(index: dict[str, bytes], query: str, first: str) -> None:
    assert ids(index, query)[:1] == [first]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("A*", "astar"),
        ("a* 算法", "astar"),
        ("A* search", "astar"),
        ("next_permuation", "permutation"),
        ("std::next_premutation", "permutation"),
        ("generator", "generators"),
        ("lis", "lis"),
    ],
)
def test_signs_slips_and_numbers_of_names(tmp_path: Path, query: str, first: str) -> None:
    notes = {
        "astar.md": "# A*\n\nA* 算法 expands the node of least cost.\n",
        "algorithms.md": "# 算法\n\nA search of the literature, and 算法 of every kind.\n",
        "permutation.md": "# Permutations\n\n`next_permutation` and `std::next_permutation`.\n",
        "loops.md": "# Loops\n\nA loop over `next_permutation` ends.\n",
        "next.md": "# Next steps\n\nWhat comes next.\n",
        "generators.md": "# Generators\n\nFunctions that yield.\n",
        "generate.md": "# Generated code\n\nCode of a generator.\n",
        "lis.md": "# Subsequences\n\nLIS is the longest increasing subsequence; LIS in log time.\n",
        "list.md": "# List\n\nA list is listed; list after list.\n",
    }
    assert ids(index_of(write_folder(tmp_path, notes)), query)[:1] == [first]


def test_a_pair_of_characters_between_two_words_counts_less() -> None:
    frequencies = {"输入": 40, "入数": 2, "数据": 90, "据流": 60}
    rows = [
        (Slot(term, "pair", at), Hits({1: (1, 0)}, frequency))
        for at, (term, frequency) in enumerate(frequencies.items())
    ]
    assert [slot.kind for slot, _ in loosened(rows)] == ["pair", "loose", "pair", "pair"]


def test_a_page_with_everything_somewhere_yields_to_one_about_it(tmp_path: Path) -> None:
    filler = " ".join(f"entry{i} describes call{i}." for i in range(3000))
    words = "The workers starve. A queue is drained."
    inside = f"{filler} {words} {words} {filler}"
    texts = {
        "manual.md": f"# Reference\n\n{inside} Several processors are idle.\n",
        "stalls.md": f"# Waiting\n\n{words} {words}\n",
        "other.md": "# Other\n\nSomething else.\n",
    }
    engine = Engine(index_of(write_folder(tmp_path, texts)).get)
    found = engine.search("workers starve although the queue is not drained and processors idle")
    assert [r.id for r in found.results][:2] == ["stalls", "manual"]


@pytest.mark.parametrize(("slots", "rest"), [(1, 0.3), (3, 0.3), (5, 0.4), (12, 0.5)])
def test_of_a_long_query_fewer_words_must_be_covered(slots: int, rest: float) -> None:
    rows = [(Slot("a", "word", 0), Hits({7: (3000, 0)}))]
    rows += [(Slot(str(i), "word", i), Hits({8: (3000, 0)})) for i in range(1, slots)]
    value = score(rows, lambda _: 100).scores[7].value
    assert value == pytest.approx(rest + (1 - rest) / slots**2)


def test_a_result_opens_at_its_section(index: dict[str, bytes]) -> None:
    result = Engine(index.get).search("cudaMemcpyAsync").results[0]
    assert result.section == "Copies that do not wait"
    assert result.section_url == "memory/pinned/#copies-that-do-not-wait"


def test_a_phrase_is_shown_and_opened_where_it_stands(tmp_path: Path) -> None:
    text = (
        "# Ranks\n\nA mismatch of calls hangs.\n\n## A mismatch hangs\n\nSee below.\n\n"
        f"## Beliefs\n\n{'Each rank waits for calls of others. ' * 80}The mismatch hangs it.\n"
    )
    engine = Engine(index_of(write_folder(tmp_path, {"ranks.md": text})).get)
    places = {
        '"mismatch of calls"': ("", "A mismatch of calls hangs."),
        '"a Mismatch hangs"': ("A mismatch hangs", "See below."),
        '"the mismatch hangs"': ("Beliefs", "The mismatch hangs it."),
    }
    for query, (section, shown) in places.items():
        result = engine.search(query).results[0]
        assert result.section == section
        assert shown in result.text


def test_words_phrases_and_filters_narrow(index: dict[str, bytes]) -> None:
    assert "memory/paging" in ids(index, "memory")
    assert "memory/paging" not in ids(index, "memory -huge")
    assert not Engine(index.get).search('"memory" pages').is_loose
    loose = Engine(index.get).search('"memory pages" -huge')
    assert loose.is_loose
    assert [r.id for r in loose.results] == ids(index, "memory pages -huge")
    assert not Engine(index.get).search('"memory pages" lang:xx').is_loose
    assert set(ids(index, "memory topic:loops")) <= {"loops/vectorization", "loops/io"}
    assert set(ids(index, "lang:zh")) == {"memory/alignment", "ch03/内存 管理"}
    assert ids(index, "memory lang:xx") == []


def test_a_phrase_is_looked_for_on_some_pages_at_a_time() -> None:
    looked: list[int] = []

    def text(page: int) -> str:
        looked.append(page)
        return "the memory pages" if page in {103, 107, 125} else "pages of memory"

    steps = with_phrases(range(100, 200), ["memory pages"], text)
    assert next(steps) == [103]
    assert looked == list(range(100, 100 + PHRASE_STEP))
    assert [page for step in steps for page in step] == [107, 125]
    assert len(looked) == MOST_PHRASE


def test_words_are_found_in_british_and_american_spelling(tmp_path: Path) -> None:
    write_folder(tmp_path, {"a.md": "# Loops\n\nHow to vectorise.\n", "b.md": "# Other\n\nText.\n"})
    answer = Engine(index_of(tmp_path).get).search("vectorization")
    assert [r.id for r in answer.results] == ["a"]
    assert not answer.corrected


def test_nothing_found_gives_words_nearby(index: dict[str, bytes]) -> None:
    answer = Engine(index.get).search("vctrztn")
    assert answer.results == []
    assert "vectorization" in Engine(index.get).search("vectorzatio -vectorization").suggestions
    excluded = Engine(index.get).search("vectorization -vectorization")
    assert "vectorization" not in excluded.suggestions  # pages have it


def test_the_query_language() -> None:
    query = parse('memory "exact words" -paging tag:Cache "内存 对齐" gcc -O3 -march=native')
    assert query.phrases == ("exact words", "内存 对齐")
    assert query.excluded == ("paging",)
    assert query.filters == (("tag", "cache"),)
    assert "-O3" in query.words
    assert "-march=native" in query.words
    assert parse('say "hello').words == "say  hello"


@pytest.mark.parametrize("query", HOSTILE)
def test_any_text_is_a_query(index: dict[str, bytes], query: str) -> None:
    Engine(index.get).search(query)


def test_slips_of_the_pen() -> None:
    assert distance("vectorizaton", "vectorization", 2, prefix=False) == 1
    assert distance("memroy", "memory", 1, prefix=False) == 1
    assert distance("vecotr", "vectorization", 2, prefix=True) == 1
    assert distance("abcd", "wxyz", 2, prefix=False) == 3
    assert nearest("memroy", [("memo", 9), ("memory", 3)], prefix=False, most=1) == [("memory", 1)]


@pytest.mark.slow
def test_a_missing_or_truncated_shard_is_told_and_the_rest_searched(
    index: dict[str, bytes], own_index: dict[str, bytes]
) -> None:
    first = file_of(own_index, "t/0")
    broken = {**own_index, first: own_index[first][:1000]}
    del broken[file_of(own_index, "d/0")]
    answer = Engine(broken.get).search("0 memory")
    assert "t/0" in answer.missing
    assert answer.results
    broken["root.js"] = with_long_facets(own_index)["root.js"]
    del broken[file_of(own_index, "m")]
    assert Engine(broken.get).search("memory tag:caches").missing == ["m"]
    with pytest.raises(ValueError, match="no search index"):
        Engine({**index, "root.js": b""}.get)
    older = index["root.js"].replace(b'"format":%d' % FORMAT, b'"format":1')
    assert older != index["root.js"]
    with pytest.raises(ValueError, match="no search index"):
        Engine({**index, "root.js": older}.get)


def test_the_same_notes_give_the_same_bytes(tmp_path: Path, index: dict[str, bytes]) -> None:
    assert index_of(write_folder(tmp_path, NOTES)) == index


def test_twins_are_one_result_in_the_readers_language(tmp_path: Path) -> None:
    text = "缓存以行为单位保存内存。\n\n## 大小\n\n64 字节。\n"
    write_notes(tmp_path, {"caches/lines.zh.md": text})
    index = index_of(tmp_path / "notes")
    for lang in ("en", "zh"):
        results = Engine(index.get).search("cache line", lang).results
        assert [r.id for r in results[:2]] == ["terms/cache-line", "caches/lines"]
        assert [r.id for r in results].count("caches/lines") == 1
        assert {r.lang for r in results[:2]} == {lang}
    only = Engine(index.get).search("cache line lang:zh", "en").results
    assert {r.lang for r in only} == {"zh"}
    assert "caches/lines" in [r.id for r in Engine(index.get).search("缓存 大小").results]
    for lang in ("en", "zh"):  # the English note alone has the word "line"
        results = Engine(index.get).search("缓存 大小 -line", lang).results
        assert "caches/lines" not in [r.id for r in results]
    found = Engine(index.get).search("缓存行")
    assert {r.id for r in found.results[:2]} == {"terms/cache-line", "caches/lines"}
    assert "cache line" in found.expanded


def test_evaluation_reads_every_format(tmp_path: Path, index: dict[str, bytes]) -> None:
    row = {"id": "a", "class": "en", "query": "pinned memory", "expected": ["x", "memory/pinned"]}
    (tmp_path / "q.json").write_text(json.dumps([row]), "utf-8")
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n\n", "utf-8")
    (tmp_path / "q.yml").write_text(
        "- {id: a, class: en, query: pinned memory, expected: [x, memory/pinned]}\n", "utf-8"
    )
    engine = Engine(index.get)
    for name in ("q.json", "q.jsonl", "q.yml"):
        outcomes = evaluate(engine, read_judged(tmp_path / name), packed_size(index.get), [])
        assert summary(outcomes).mrr == 1.0
        assert outcomes[0].requests >= 3
