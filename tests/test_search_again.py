"""Documents that are indexed anew give the index that indexing all of them gives."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any
from unittest.mock import create_autospec

import pytest
from msgspec.structs import replace

from perfnotes.search import correction_words, packed_postings, page_groups, terms
from perfnotes.search.correction_words import CorrectionWords
from perfnotes.search.document import Block, SearchDocument
from perfnotes.search.page_groups import MOST
from perfnotes.search.shards import IndexDifference, Shards
from perfnotes.search.store import ShardStore
from perfnotes.search.term_runs import TermRun
from perfnotes.storage.digests import content_digest
from tests.examples import times

# The quick tests try a few random series, all tests some more.
_SEEDS = [*range(3), *(pytest.param(n, marks=pytest.mark.slow) for n in range(3, times(5)))]
_WORDS = (
    "cache caches cached line memory mem_cpy prefetch prefetcher x86-64 tlb huge-page std::vector "
    "malloc arena jemalloc 缓存 行 内存 分配器 大页 伪共享 me* 100 ns"
).split()


def _document(rng: random.Random, number: int) -> SearchDocument:
    words = [rng.choice(_WORDS) for _ in range(rng.randint(5, 60))]
    words += [f"w{rng.randint(0, 400)}" for _ in range(30)]
    title = f"Note {number} {rng.choice(_WORDS)}"
    lead = Block("", "", " ".join(words[:20]))
    heading = rng.choice(_WORDS)
    rest = Block("more", heading, " ".join(words[20:]), " ".join(words[-5:]))
    many = [Block("", "", word) for word in words[: rng.choice((0, 3, 17))]]
    return SearchDocument(
        id=f"notes/{number}", url=f"notes/{number}/", title=title, lang="en", type="note",
        blocks=(lead, rest, *many), names=(title, f"n{number}"), is_copy=number % 7 == 3,
    )  # fmt: skip


def _edited(rng: random.Random, document: SearchDocument) -> SearchDocument:
    """The same document with words added, changed or taken away, and blocks at its end."""
    blocks = list(document.blocks)
    at = rng.randrange(len(blocks))
    words = blocks[at].text.split()
    for _ in range(rng.randint(0, 4)):
        if words and rng.random() < 0.5:
            words.pop(rng.randrange(len(words)))
        fresh = f"fresh{rng.randint(0, 9)}"
        words.insert(rng.randint(0, len(words)), rng.choice((*_WORDS, fresh, "w7")))
    blocks[at] = replace(blocks[at], text=" ".join(words))
    if rng.random() < 0.2:
        blocks += [Block("", "", f"appended {rng.choice(_WORDS)}")] * rng.randint(1, 9)
    if rng.random() < 0.2 and len(blocks) > 2:
        blocks.pop()
    asked = rng.choice(
        (document.asked, "", f"crawls {rng.choice(_WORDS)} fresh{rng.randint(0, 9)}")
    )
    return replace(document, blocks=tuple(blocks), asked=asked)


def _with(files: dict[str, bytes], other: IndexDifference) -> dict[str, bytes]:
    """The files of an index with what is different, as a build takes them from where they are."""
    held = {content_digest(data): data for data in files.values()}
    renamed = {name: held[content] for name, content in other.renamed.items()}
    kept = {name: data for name, data in files.items() if name not in other.gone}
    assert not renamed.keys() & (kept.keys() | other.made.keys())
    return {**kept, **renamed, **other.made}


@pytest.mark.parametrize("seed", _SEEDS)
def test_documents_indexed_anew(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "SHARD", 300)
    monkeypatch.setattr(packed_postings, "GROUP", 8)
    rng = random.Random(seed)
    before = [_document(rng, i) for i in range(rng.choice((2, 40)))]
    first = Shards()
    files = dict(first.files(before))
    kept = pickle.dumps(first)
    for _ in range(6):
        after = list(before)
        for i in rng.sample(range(len(before)), rng.choice((1, 1, 2))):
            after[i] = _edited(rng, after[i])
        again = pickle.loads(kept)
        assert _with(files, again.update(after)) == dict(Shards().files(after))


@pytest.mark.slow
@pytest.mark.parametrize("seed", _SEEDS)
def test_one_edit_after_another(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles, names, tags and languages change, and documents come, go and change places."""
    monkeypatch.setattr(terms, "SHARD", 300)
    monkeypatch.setattr(packed_postings, "GROUP", 8)
    rng = random.Random(seed)
    documents = [_document(rng, i) for i in range(rng.choice((2, 40)))]
    index = Shards()
    files = dict(index.files(documents))
    for step in range(12):
        if rng.random() < 0.4:
            index = pickle.loads(pickle.dumps(index))
        i = rng.randrange(len(documents))
        one = documents[i]
        dice = rng.random()
        if dice < 0.6:
            title = " ".join(rng.sample(one.title.split(), len(one.title.split())))
            block = replace(one.blocks[0], heading=f"{rng.choice('abc')} heading")
            documents[i] = rng.choice(
                (
                    _edited(rng, one),
                    replace(one, title=f"{title} {step}", names=(title, *one.names)),
                    replace(one, names=(), groups=(("one name", "another name"),)),
                    replace(one, tags=("new",), tag_names=("a new one",), topic="other"),
                    replace(one, blocks=(block, *one.blocks[1:])),
                    replace(one, is_copy=not one.is_copy),
                    replace(one, is_twin=not one.is_twin, level="advanced"),
                )
            )
        elif dice < 0.75:
            documents.insert(i, _document(rng, 1000 + step))
        elif dice < 0.9 and len(documents) > 1:
            del documents[i]
        else:
            rng.shuffle(documents)
        files = _with(files, index.update(documents))
        assert files == dict(Shards().files(documents))


@pytest.mark.slow
@pytest.mark.parametrize("seed", _SEEDS)
def test_documents_come_and_go(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several come and go at once, among pages that fill many groups."""
    monkeypatch.setattr(terms, "SHARD", 300)
    monkeypatch.setattr(packed_postings, "GROUP", 8)
    monkeypatch.setattr(page_groups, "LEAST", 2)
    monkeypatch.setattr(page_groups, "MOST", 5)
    rng = random.Random(seed)
    documents = [_document(rng, i) for i in range(80)]
    index = Shards()
    files = dict(index.files(documents))
    for step in range(8):
        if rng.random() < 0.4:
            index = pickle.loads(pickle.dumps(index))
        for i in range(rng.choice((1, 1, 3))):
            at = rng.randrange(len(documents))
            if rng.random() < 0.5:
                documents.insert(at, _document(rng, 1000 + 10 * step + i))
            else:
                del documents[at]
        if rng.random() < 0.3:
            at = rng.randrange(len(documents))
            documents[at] = _edited(rng, documents[at])
        index = pickle.loads(pickle.dumps(index))
        files = _with(files, index.update(documents))
        assert files == dict(Shards().files(documents))


@pytest.mark.parametrize("seed", _SEEDS)
def test_of_the_words_for_corrections_only_shards_with_other_words_are_made(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(correction_words, "_SIZE", 300)
    rng = random.Random(seed)

    def words(count: int) -> str:
        return " ".join("".join(rng.choices("abcde", k=rng.randint(4, 6))) for _ in range(count))

    documents = [
        replace(_document(rng, i), blocks=(Block("", "", words(60)),), asked="") for i in range(20)
    ]
    index = Shards()
    files = dict(index.files(documents))
    total = sum(name[0] in "wv" for name in files)
    fewest = total
    recounted = create_autospec(CorrectionWords._recounted, side_effect=CorrectionWords._recounted)
    monkeypatch.setattr(CorrectionWords, "_recounted", recounted)
    for _ in range(12):
        at = rng.randrange(len(documents))
        text = documents[at].blocks[0].text.split()
        if rng.random() < 0.3:  # words that other pages have too are only more common then
            added = " ".join(rng.choices(sorted(index.corrections.words), k=20))
        else:
            text = text[rng.choice((0, 0, 20)) :]
            added = words(rng.choice((1, 1, 40)))
        documents[at] = replace(documents[at], blocks=(Block("", "", " ".join((*text, added))),))
        other = index.update(documents)
        files = _with(files, other)
        assert files == dict(Shards().files(documents))
        fewest = min(fewest, sum(name[0] in "wv" for name in other.made))
    assert fewest < total / 4
    assert 0 < recounted.call_count < 12


def test_a_document_that_comes_changes_the_files_of_its_group_alone() -> None:
    rng = random.Random(1)
    documents = [_document(rng, i) for i in range(10 * MOST)]
    index = Shards()
    total = sum(name.startswith("d/") for name, _ in index.files(documents))
    other = index.update([*documents[:40], _document(rng, 1000), *documents[40:]])
    pages = [name for name in (*other.made, *other.renamed) if name.startswith("d/")]
    assert 0 < len({name.split(".")[1] for name in pages}) <= 2
    assert len(pages) < total / 4


def test_groups_of_pages_whose_digests_are_equal_get_different_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def same(contents: Mapping[str, str]) -> str:
        return f"same{contents.get('', 'xx'):0>2}"

    monkeypatch.setattr(page_groups, "shared_digest", same)
    rng = random.Random(1)
    documents = [_document(rng, i) for i in range(3 * MOST)]
    files = dict(Shards().files(documents))
    store = ShardStore(files.get)
    cards = [store.card(page, 0) for page in range(len(documents))]
    assert [card and card[0][0] for card in cards] == [each.id for each in documents]


def test_an_edit_unpacks_only_the_terms_near_those_that_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(terms, "SHARD", 300)
    monkeypatch.setattr(packed_postings, "GROUP", 8)
    documents = [_document(random.Random(i), i) for i in range(40)]
    index = Shards()
    dict(index.files(documents))
    many_groups, many_runs = len(index.index.postings) // 8, len(index.terms.runs)
    index = pickle.loads(pickle.dumps(index))
    groups, runs = Counter[str](), Counter[str]()
    of_group, of_run = packed_postings._unpacked, TermRun.texts

    def group_unpacked(*packed: Any) -> Any:
        groups[packed[0]] += 1
        return of_group(*packed)

    def run_unpacked(run: TermRun) -> dict[str, str]:
        runs[run.keys] += 1
        return of_run(run)

    monkeypatch.setattr(packed_postings, "_unpacked", group_unpacked)
    monkeypatch.setattr(TermRun, "texts", run_unpacked)
    block = replace(documents[7].blocks[1], text=f"{documents[7].blocks[1].text} unheard")
    documents[7] = replace(documents[7], blocks=(documents[7].blocks[0], block))
    index.update(documents)
    assert 0 < len(groups) < many_groups / 2
    assert 0 < len(runs) < many_runs / 2


def test_shards_without_a_changed_word_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "SHARD", 300)
    monkeypatch.setattr(packed_postings, "GROUP", 8)
    rng = random.Random(1)
    documents = [_document(rng, i) for i in range(40)]
    index = Shards()
    total = len(dict(index.files(documents)))
    document = documents[0]
    lead = replace(document.blocks[0], text=f"{document.blocks[0].text} once")
    edited = replace(document, blocks=(lead, *document.blocks[1:]))
    other = index.update([edited, *documents[1:]])
    assert len(other.made) < total / 3
    # Other files get new names only where they share a digest with one that is different.
    made, renamed = ({name.split(".")[1] for name in some} for some in (
        other.made.keys() - {"root.js"}, other.renamed))  # fmt: skip
    assert renamed <= made
    assert any(name.startswith("d/") for name in other.renamed)


def test_a_file_of_another_index_has_another_name() -> None:
    rng = random.Random(1)
    documents = [_document(rng, i) for i in range(3 * MOST)]
    inserted = _document(rng, 1000)
    lists = [documents, [*documents[:40], inserted, *documents[40:]], documents[1:]]
    held: dict[str, bytes] = {}
    for each in lists:
        files = dict(Shards().files(each))
        assert len(files) > 3 * MOST
        del files["root.js"]
        for name, data in files.items():
            assert held.setdefault(name, data) == data
