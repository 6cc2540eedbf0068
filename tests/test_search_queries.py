"""What a query looks for and excludes, and when the search doubts that it has the answer."""

from __future__ import annotations

import pytest

from perfnotes.search.analysis import analyse
from perfnotes.search.document import Block, SearchDocument
from perfnotes.search.parse import parse
from perfnotes.search.query import Engine
from perfnotes.search.shards import Shards


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("cache -memory", ("memory",)),
        ("cache -misses -fault", ("misses", "fault")),
        ("gcc -flto -mavx2 -fPIC -ffast-math -march=native -fno-rtti", ()),
        ("gcc -O3 -g -Wall --help", ()),
        ("link with g++ -pthread -static", ()),
        ("linked with -lprofiler and -ltcmalloc_minimal, no file", ()),
        ("memory -latency -lock", ("latency", "lock")),
        ("set -euo pipefail", ()),
        ("tar -xzf archive", ()),
        ("set -memory", ("memory",)),
        ("a set of -pages", ("pages",)),
        ("prints -bash: [: =: unary operator expected", ()),
        ("memory 137 -> 450 MB -mimalloc", ("mimalloc",)),
        ("缓存 -内存", ("内存",)),
        ("函数里 set -e就不管用了", ()),
        ("加了 set -e，脚本还是往下跑", ()),
    ],
)
def test_words_are_excluded_and_options_of_programs_are_not(
    text: str, excluded: tuple[str, ...]
) -> None:
    assert parse(text).excluded == excluded


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('batch["d1"] and batch["d2"] are copied', ()),
        ('torch.load(map_location="cpu") slow', ()),
        ('print("a b") "pinned memory"', ("pinned memory",)),
        ('error:"no space left"', ("no space left",)),
        ("怎么用“锁页内存”提速", ("锁页内存",)),
    ],
)
def test_a_string_in_code_is_no_phrase(text: str, phrases: tuple[str, ...]) -> None:
    query = parse(text)
    assert query.phrases == phrases
    assert not {'"', "“"} & set(query.words)


def test_of_a_traceback_only_the_error_is_looked_for() -> None:
    frames = '  File "/srv/train.py", line 31, in step\n    loss = model(batch)\n' * 9
    error = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB"
    query = parse(f"Traceback (most recent call last):\n{frames}{error}")
    assert (query.words, query.phrases) == (error.removeprefix("torch."), ())
    assert parse("Traceback (most recent call last)").words == "Traceback (most recent call last)"


def test_what_is_no_exclusion_is_looked_for() -> None:
    words = parse("加了 set -e，脚本还是往下跑").words
    assert words.split() == ["加了", "set", "-e", "，脚本还是往下跑"]
    assert [s.term for s in analyse(parse("函数里 set -e就不管用了").words).slots][2] == "set-e"
    assert "-bash:" in parse("prints -bash: [: unary operator expected").words


def test_pages_with_the_parts_of_a_call_alone_make_an_answer_doubtful() -> None:
    texts = {
        "a/streams": "The stream of loads and stores, ps, mm and 256: void stream_ps(int).",
        "a/words": "Nothing of that.",
    }
    documents = [
        SearchDocument(id, f"{id}/", id.title(), "en", "note", (Block("", "", text),))
        for id, text in texts.items()
    ]
    engine = Engine(dict(Shards().files(documents)).get)
    parts, whole = (engine.search(query) for query in ("_mm256_stream_xs", "stream_ps"))
    assert [each.results[0].id for each in (parts, whole)] == ["a/streams", "a/streams"]
    assert (parts.is_weak, whole.is_weak) == (True, False)
