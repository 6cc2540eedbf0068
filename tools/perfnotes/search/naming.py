"""The names of an index's files: each ends in a digest of its contents.

``t/7`` lies in ``t/7.k3jd9a.js``. No file of another index has this name, so whoever reads an index
by its root gets the file that belongs to it, or none. A digest for each page would make the root
large, so ``GROUP`` pages share one: an edit of a page gives their files new names, and the root
lists one digest for all of them.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping

from perfnotes.search.constants import DIGEST_LENGTH, GROUP
from perfnotes.storage.cache import digest


def listing(contents: Mapping[str, str]) -> dict[str, str]:
    """By kind of shard the digests that the root lists, ``DIGEST_LENGTH`` letters each.

    ``contents`` are digests of every shard's bytes by the shard's name.
    """
    groups: dict[str, dict[int, dict[str, str]]] = {}
    for name, content in contents.items():
        kind, at = place(name)
        groups.setdefault(kind, {}).setdefault(at, {})[name] = content
    return {
        kind: "".join(suffix(found[at]) for at in sorted(found))
        for kind, found in sorted(groups.items())
    }


def suffix(group: Mapping[str, str]) -> str:
    """The digest of shards that share one, from the digests of their bytes by their names."""
    whole = digest(*(part for pair in sorted(group.items()) for part in pair))
    return base64.b32encode(bytes.fromhex(whole[:8])).decode().lower()[:DIGEST_LENGTH]


def place(name: str) -> tuple[str, int]:
    """A shard's kind, and where the root's digests of this kind have its own."""
    kind, _, rest = name.partition("/")
    number = int(rest.partition("-")[0] or 0)
    return kind, number // GROUP if kind == "d" else number


def file_name(name: str, listed: Mapping[str, str]) -> str:
    """The file of a shard, below ``search/``, by what the root lists."""
    kind, at = place(name)
    return file_with(name, listed.get(kind, "")[at * DIGEST_LENGTH : (at + 1) * DIGEST_LENGTH])


def file_with(name: str, suffix: str) -> str:
    """The file of a shard with this digest."""
    return f"{name}.{suffix}.js"
