"""Files for reading offline: the site's service worker, and the search index in one file.

The worker's version is a hash of everything that the site is made from. So after a new build, the
worker drops the files of the old site. A large index is not offered as one file: the worker then
keeps the search script, the root and facets of the index, and what the reader's searches used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

from perfnotes.graph.site import Site
from perfnotes.site.pages.results import SECTION as RESULTS
from perfnotes.site.scripts import worker_script
from perfnotes.storage.digests import content_digest, digest

INDEX, WORKER = "search/offline.json", "sw.js"
_MOST = 16_000_000  # bytes of an index that is offered as one file; two fifths after gzip


def closings(
    site: Site, files: Mapping[str, bytes], dropped: Mapping[str, str]
) -> Iterator[tuple[str, bytes]]:
    shards = {p: d for p, d in files.items() if p.startswith("search/") and p.endswith(".js")}
    whole = is_small(sum(map(len, shards.values())))
    digests = {path: content_digest(data) for path, data in files.items()} | {**dropped}
    site.derived(staged_digests).update(digests)
    if whole:
        yield INDEX, packed({path: data.decode() for path, data in shards.items()})
    yield WORKER, worker(site, digests, whole=whole)


def staged_digests(site: Site) -> dict[str, str]:
    """Return a store for the digests of staged files, by path; ``site.derived`` keeps it.

    It is empty until ``closings`` has filled it. Files that ``closings`` functions make are not in
    it.
    """
    del site
    return {}


def is_small(size: int) -> bool:
    """Return whether an index of ``size`` bytes is offered as one file."""
    return size <= _MOST


def packed(shards: Mapping[str, str]) -> bytes:
    """Return all files of an index as one JSON object, by path."""
    return _joined({path: _member(path, text) for path, text in shards.items()})


def repacked(before: bytes, shards: Iterable[str], changed: Mapping[str, str]) -> bytes:
    """Return ``packed`` of an index after an edit.

    ``shards`` are the paths of its files, ``changed`` the texts of those that are not in
    ``before``, which is what ``packed`` returned for the index as it was. All others are copied
    as they stand there, since reading and writing several MB of JSON takes longer than the rest.
    """
    members = dict(_members(before))
    members |= {path: _member(path, text) for path, text in changed.items()}
    return _joined({path: members[path] for path in shards})


def _member(path: str, text: str) -> bytes:
    return f"{_json(path)}:{_json(text)}".encode()


def _json(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _joined(members: Mapping[str, bytes]) -> bytes:
    return b"{%b}" % b",".join(members[path] for path in sorted(members))


def _members(whole: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield each path with its member of a JSON object that ``packed`` returned."""
    # Within a JSON string each quotation mark follows a backslash, so these bytes begin a member.
    begin = b',"search/'
    at = 1 if len(whole) > len("{}") else 0
    while at > 0:
        end = whole.find(begin, at)
        member = whole[at : end if end > 0 else -1]
        yield member[1 : member.index(b'":')].decode(), member
        at = end + 1


def worker(site: Site, digests: Mapping[str, str], *, whole: bool) -> bytes:
    """Return the service worker's script.

    ``digests`` are those of the site's other files. ``whole`` says that the index is one file.
    """
    # One part for all files: a hash of thousands of parts takes five times as long.
    parts = ["\n".join(f"{digests[path]} {path}" for path in sorted(digests))]
    for theme in site.settings.themes:
        for file in sorted(f for f in Path(theme).rglob("*") if f.is_file()):
            parts.append(content_digest(file.read_bytes()))
    facets = next((path for path in digests if path.startswith("search/m.")), "")
    settings = {
        "version": digest(*parts)[:12],
        "index": whole,
        "facets": facets,
        "results": [quote(RESULTS.url(site, lang)) for lang in site.library.languages],
    }
    return worker_script(json.dumps(settings)).encode()
