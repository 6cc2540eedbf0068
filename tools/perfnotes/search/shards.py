"""The index as files, called shards: pages, terms, words for corrections, facets, and the root.

- ``d/12``, ``d/12-1``: a page with up to six of its blocks, so that a result takes one request;
- ``t/7``: a run of the sorted terms with their postings, and the names that begin with them;
- ``w/3``: words sorted by their first letters, for the correction of typos;
- ``v/3``: the same words without their first letter, for typos in that letter;
- ``m``: language, type, topic, level and tags of every page, and the titles of topics and tags;
  where they are short, the root has them too, so that filters and counts take no request;
- ``root``: the first term of each shard, the twins, and the digests in the other files' names.

The file of the root is always called ``root.js``; ``naming`` gives the names of the others.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from urllib.parse import quote

from perfnotes.search.codec import number, pack, script
from perfnotes.search.constants import BLOCKS, FORMAT, GROUP
from perfnotes.search.document import SearchDocument
from perfnotes.search.general import general_forms, general_names
from perfnotes.search.index import Index
from perfnotes.search.naming import file_name, file_with, listing, place, suffix
from perfnotes.search.terms import TermRows, cut
from perfnotes.storage.digests import content_digest, digest

_WORDS = 12_000
SHORT_FACETS = 4_000  # bytes after compression, up to which the root has the facets too
_TITLED = ("topic", "tag")  # the types of documents that say what a value of a facet is called


@dataclass(frozen=True)
class Difference:
    """How the files of an index differ after an edit.

    ``made`` maps new or changed files to their bytes. ``gone`` are the files to remove. ``renamed``
    maps new names of files with unchanged contents to the digests of these contents; a file with
    another name held them before.
    """

    made: dict[str, bytes]
    gone: set[str]
    renamed: dict[str, str]


@dataclass
class Shards:
    """An index as files. After an edit of some documents only the affected files are made again.

    ``documents`` are those that are indexed, in the order of their numbers. ``contents`` maps the
    name of a shard to the digest of its bytes, ``by_file`` the name of its file. The root is in
    neither.
    """

    index: Index = field(default_factory=Index)
    terms: TermRows = field(default_factory=TermRows)
    documents: list[SearchDocument] = field(default_factory=list)
    contents: dict[str, str] = field(default_factory=dict)
    by_file: dict[str, str] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)  # corrections → how common they are
    bounds: dict[str, list[str]] = field(default_factory=dict)  # first words of the shards w and v
    twins: str = ""
    symptoms: str = ""
    facets: dict[str, Any] = field(default_factory=dict)  # the data of ``m``
    subjects: int = 0  # the first document of what no note is about; 0 if there is none
    general: frozenset[str] = frozenset()  # the terms whose pages decide on general names

    def files(self, documents: Iterable[SearchDocument]) -> Iterator[tuple[str, bytes]]:
        """Index the documents and yield every file below ``search/`` with its bytes.

        The files of pages come first, while ``documents`` is being read.
        """
        yield from self._record_pages(self._added(documents))
        yield from self._after_pages()

    def _added(self, documents: Iterable[SearchDocument]) -> Iterator[SearchDocument]:
        for document in documents:
            self.index.add(document)
            self.documents.append(document)
            yield document

    def _record_pages(self, documents: Iterable[SearchDocument]) -> Iterator[tuple[str, bytes]]:
        group: dict[str, bytes] = {}
        for page, document in enumerate(documents):
            group |= _page_shards(document, page)
            if page % GROUP == GROUP - 1:
                yield from self._record_group(group)
                group = {}
        yield from self._record_group(group)

    def _after_pages(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files that are made when all documents are indexed."""
        facets = self._facets()
        self._take_relations(facets)
        self._take_general_names()
        yield from self._record(self._terms(None))
        self.words = {term: many for term in self.index.postings if (many := self._word(term))}
        yield from self._record(self._spelling())
        yield from self._record([("m", self.facets)])
        yield "root.js", self._root(listing(self.contents))

    def update(self, documents: Sequence[SearchDocument]) -> Difference:
        """Index other documents instead, and return how the files differ.

        Documents that are the same keep their postings. Where documents came or went, all others
        have new numbers, so every file is made again.
        """
        before = self.by_file
        if [_name(d) for d in documents] == [_name(d) for d in self.documents]:
            made = self._replace(documents)
        else:
            made = self._renumber(documents)
        listed = listing(self.contents)
        root = self._root(listed)
        after = self.by_file
        files = {file_name(name, listed): data for name, data in made.items()}
        renamed = {file: after[file] for file in after.keys() - before.keys() - files.keys()}
        return Difference({**files, "root.js": root}, before.keys() - after.keys(), renamed)

    def _replace(self, documents: Sequence[SearchDocument]) -> dict[str, bytes]:
        """Exchange documents for others with the same identities; return the files to write."""
        made: dict[str, bytes] = {}
        changed: set[str] = set()
        moved: set[str] = set()
        is_renamed = has_other_facets = False
        old_documents, self.documents = self.documents, list(documents)
        for page, (old, new) in enumerate(zip(old_documents, documents, strict=True)):
            if old == new:
                continue
            found = self.index.replace(page, old, new)
            changed |= found.terms
            moved |= found.moved
            is_renamed |= (old.names, old.groups, old.title) != (new.names, new.groups, new.title)
            has_other_facets |= _facets_of(old) != _facets_of(new)
            self._drop(_page_shards(old, page))
            made |= _page_shards(new, page)
        named = self.index.rename(old_documents, documents) if is_renamed else set()
        if is_renamed or moved & self.general:
            named |= self._take_general_names()
        had = len(self.terms.runs)
        made |= {name: script(name, data) for name, data in self._terms(changed | named)}
        self._drop(f"t/{i}" for i in range(len(self.terms.runs), had))
        words = {term: self._word(term) for term in changed}
        if any(self.words.get(term, 0) != many for term, many in words.items()):
            self.words = {term: many for term, many in (self.words | words).items() if many}
            self._drop([name for name in self.contents if name[0] in "wv"])
            made |= {name: script(name, data) for name, data in self._spelling()}
        if has_other_facets:
            facets = self._facets()
            self._take_relations(facets)
            made["m"] = script("m", self.facets)
        self.contents |= {name: content_digest(data) for name, data in made.items()}
        return made

    def _renumber(self, documents: Sequence[SearchDocument]) -> dict[str, bytes]:
        """Exchange all documents; return the files whose names or contents are new."""
        before, self.contents, self.terms = self.contents, {}, TermRows()
        self.index.renumber(self.documents, documents)
        self.documents = list(documents)
        names = dict(self._record_pages(documents))
        names |= self._after_pages()
        listed = listing(self.contents)
        return {
            name: names[file_name(name, listed)]
            for name, content in self.contents.items()
            if before.get(name) != content
        }

    def _facets(self) -> _Facets:
        facets = _Facets()
        for page, document in enumerate(self.documents):
            facets.add(document, page)
        return facets

    def _take_relations(self, facets: _Facets) -> None:
        """Record the facets, and which documents are twins, symptoms and subjects without a note.

        The root needs these.
        """
        self.facets = facets.data()
        self.twins, self.symptoms = "".join(facets.twins), "".join(map(number, facets.symptoms))
        self.subjects = facets.subjects

    def _take_general_names(self) -> set[str]:
        """Take names from the general glossary; return the terms whose names are different now."""
        before, self.index.general = self.index.general, general_names(self.index)
        self.general = general_forms()
        after = self.index.general
        return {
            term for term in before.keys() | after.keys() if before.get(term) != after.get(term)
        }

    def _drop(self, names: Iterable[str]) -> None:
        for name in names:
            self.contents.pop(name, None)

    def _record(self, shards: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, bytes]]:
        """Yield the files of shards, and record the digests of their bytes.

        Neighbours that share a digest must follow each other.
        """
        for _, group in groupby(shards, key=lambda shard: place(shard[0])):
            yield from self._record_group({name: script(name, data) for name, data in group})

    def _record_group(self, group: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
        """Yield the files of shards that share a digest, and record the digests of their bytes."""
        contents = {name: content_digest(data) for name, data in group.items()}
        self.contents |= contents
        shared = suffix(contents)
        for name, data in group.items():
            yield file_with(name, shared), data

    def _terms(self, changed: set[str] | None) -> Iterator[tuple[str, list[Any]]]:
        for i, shard in self.terms.shards(self.index, changed):
            yield f"t/{i}", shard

    def _word(self, term: str) -> int:
        """Return how common a word is, 1 to 9, or 0 if it is not offered as a correction.

        A correction has 4 to 24 ASCII letters and is on at least two pages, or in a title or
        heading. The result is the bit length of the number of pages, at most 9.
        """
        if len(term) < 4 or not (term.isascii() and term.isalpha()) or len(term) > 24:
            return 0
        found = self.index.postings.get(term, ())
        df = 1 if isinstance(found, int) else len(found)
        return min(9, df.bit_length()) if df > 1 or (df and term in self.index.titled) else 0

    def _spelling(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the shards ``w/…`` and ``v/…`` and record their first words in ``bounds``."""
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

    def _root(self, listed: Mapping[str, str]) -> bytes:
        """Return the root, which a reader loads first: it says which file holds what.

        ``listed`` are the digests of the contents, which name the files from now on.
        """
        self.by_file = {file_name(name, listed): c for name, c in self.contents.items()}
        root = {
            "format": FORMAT,
            "v": digest(*(part for pair in listed.items() for part in pair))[:8],
            "files": listed,
            "n": self.index.pages,
            "t": pack([run.bound for run in self.terms.runs]),
            "w": pack(self.bounds["w"]),
            "x": pack(self.bounds["v"]),
            "twins": self.twins,
            "symptoms": self.symptoms,
            "subjects": self.subjects,
        }
        if len(zlib.compress(json.dumps(self.facets).encode())) <= SHORT_FACETS:
            root["m"] = self.facets
        return script("root", root)


def _name(document: SearchDocument) -> tuple[str, ...]:
    return document.lang, document.type, document.id, document.symptom


def _facets_of(document: SearchDocument) -> tuple[object, ...]:
    """Return what the facets and the list of twins say of a document."""
    title = document.title if document.type in _TITLED else ""
    shown = document.topic, document.level, document.tags, document.is_twin
    return *shown, title, document.symptom


def _page_shards(document: SearchDocument, page: int) -> dict[str, bytes]:
    card = [document.id, _quoted(document.url), document.title, document.lang, document.type]
    blocks: list[list[Any]] = [[b.anchor, b.heading, b.text or b.code] for b in document.blocks]
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
    """Cut sorted words into shards, where neighbouring words share least (see ``cut``)."""
    sizes = [len(word) // 2 + 4 for word, _ in rows]
    words = [word for word, _ in rows]
    at = 0
    while at < len(rows):
        end = cut(words, sizes, at, _WORDS)
        yield rows[at:end]
        at = end


class _Facets:
    """The facets of every page, for filters and counts.

    Neighbouring pages mostly have equal values, so a value is written with the number of pages in
    a row that have it.
    """

    def __init__(self) -> None:
        self.names: dict[str, list[str]] = {k: [] for k in ("lang", "type", "topic", "level")}
        self._index: dict[str, dict[str, int]] = {k: {} for k in self.names}
        self.runs: dict[str, list[list[int]]] = {k: [] for k in self.names}
        self.tags: dict[str, list[int]] = {}
        self.titles: dict[str, dict[str, dict[str, str]]] = {kind: {} for kind in _TITLED}
        self.twins: list[str] = []
        self._last_twin = 0
        # How many documents are none, then how many are symptoms of the note before, and so on.
        self.symptoms: list[int] = [0]
        self.subjects = 0

    def add(self, document: SearchDocument, page: int) -> None:
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
        if document.type in _TITLED:
            value = document.topic if document.type == "topic" else document.tags[0]
            self.titles[document.type].setdefault(value, {})[document.lang] = document.title
        if bool(document.symptom) != (len(self.symptoms) % 2 == 0):
            self.symptoms.append(0)
        self.symptoms[-1] += 1
        if document.symptom and document.type != "note":
            self.subjects = self.subjects or page
        if document.is_twin:
            self.twins.append(number(page - self._last_twin))
            self._last_twin = page

    def data(self) -> dict[str, Any]:
        return {
            "names": self.names,
            "titles": self.titles,
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
