"""The file names of the index: each name ends in a digest of the file's contents.

The shard ``t/7`` is written to ``t/7.k3jd9a.js``. A different build of the index uses a different
name, so a reader who has the root of one build gets either the file of that build or no file. The
root lists the digests. One digest for each file would make the root large, so neighbouring pages
share one digest (see ``page_groups``), and so do ``TERM_GROUP`` shards of terms: after an edit of
one of them, all their files get new names. No two groups of pages have the same digest, so a name
such as ``d/5-1.h2k4xq.js`` counts the pages of its group alone.
"""

from __future__ import annotations

import base64
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from perfnotes.search.constants import DIGEST_LENGTH, TERM_GROUP
from perfnotes.storage.digests import digest

_SHARING = {"t": TERM_GROUP}  # how many neighbours of a kind share a digest


def listing(contents: Mapping[str, str]) -> dict[str, str]:
    """Return the digests that the root lists, by the kind of shard, ``DIGEST_LENGTH`` letters each.

    ``contents`` maps the name of every shard but those of pages to the digest of its bytes.
    """
    groups: dict[str, dict[int, dict[str, str]]] = {}
    for name, content in contents.items():
        kind, at = place(name)
        groups.setdefault(kind, {}).setdefault(at, {})[name] = content
    return {
        kind: "".join(shared_digest(found[at]) for at in sorted(found))
        for kind, found in sorted(groups.items())
    }


def shared_digest(group: Mapping[str, str]) -> str:
    """Return the shared digest of a group, which maps names of shards to digests of their bytes."""
    whole = digest(*(part for pair in sorted(group.items()) for part in pair))
    return base64.b32encode(bytes.fromhex(whole[:8])).decode().lower()[:DIGEST_LENGTH]


def place(name: str) -> tuple[str, int]:
    """Return a shard's kind, and the position of its digest among those of its kind in the root."""
    kind, _, rest = name.partition("/")
    number = int(rest.partition("-")[0] or 0)
    return kind, number // _SHARING.get(kind, 1)


def file_name(name: str, listed: Mapping[str, str]) -> str:
    """Return a shard's file, relative to ``search/``. ``listed`` is the root's list of digests."""
    kind, at = place(name)
    return file_with(name, listed.get(kind, "")[at * DIGEST_LENGTH : (at + 1) * DIGEST_LENGTH])


def page_file_name(name: str, firsts: Sequence[int], listed: str) -> str:
    """Return the file of a page's shard, ``d/PAGE`` or ``d/PAGE-N``, relative to ``search/``.

    ``firsts`` are the first pages of the groups, ``listed`` the root's list of their digests.
    """
    page, dash, part = name.removeprefix("d/").partition("-")
    group = bisect_right(firsts, int(page)) - 1
    shared = listed[group * DIGEST_LENGTH : (group + 1) * DIGEST_LENGTH]
    return file_with(f"d/{int(page) - firsts[group]}{dash}{part}", shared)


def file_with(name: str, shared: str) -> str:
    """Return the file of a shard with this digest, relative to ``search/``."""
    return f"{name}.{shared}.js"
