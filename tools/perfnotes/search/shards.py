"""The index as files: pages, terms, words for spelling, what filters need, and the root.

- ``d/12``, ``d/12-1``: a page with up to six of its blocks, so that a result takes one request;
- ``t/7``: a run of the sorted terms with their postings, and the names that begin with them;
- ``w/3``: words by their first letters, ``v/3``: by the letters behind the first, for typos;
- ``m``: language, type, topic, level and tags of every page;
- ``root``: the first term of each shard, the twins, and the digests that end the others' names.

The root alone keeps its name, ``root.js``; see ``naming`` for the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from perfnotes.search.codec import number, pack, script
from perfnotes.search.constants import BLOCKS, FORMAT, GROUP
from perfnotes.search.document import Document
from perfnotes.search.index import Index
from perfnotes.search.naming import file_name, file_with, listing, suffix
from perfnotes.search.terms import Terms, cut
from perfnotes.storage.cache import content_digest, digest

_WORDS = 12_000


@dataclass(frozen=True)
class Difference:
    """What is different in an index: the files that are ``made``, those that are ``gone``, and
    those that hold what another held before, each with the digest of its bytes."""

    made: dict[str, bytes]
    gone: set[str]
    renamed: dict[str, str]


@dataclass
class Shards:
    """An index as files, which can be made anew for single documents.

    ``numbers`` are those of the documents by language, type and id (less than nothing where several
    share these), ``contents`` the digests of the shards' bytes by the shards' names.
    """

    index: Index = field(default_factory=Index)
    terms: Terms = field(default_factory=Terms)
    numbers: dict[tuple[str, str, str], int] = field(default_factory=dict)
    contents: dict[str, str] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)  # that a typo may have meant
    bounds: dict[str, list[str]] = field(default_factory=dict)  # of the shards of words
    twins: str = ""

    def files(self, documents: Iterable[Document]) -> Iterator[tuple[str, bytes]]:
        """Every file below ``search/``; those of pages first, while the documents pass by."""
        facets = _Facets()
        group: dict[str, bytes] = {}
        for document in documents:
            page = self.index.add(document)
            name = _name(document)
            self.numbers[name] = -1 if name in self.numbers else page
            facets.add(document, page)
            group |= _page_shards(document, page)
            if page % GROUP == GROUP - 1:
                yield from self._noted_group(group)
                group = {}
        yield from self._noted_group(group)
        self.twins = "".join(facets.twins)
        yield from self._noted(self._terms(None))
        self.words = {term: many for term in self.index.postings if (many := self._word(term))}
        yield from self._noted(self._spelling())
        yield from self._noted([("m", facets.data())])
        yield "root.js", self._root()

    def again(self, changes: Iterable[tuple[Document, Document]]) -> Difference | None:
        """What is different with each second document in the place of the first.

        None where more than the text of a document has changed: then everything is to be indexed
        anew.
        """
        before = self.named()
        made: dict[str, bytes] = {}
        changed: set[str] = set()
        for old, new in changes:
            page = self.numbers.get(_name(old), -1)
            if page < 0 or replace(old, blocks=()) != replace(new, blocks=()):
                return None
            terms = self.index.replace(page, old, new)
            if terms is None:
                return None
            changed |= terms
            self._drop(_page_shards(old, page))
            made |= _page_shards(new, page)
        had = len(self.terms.runs)
        made |= {name: script(name, data) for name, data in self._terms(changed)}
        self._drop(f"t/{i}" for i in range(len(self.terms.runs), had))
        words = {term: self._word(term) for term in changed}
        if any(self.words.get(term, 0) != many for term, many in words.items()):
            self.words = {term: many for term, many in (self.words | words).items() if many}
            self._drop([name for name in self.contents if name[0] in "wv"])
            made |= {name: script(name, data) for name, data in self._spelling()}
        self.contents |= {name: content_digest(data) for name, data in made.items()}
        listed = listing(self.contents)
        after = self.named(listed)
        files = {file_name(name, listed): data for name, data in made.items()}
        renamed = {file: after[file] for file in after.keys() - before.keys() - files.keys()}
        return Difference({**files, "root.js": self._root()}, before.keys() - after.keys(), renamed)

    def named(self, listed: Mapping[str, str] | None = None) -> dict[str, str]:
        """The digest of the bytes of every file but the root, by the file's name."""
        listed = listing(self.contents) if listed is None else listed
        return {file_name(name, listed): content for name, content in self.contents.items()}

    def _drop(self, names: Iterable[str]) -> None:
        for name in names:
            self.contents.pop(name, None)

    def _noted(self, shards: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, bytes]]:
        """The file of each shard that shares its digest with no other."""
        for name, data in shards:
            yield from self._noted_group({name: script(name, data)})

    def _noted_group(self, group: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
        """The files of shards that share a digest."""
        contents = {name: content_digest(data) for name, data in group.items()}
        self.contents |= contents
        shared = suffix(contents)
        for name, data in group.items():
            yield file_with(name, shared), data

    def _terms(self, changed: set[str] | None) -> Iterator[tuple[str, list[Any]]]:
        for i, shard in self.terms.shards(self.index, changed):
            yield f"t/{i}", shard

    def _word(self, term: str) -> int:
        """How common a word is that a typo may have meant: one of two pages, or of a title."""
        if len(term) < 4 or not (term.isascii() and term.isalpha()) or len(term) > 24:
            return 0
        found = self.index.postings.get(term, ())
        df = 1 if isinstance(found, int) else len(found)
        return min(9, df.bit_length()) if df > 1 or (df and term in self.index.titled) else 0

    def _spelling(self) -> Iterator[tuple[str, list[str]]]:
        """The words in shards: by how they begin, and by the letters behind the first."""
        words = sorted(self.words)
        rows = {
            "w": [(word, str(self.words[word])) for word in words],
            "v": sorted((word[1:], word[0]) for word in words),
        }
        for kind, found in rows.items():
            parts = list(_cut_words(found))
            self.bounds[kind] = [part[0][0] for part in parts]
            for i, part in enumerate(parts):
                pair = [pack([word for word, _ in part]), " ".join(more for _, more in part)]
                yield f"{kind}/{i}", pair

    def _root(self) -> bytes:
        """The first of all files: where what is found, and of which index."""
        listed = listing(self.contents)
        root = {
            "format": FORMAT,
            "v": digest(*(part for pair in listed.items() for part in pair))[:8],
            "files": listed,
            "n": self.index.pages,
            "t": pack([run.bound for run in self.terms.runs]),
            "w": pack(self.bounds["w"]),
            "x": pack(self.bounds["v"]),
            "twins": self.twins,
        }
        return script("root", root)


def _name(document: Document) -> tuple[str, str, str]:
    return document.lang, document.type, document.id


def _page_shards(document: Document, page: int) -> dict[str, bytes]:
    card = [document.id, _quoted(document.url), document.title, document.lang, document.type]
    blocks = [[b.anchor, b.heading, b.text or b.code] for b in document.blocks]
    last = ""
    for block, full in zip(blocks, document.blocks, strict=True):
        last = block[1] = full.heading or (last if full.anchor else "")
    many = -(-len(blocks) // BLOCKS) or 1
    found = {}
    for i in range(many):
        name = f"d/{page}-{i}" if i else f"d/{page}"
        found[name] = script(name, [*card, blocks[i * BLOCKS : (i + 1) * BLOCKS], many])
    return found


def _quoted(url: str) -> str:
    path, mark, anchor = url.partition("#")
    return f"{quote(path, safe='/~+,@=.-_')}{mark}{quote(anchor)}"


def _cut_words(rows: list[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Words in shards, cut where a first letter begins wherever it is not too long for one."""
    sizes = [len(word) // 2 + 4 for word, _ in rows]
    words = [word for word, _ in rows]
    at = 0
    while at < len(rows):
        end = cut(words, sizes, at, _WORDS)
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
