"""The index as files, called shards: pages, terms, words for corrections, facets, and the root.

- ``d/12``, ``d/12-1``: a page with up to six of its blocks, so that a result takes one request
  (see ``page_groups``);
- ``t/7``: a run of the sorted terms with their postings, and the names that begin with them;
- ``w/3``, ``v/3``: words for the correction of typos (see ``correction_words``);
- ``m``: language, type, topic, level and tags of every page, and the titles of topics and tags; if
  the shard is short, the root has a copy, so that filters and counts take no request;
- ``root``: the first term of each shard, the twins, and the digests in the other files' names.

The file of the root is always called ``root.js``; ``naming`` gives the names of the others.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct, field

from perfnotes.search.codec import number, pack, script
from perfnotes.search.constants import FORMAT
from perfnotes.search.correction_words import CorrectionWords
from perfnotes.search.document import SearchDocument
from perfnotes.search.edited_documents import EditedDocuments, compare
from perfnotes.search.facet_rows import FacetRows, facets_of
from perfnotes.search.general import OccurringNames, general_names, occurring_names
from perfnotes.search.index import ChangedTerms, Index
from perfnotes.search.naming import file_name, file_with, listing, place, shared_digest
from perfnotes.search.page_groups import PageFiles
from perfnotes.search.terms import TermRows
from perfnotes.storage.digests import content_digest, digest
from perfnotes.storage.garbage_collection import paused_garbage_collection

SHORT_FACETS = 4_000  # bytes after compression; the root has a copy of facets that are no longer


class IndexDifference(Struct, frozen=True):
    """How the files of an index differ after an edit.

    ``made`` maps new or changed files to their bytes. ``gone`` are the files to remove. ``renamed``
    maps new names of files with unchanged contents to the digests of these contents; a file with
    another name held them before.
    """

    made: dict[str, bytes]
    gone: set[str]
    renamed: dict[str, str]


class Shards(Struct):
    """An index as files. After an edit of some documents only the affected files are made again.

    ``documents`` are the indexed documents, in the order of their numbers. ``contents`` maps the
    name of each shard to the digest of its bytes, except for the shards of ``pages``. ``by_file``
    maps the name of each file to the digest of its bytes. The root is in neither.
    """

    index: Index = field(default_factory=Index)
    terms: TermRows = field(default_factory=TermRows)
    documents: list[SearchDocument] = field(default_factory=list)
    pages: PageFiles = field(default_factory=PageFiles)
    contents: dict[str, str] = field(default_factory=dict)
    by_file: dict[str, str] = field(default_factory=dict)
    corrections: CorrectionWords = field(default_factory=CorrectionWords)
    twins: str = ""
    symptoms: str = ""
    facets: dict[str, Any] = field(default_factory=dict)  # the data of ``m``
    subjects: int = 0  # the first document of a subject without a note; 0 if there is none
    occurring: OccurringNames | None = None  # names of the general glossary, once looked for

    def files(self, documents: Iterable[SearchDocument]) -> Iterator[tuple[str, bytes]]:
        """Index the documents and yield every file below ``search/`` with its bytes.

        The files of pages come first, while ``documents`` is being read.
        """
        with paused_garbage_collection():
            yield from self._files(documents)

    def _files(self, documents: Iterable[SearchDocument]) -> Iterator[tuple[str, bytes]]:
        yield from self.pages.files(self._added(documents))
        self._update_facets()
        self._update_general_names()
        yield from self._record(self._terms(None))
        words = {term: many for term in self.index.postings if (many := self._commonness(term))}
        yield from self._record(self.corrections.shards(words))
        yield from self._record([("m", self.facets)])
        yield "root.js", self._root(listing(self.contents))

    def _added(self, documents: Iterable[SearchDocument]) -> Iterator[SearchDocument]:
        for document in documents:
            self.index.add(document)
            self.documents.append(document)
            yield document

    def update(self, documents: Sequence[SearchDocument]) -> IndexDifference:
        """Index other documents instead, and return how the files differ.

        Documents that are the same keep their postings and their files.
        """
        before, edited = self.by_file, compare(self.documents, documents)
        pages = self.pages.update(self.documents, documents)
        self.documents = list(documents)
        made = self._replace(edited)
        self.contents |= {name: content_digest(data) for name, data in made.items()}
        listed = listing(self.contents)
        root = self._root(listed)
        after = self.by_file
        files = pages | {file_name(name, listed): data for name, data in made.items()}
        renamed = {file: after[file] for file in after.keys() - before.keys() - files.keys()}
        return IndexDifference({**files, "root.js": root}, before.keys() - after.keys(), renamed)

    def _replace(self, edited: EditedDocuments) -> dict[str, bytes]:
        """Index the edited documents; return the shards to write, but for those of pages."""
        changed = self.index.update(edited, self.documents)
        pairs = edited.pairs
        same = self.occurring and self.occurring.still_occur(self.index, changed.moved)
        if not same or any(_groups(a) != _groups(b) for a, b in pairs):
            changed.named |= self._update_general_names()
        had = len(self.terms.runs)
        made = {name: script(name, data) for name, data in self._terms(changed)}
        self._drop(f"t/{i}" for i in range(len(self.terms.runs), had))
        had_words = self.corrections.names
        words = {term: self._commonness(term) for term in changed.terms}
        made |= {name: script(name, data) for name, data in self.corrections.update(words)}
        self._drop(had_words - self.corrections.names)
        is_renumbered = edited.first_renumbered < len(edited.numbers)
        if is_renumbered or any(
            a is None or b is None or facets_of(a) != facets_of(b) for a, b in pairs
        ):
            self._update_facets()
            made["m"] = script("m", self.facets)
        return made

    def _update_facets(self) -> None:
        """Record the facets, and which documents are twins, symptoms or subjects without a note."""
        facets = FacetRows()
        for page, document in enumerate(self.documents):
            facets.add(document, page)
        self.facets = facets.data()
        self.twins, self.symptoms = "".join(facets.twins), "".join(map(number, facets.symptoms))
        self.subjects = facets.subjects

    def _update_general_names(self) -> set[str]:
        """Look for names of the general glossary; return the terms whose names have changed."""
        self.occurring = occurring_names(self.index)
        before, after = self.index.general, general_names(self.index, self.occurring)
        self.index.general = after
        return {
            term for term in before.keys() | after.keys() if before.get(term) != after.get(term)
        }

    def _drop(self, names: Iterable[str]) -> None:
        """Forget shards that the index has no more."""
        for name in names:
            self.contents.pop(name, None)

    def _record(self, shards: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, bytes]]:
        """Yield the files of shards, and record the digests of their bytes.

        Neighbours that share a digest must follow each other.
        """
        for _, group in groupby(shards, key=lambda shard: place(shard[0])):
            files = {name: script(name, data) for name, data in group}
            contents = {name: content_digest(data) for name, data in files.items()}
            self.contents |= contents
            shared = shared_digest(contents)
            for name, data in files.items():
                yield file_with(name, shared), data

    def _terms(self, changed: ChangedTerms | None) -> Iterator[tuple[str, list[Any]]]:
        """Yield the name and data of each shard of terms to write (see ``TermRows.shards``)."""
        for i, shard in self.terms.shards(self.index, changed):
            yield f"t/{i}", shard

    def _commonness(self, term: str) -> int:
        """Return how common a word is, 1 to 9, or 0 if it is not offered as a correction.

        A correction has 4 to 24 ASCII letters and is on at least two pages, or in a title or
        heading. The result is the bit length of the number of pages, at most 9.
        """
        if len(term) < 4 or not (term.isascii() and term.isalpha()) or len(term) > 24:
            return 0
        found = self.index.postings.get(term, ())
        df = 1 if isinstance(found, int) else len(found)
        return min(9, df.bit_length()) if df > 1 or (df and term in self.index.titled) else 0

    def _root(self, listed: Mapping[str, str]) -> bytes:
        """Return the root, which a reader loads first, and record ``by_file``.

        ``listed`` are the digests in the names of the files, except those of pages.
        """
        self.by_file = self.pages.by_file()
        self.by_file |= {file_name(name, listed): c for name, c in self.contents.items()}
        listed = {"d": "".join(self.pages.digests), **listed}
        root = {
            "format": FORMAT,
            "v": digest(*(part for pair in listed.items() for part in pair))[:8],
            "files": listed,
            "groups": self.pages.counts,
            "n": self.index.pages,
            "t": pack([run.bound for run in self.terms.runs]),
            "w": pack(self.corrections.bounds["w"]),
            "x": pack(self.corrections.bounds["v"]),
            "twins": self.twins,
            "symptoms": self.symptoms,
            "subjects": self.subjects,
        }
        if len(zlib.compress(json.dumps(self.facets).encode())) <= SHORT_FACETS:
            root["m"] = self.facets
        return script("root", root)


def _groups(document: SearchDocument | None) -> tuple[tuple[str, ...], ...]:
    return document.groups if document else ()
