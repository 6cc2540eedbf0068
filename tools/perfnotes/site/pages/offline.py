"""Files for reading offline: the site's service worker, and the search index in one file.

The worker's version is a hash of everything that the site is made from. So after a new build, the
worker drops what it kept of the old site. A large index is not offered as one file: the worker then
keeps the search script, the root and facets of the index, and what the reader's searches used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from perfnotes.graph.site import Site
from perfnotes.site.scripts import worker_script
from perfnotes.storage.digests import content_digest, digest

INDEX, WORKER = "search/offline.json", "sw.js"
_MOST = 12_000_000  # bytes of an index that is offered as one file; two fifths after gzip


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
    """Return the digests of staged files, by path. It is empty until ``closings`` has filled it.

    ``site.derived`` keeps it. It has all files except those that ``closings`` functions make.
    """
    del site
    return {}


def is_small(size: int) -> bool:
    """Return whether an index of ``size`` bytes is offered as one file."""
    return size <= _MOST


def packed(shards: Mapping[str, str]) -> bytes:
    """Return all files of an index as one JSON object, by path."""
    texts = dict(sorted(shards.items()))
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()


def worker(site: Site, digests: Mapping[str, str], *, whole: bool) -> bytes:
    """Return the service worker's script.

    ``digests`` are those of the site's other files. ``whole`` says that the index is one file.
    """
    parts = [part for path in sorted(digests) for part in (path, digests[path])]
    for theme in site.settings.themes:
        for file in sorted(f for f in Path(theme).rglob("*") if f.is_file()):
            parts.append(content_digest(file.read_bytes()))
    facets = next((path for path in digests if path.startswith("search/m.")), "")
    settings = json.dumps({"version": digest(*parts)[:12], "index": whole, "facets": facets})
    return worker_script(settings).encode()
