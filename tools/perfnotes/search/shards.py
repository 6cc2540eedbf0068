"""The index as files: pages, terms, words for spelling, what filters need, and the root.

- ``d/12``, ``d/12-1``: a page with up to six of its blocks, so that a result takes one request;
- ``t/7``: a run of the sorted terms with their postings, and the names that begin with them;
- ``w/3``: words by their first letters, ``v/3``: by the letters behind the first, for typos;
- ``m``: language, type, topic, level and tags of every page;
- ``root``: the first term of each shard, and the twins.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote

from perfnotes.search.codec import (
    encode,
    encode_one,
    impact_of,
    number,
    pack,
    script,
    shared,
)
from perfnotes.search.document import Document
from perfnotes.search.index import Index
from perfnotes.search.prefixes import wide_prefixes

BLOCKS = 6  # of a page in one file
MOST_POSTINGS = 2000  # of a term; the strongest are kept
SHARD = 11_000  # characters, about 6 KB of gzip
_WORDS = 12_000


def files(documents: Iterable[Document]) -> Iterator[tuple[str, bytes]]:
    """Every file below ``search/``; the files of pages first, while the documents pass by."""
    index = Index()
    facets = _Facets()
    digest = hashlib.sha256()
    for document in documents:
        page = index.add(document)
        facets.add(document, page)
        for name, data in _page_files(document, page):
            digest.update(data)
            yield name, data
    bounds: list[str] = []
    for i, (first, shard) in enumerate(_term_shards(index)):
        bounds.append(first)
        packed = script(f"t/{i}", shard)
        digest.update(packed)
        yield f"t/{i}.js", packed
    words = sorted(_spelling(index))
    tails = sorted((word[1:], word[0]) for word, _ in words)
    spelling: dict[str, list[str]] = {"w": [], "v": []}
    rows = {"w": [(w, str(n)) for w, n in words], "v": tails}
    for kind, found in rows.items():
        for i, part in enumerate(_cut_words(found)):
            spelling[kind].append(part[0][0])
            pair = [pack([w for w, _ in part]), " ".join(x for _, x in part)]
            yield f"{kind}/{i}.js", script(f"{kind}/{i}", pair)
    packed = script("m", facets.data())
    digest.update(packed)
    yield "m.js", packed
    root = {
        "v": digest.hexdigest()[:8],
        "n": index.pages,
        "t": pack(bounds),
        "w": pack(spelling["w"]),
        "x": pack(spelling["v"]),
        "twins": "".join(facets.twins),
    }
    yield "root.js", script("root", root)


def _page_files(document: Document, page: int) -> Iterator[tuple[str, bytes]]:
    card = [document.id, _quoted(document.url), document.title, document.lang, document.type]
    blocks = [[b.anchor, b.heading, b.text or b.code] for b in document.blocks]
    last = ""
    for block, full in zip(blocks, document.blocks, strict=True):
        last = block[1] = full.heading or (last if full.anchor else "")
    many = -(-len(blocks) // BLOCKS) or 1
    for i in range(many):
        name = f"d/{page}-{i}" if i else f"d/{page}"
        part = blocks[i * BLOCKS : (i + 1) * BLOCKS]
        yield f"{name}.js", script(name, [*card, part, many])


def _quoted(url: str) -> str:
    path, mark, anchor = url.partition("#")
    return f"{quote(path, safe='/~+,@=.-_')}{mark}{quote(anchor)}"


def _term_shards(index: Index) -> Iterator[tuple[str, list[Any]]]:
    """The first key of each shard, as short as it can be, and the shard's data."""
    rows = _Rows(index)
    terms = sorted({*index.postings, *index.names})
    df = {term: rows.df(term) for term in terms}
    extra = wide_prefixes(terms, df, rows.strongest, SHARD)
    keys = sorted([*terms, *extra])
    sizes: list[int] = []
    texts: list[str] = []
    for key in keys:
        text = encode(extra[key]) if key in extra else rows.text(key)
        texts.append(text)
        sizes.append(len(text) + len(key) // 2 + 2 + rows.names_size(key))
    at = 0
    while at < len(keys):
        end = _cut(keys, sizes, at, SHARD)
        first = keys[at]
        if at:
            first = first[: shared(keys[at - 1], first) + 1]
        part = keys[at:end]
        long = {str(i): df[k] for i, k in enumerate(part) if df.get(k, 0) > MOST_POSTINGS}
        names = {key: rows.names(key) for key in part if key in index.names}
        yield first, [pack(part), " ".join(texts[at:end]), long, names]
        at = end


class _Rows:
    """Each term's line of a shard."""

    def __init__(self, index: Index) -> None:
        self.index = index

    def postings(self, term: str) -> Sequence[int]:
        found = self.index.postings.get(term, ())
        return (found,) if isinstance(found, int) else found

    def df(self, term: str) -> int:
        found = self.index.postings.get(term, ())
        return 1 if isinstance(found, int) else len(found)

    def strongest(self, term: str, most: int = MOST_POSTINGS) -> list[int]:
        """A term's best postings, the best first."""
        return sorted(self.postings(term), key=impact_of, reverse=True)[:most]

    def text(self, term: str) -> str:
        found = self.index.postings.get(term, ())
        if isinstance(found, int):
            return encode_one(found)
        return encode(found if len(found) <= MOST_POSTINGS else sorted(self.strongest(term)))

    def names(self, term: str) -> list[Any]:
        """``[key, pages with their ranks, other spellings]`` of each name."""
        return [
            [
                key,
                "".join(number(page * 2 + rank) for page, rank in sorted(exact.pages.items())),
                *([list(exact.spellings)] if exact.spellings else []),
            ]
            for key, exact in sorted(self.index.names[term].items())
        ]

    def names_size(self, term: str) -> int:
        names = self.index.names.get(term)
        if not names:
            return 0
        return sum(len(k) + 10 + sum(len(s) + 3 for s in e.spellings) for k, e in names.items())


def _cut(keys: list[str], sizes: list[int], at: int, target: int) -> int:
    """Where a shard that begins at ``at`` ends best: where neighbours have least in common."""
    total, end = 0, at
    best, least = 0, 99
    while end < len(keys):
        total += sizes[end]
        end += 1
        if end == len(keys):
            return end
        if total >= target * 0.75:
            same = shared(keys[end - 1], keys[end])
            if same < least:
                best, least = end, same
        if total >= target * 1.2:
            return best or end
    return end


def _spelling(index: Index) -> Iterator[tuple[str, int]]:
    """Words that a typo may have meant: those of two pages at least, or of a title."""
    rows = _Rows(index)
    for term in index.postings:
        if len(term) < 4 or not (term.isascii() and term.isalpha()) or len(term) > 24:
            continue
        df = rows.df(term)
        if df > 1 or term in index.titled:
            yield term, min(9, df.bit_length())


def _cut_words(rows: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Words in shards, cut where a first letter begins wherever it is not too long for one."""
    sizes = [len(word) // 2 + 4 for word, _ in rows]
    words = [word for word, _ in rows]
    at = 0
    while at < len(rows):
        end = _cut(words, sizes, at, _WORDS)
        yield rows[at:end]
        at = end


class _Facets:
    """What filters and counts need of every page, in runs, since neighbours are alike."""

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {k: [] for k in ("lang", "type", "topic", "level")}
        self._index: dict[str, dict[str, int]] = {k: {} for k in self.names}
        self.runs: dict[str, list[list[int]]] = {k: [] for k in self.names}
        self.tags: dict[str, list[int]] = {}
        self.twins: list[str] = []
        self._last_twin = 0

    def add(self, document: Document, page: int) -> None:
        for kind, names in self.names.items():
            value = getattr(document, kind)
            known = self._index[kind]
            if value not in known:
                known[value] = len(names)
                names.append(value)
            runs = self.runs[kind]
            if runs and runs[-1][0] == known[value]:
                runs[-1][1] += 1
            else:
                runs.append([known[value], 1])
        for tag in document.tags:
            self.tags.setdefault(tag, []).append(page)
        if document.is_twin:
            self.twins.append(number(page - self._last_twin))
            self._last_twin = page

    def data(self) -> dict[str, Any]:
        return {
            "names": self.names,
            "runs": {
                kind: "".join(number(n) for run in runs for n in run)
                for kind, runs in self.runs.items()
            },
            "tags": {
                tag: "".join(
                    number(page - before) for page, before in zip(pages, [0, *pages], strict=False)
                )
                for tag, pages in sorted(self.tags.items())
            },
        }
