"""The files of pages, ``d/…``: the card and the blocks of each page, in groups that share a digest.

Where a group ends depends only on the names of its pages. The name of a file has the place of the
page in its group, not its number in the index. So if a page is added or removed, only its own group
gets other files, although the numbers of all pages after it change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import quote
from zlib import crc32

from msgspec import Struct, field

from perfnotes.search.codec import number, script
from perfnotes.search.constants import BLOCKS
from perfnotes.search.document import SearchDocument
from perfnotes.search.naming import file_with, shared_digest
from perfnotes.storage.digests import content_digest

# The least and the greatest number of pages of a group. Of the pages after the first LEAST, on
# average one in _CHANCE begins the next group.
LEAST, MOST, _CHANCE = 28, 59, 16


class PageGroup(Struct):
    """A group of neighbouring pages; ``contents`` maps its shards to the digests of their bytes."""

    pages: int
    contents: dict[str, str]


class PageFiles(Struct):
    """The groups of all pages, and for each group the digest in the names of its files."""

    groups: list[PageGroup] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)

    @property
    def counts(self) -> str:
        """The encoded number of pages of each group."""
        return "".join(number(group.pages) for group in self.groups)

    def by_file(self) -> dict[str, str]:
        """Return the digest of each file's bytes by its name."""
        return {
            file_with(name, shared): content
            for group, shared in zip(self.groups, self.digests, strict=True)
            for name, content in group.contents.items()
        }

    def files(self, documents: Iterable[SearchDocument]) -> Iterator[tuple[str, bytes]]:
        """Yield every file with its bytes, group by group, while ``documents`` is read."""
        for group in _groups(documents):
            made = {
                name: data
                for place, document in enumerate(group)
                for name, data in _page_shards(document, place).items()
            }
            contents = {name: content_digest(data) for name, data in made.items()}
            shared = self._add(PageGroup(len(group), contents))
            for name, data in made.items():
                yield file_with(name, shared), data

    def update(
        self, before: Sequence[SearchDocument], documents: Sequence[SearchDocument]
    ) -> dict[str, bytes]:
        """Replace the documents ``before`` by ``documents``; return the files with new contents."""
        known: dict[tuple[str, ...], tuple[PageGroup, Sequence[SearchDocument]]] = {}
        at = 0
        for group in self.groups:
            pages = before[at : at + group.pages]
            known[pages[0].name] = group, pages
            at += group.pages
        self.groups, self.digests = [], []
        files: dict[str, bytes] = {}
        for after in _groups(documents):
            group, pages = known.get(after[0].name, (PageGroup(0, {}), ()))
            made: dict[str, bytes] = {}
            if len(pages) != len(after) or any(map(_differ, pages, after)):
                group, made = _renewed(group, pages, after)
            shared = self._add(group)
            files |= {file_with(name, shared): data for name, data in made.items()}
        return files

    def _add(self, group: PageGroup) -> str:
        """Add a group and return the digest in its files' names, which no other group has."""
        shared, salt = shared_digest(group.contents), 0
        while shared in self.digests:
            salt += 1
            shared = shared_digest({**group.contents, "": str(salt)})
        self.groups.append(group)
        self.digests.append(shared)
        return shared


def _groups(documents: Iterable[SearchDocument]) -> Iterator[list[SearchDocument]]:
    """Yield the documents in groups of ``LEAST`` to ``MOST``; the last group may be smaller."""
    group: list[SearchDocument] = []
    for document in documents:
        if len(group) >= LEAST and (len(group) == MOST or _begins_group(document)):
            yield group
            group = []
        group.append(document)
    if group:
        yield group


def _begins_group(document: SearchDocument) -> bool:
    return not crc32("\0".join(document.name).encode()) % _CHANCE


def _differ(one: SearchDocument, other: SearchDocument) -> bool:
    return one is not other and one != other


def _renewed(
    group: PageGroup, pages: Sequence[SearchDocument], after: Sequence[SearchDocument]
) -> tuple[PageGroup, dict[str, bytes]]:
    """Return the group with ``after`` instead of ``pages``, and the shards that changed."""
    contents: dict[str, str] = {}
    made: dict[str, bytes] = {}
    for place, document in enumerate(after):
        if place < len(pages) and not _differ(pages[place], document):
            names = [_shard_name(place, i) for i in range(_shard_count(document))]
            contents |= {name: group.contents[name] for name in names}
        else:
            shards = _page_shards(document, place)
            made |= shards
            contents |= {name: content_digest(data) for name, data in shards.items()}
    return PageGroup(len(after), contents), made


def _page_shards(document: SearchDocument, place: int) -> dict[str, bytes]:
    """Return the shards of the page with this place in its group."""
    card = [document.id, _quoted(document.url), document.title, document.lang, document.type]
    blocks: list[list[Any]] = [[b.anchor, b.heading, b.text or b.code] for b in document.blocks]
    last = ""
    for block, full in zip(blocks, document.blocks, strict=True):
        last = block[1] = full.heading or (last if full.anchor else "")
    many = _shard_count(document)
    found = {}
    for i in range(many):
        name = _shard_name(place, i)
        found[name] = script(name, [*card, blocks[i * BLOCKS : (i + 1) * BLOCKS], many])
    return found


def _shard_count(document: SearchDocument) -> int:
    """Return over how many shards the blocks of a page are spread."""
    return -(-len(document.blocks) // BLOCKS) or 1


def _shard_name(place: int, part: int) -> str:
    return f"d/{place}-{part}" if part else f"d/{place}"


def _quoted(url: str) -> str:
    """Return an address with percent signs for characters that an address cannot hold."""
    path, mark, anchor = url.partition("#")
    return f"{quote(path, safe='/~+,@=.-_')}{mark}{quote(anchor)}"
