"""What a search promises: in the terminal and in the browser alike."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.search.analysis import Slot, key_and_terms
from perfnotes.search.codec import script, unscript
from perfnotes.search.constants import FORMAT, MOST_PHRASE, PHRASE_STEP
from perfnotes.search.document import SearchDocument
from perfnotes.search.evaluate import (
    added_files,
    by_class,
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
from perfnotes.site.scripts import search_script
from tests.example_notes import write_notes
from tests.project import ROOT
from tests.sampling import at_even_distances
from tests.search_index import browser_engine, file_of, index_of, write_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NOTES = {
    "index.md": "# Home\n\nWhere everything begins.\n",
    "memory/pinned.md": "---\ntitle: Pinned memory\naliases: [page-locked memory]\n---\n\n"
    "Call `cudaMallocHost` for it.\n\n## Copies that do not wait\n\n"
    "`cudaMemcpyAsync` blocks unless the memory is pinned.\n",
    "memory/alignment.md": "# 内存对齐\n\n结构体的内存对齐影响性能。\n\n"
    "## 缓存行\n\n避免伪共享。\n",
    "memory/paging.md": "# Paging\n\nPages of memory, huge or small; nothing here is locked.\n",
    "loops/vectorization.md": "# Vectorization\n\nThe compiler vectorizes loops with "
    "`-ffast-math` and `#pragma omp simd`.\n",
    "loops/io.md": "# Reading quickly\n\n`std::ios::sync_with_stdio(false)` helps in C++17.\n",
    "loops/false-sharing.md": "---\ntitle: False sharing\ntags: [cache, threads]\n---\n\n"
    "Two threads write to one cache line.\n",
    "ch03/内存 管理/README.md": "# 内存管理\n\n"
    "操作系统用分页与分段管理内存，每个进程有自己的地址空间。\n",
}
HOSTILE = [
    "", " ", "a", "x", "的", "?", "-", '"', '""', '"unpaired', "(", "[a-z]*", "(a+)+$", "\\", "^$",
    "<script>alert(1)</script>", "<b>memory</b>", "&amp;", "😀", "👨‍👩‍👧", "مرحبا", "שלום עולם",
    "\u202ememory", "\u0000", "memory\u0000", "%00", "${7*7}", "tag:", "tag:nothing", "lang:xx",
    "type:", "foo:bar", "-memory", "--", "- memory", "memory -", "tag:cache tag:threads",
    "constructor", "__proto__", "toString", "hasOwnProperty", "memory " * 2000, "内存" * 5000,
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
]  # fmt: skip
SMALL = [
    "pinned memory", "cudaMemc", "vectorizaton", "内存的对齐", '"one cache line"', "memory -huge",
    "tag:threads", "page-locked", "-ffast-math", "lang:zh 内存", "sync_wiht_stdio", "A* 内存",
    "std::ios::sink_with", "结构体内存对齐影响性能",
]  # fmt: skip
LEXICAL = ("english", "chinese", "mixed", "code", "code part", "prefix", "typo")
OWN = [
    "set -euo pipefail",
    "link with g++ -pthread",
    "cache -memory",
    "why is my loop slower with 1024 columns", "TLB", "锁页内存", "zero_grad", "me", "内", "flahs",
    "branch mispredict", "矩阵按列遍历为什么慢", "type:paper attention", "PN804", "火焰图",
    "超线程", "大页", "性能计数器", "锁页", "SMT 大页 cache hit rate", "page-locked memory copies",
    "__rdtsc", "perf stat --topdown", "RAII", "LTO", "SIM", "link-time optimization of templates",
]  # fmt: skip


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return index_of(write_folder(tmp_path_factory.mktemp("notes"), NOTES))


def with_long_facets(index: dict[str, bytes]) -> dict[str, bytes]:
    """Return the index as it is where the facets are too long for the root."""
    root = unscript(index["root.js"])
    del root["m"]
    return {**index, "root.js": script("root", root)}


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


@pytest.mark.slow
def test_every_name_is_answered_first(
    own_site: Site,
    own_documents: list[SearchDocument],
    own_index: dict[str, bytes],
    all_notes: bool,
) -> None:
    """A note's and a term's title, aliases and abbreviations; all that share one come first.

    In the suite 200 names are asked for, with ``--all-notes`` every one.
    """
    library = own_site.library
    names: dict[str, set[str]] = {}
    for note in library.notes.values():
        for name in (note.meta.title, *note.meta.aliases):
            names.setdefault(name, set()).add(note.id)
    for twin in library.translations.values():
        names.setdefault(twin.meta.title, set()).add(twin.id)
    for term in library.terms.values():
        pages = {f"terms/{term.id}"} | ({term.note} & library.notes.keys())
        for name in (*term.spellings("en"), *term.spellings("zh")):
            names.setdefault(name, set()).update(pages)
    keys: dict[str, set[str]] = {}
    for document in own_documents:
        keys.setdefault(document.id, set()).update(key_and_terms(n)[0] for n in document.names)
    engine = Engine(own_index.get)
    for name, pages in at_even_distances(names.items(), len(names) if all_notes else 200):
        found = [r.id for r in engine.search(name, limit=max(10, len(pages) + 6)).results]
        named = [r for r in found if r in pages]
        assert set(named) == pages, f"{name!r}: {found}"
        others = found[: max(found.index(p) for p in pages)]
        for other in set(others) - pages:
            assert key_and_terms(name)[0] in keys[other], f"{name!r}: {other} before {pages}"


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


@pytest.mark.slow
def test_both_engines_answer_alike(
    browser: Browser,
    tmp_path: Path,
    index: dict[str, bytes],
    own_index: dict[str, bytes],
    all_notes: bool,
) -> None:
    """The same pages, sections and totals in the same order, on judged queries too."""
    judged = [ROOT / "tests" / "search" / name for name in ("judged.yml", "queries.yml")]
    seen = [f"{name}_queries_seen.yml" for name in ("own", "field")]
    judged += [ROOT / "benchmarks" / "search" / name for name in seen]
    queries = [q.query for file in judged for q in read_judged(file)]
    queries = at_even_distances(queries, len(queries) if all_notes else 160)
    small = [q for q in HOSTILE if "\0" not in q]
    cases = {"small": (index, [*small, *SMALL]), "own": (own_index, [*queries, *OWN])}
    for name, (files, asked) in cases.items():
        folder = tmp_path / name
        folder.mkdir()
        with browser_engine(browser, folder, files) as scripts:
            for lang in ("en", "zh"):
                theirs = scripts.ask(asked, lang)
                engine = Engine(files.get)
                for query, other in zip(asked, theirs, strict=True):
                    mine = engine.search(query, lang)
                    got = [(r["id"], r["section"], r["sectionUrl"]) for r in other["results"]]
                    ours = [(r.id, r.section, r.section_url) for r in mine.results]
                    assert got == ours, query[:80]
                    assert [
                        r["other"] and (r["other"]["url"], r["other"]["heading"])
                        for r in other["results"]
                    ] == [
                        r.other and (replace(r, anchor=r.other.anchor).section_url, r.other.heading)
                        for r in mine.results
                    ]
                    assert other["total"] == mine.total, query[:80]
                    assert other["isWeak"] == mine.is_weak, query[:80]
                    assert bool(other.get("isLoose")) == mine.is_loose, query[:80]
                    assert other["expanded"] == mine.expanded, query[:80]
                    assert [c[1] for c in other["corrected"]] == [c[1] for c in mine.corrected]


@pytest.mark.slow
def test_the_browser_marks_words_and_tells_what_is_missing(
    browser: Browser, tmp_path: Path, index: dict[str, bytes]
) -> None:
    gone = {file_of(index, shard) for shard in ("m", "w/0")}
    index = with_long_facets(index)
    files = {name: data for name, data in index.items() if name not in gone}
    with browser_engine(browser, tmp_path, files) as scripts:
        answer, typo = scripts.ask(["cudaMemcpyAsync", "vectorizaton"])
    snippet = answer["results"][0]["snippet"]
    assert {p["text"] for p in snippet if p["mark"]} == {"cudaMemcpyAsync"}
    assert answer["missing"] == ["m"]
    assert "w/0" in typo["missing"]


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


@pytest.mark.slow
def test_first_results_cost_little(own_index: dict[str, bytes]) -> None:
    """Engine, root, shards and one page, for each judged query entered at once."""
    added = added_files(search_script().encode())
    size = packed_size(lambda name: added.get(name) or own_index.get(name))
    judged = read_judged(ROOT / "tests" / "search" / "judged.yml")
    for outcome in evaluate(Engine(own_index.get), judged, size, list(added)):
        assert outcome.bytes < 60_000, outcome.judged.query
        assert outcome.requests <= 8, outcome.judged.query


@pytest.mark.slow
def test_our_own_judged_queries(
    own_documents: list[SearchDocument], own_index: dict[str, bytes]
) -> None:
    judged = read_judged(ROOT / "tests" / "search" / "judged.yml")
    assert len(judged) >= 150
    known = {document.id for document in own_documents}
    assert {page for each in judged for page in each.expected} <= known
    outcomes = evaluate(Engine(own_index.get), judged, lambda _: 0, [])
    lexical = [o for o in outcomes if o.judged.kind in LEXICAL]
    assert summary(lexical).mrr >= 0.92
    for kind, row in by_class(lexical).items():
        assert row.mrr >= 0.80, kind
