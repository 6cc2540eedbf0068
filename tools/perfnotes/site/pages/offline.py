"""What reading offline needs: the worker of the site, and the index in one file.

The worker's version is a hash of everything that the site is made from, so a new site drops what
was kept of the last one. A large index is not offered as a whole: of it the beginning is kept, and
what was used.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from perfnotes.graph.site import Site
from perfnotes.storage.cache import content_digest, digest

INDEX, WORKER = "search/offline.json", "sw.js"
_MOST = 6_000_000  # bytes of an index that a reader gets without asking; a fifth of it packed


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
    """Return the digests of the staged files that ``site.derived`` keeps, by path.

    They are those of all files but the last, which speak of all others; ``closings`` fills them in.
    """
    del site
    return {}


def is_small(size: int) -> bool:
    """Whether an index of so many bytes is offered as a whole."""
    return size <= _MOST


def packed(shards: Mapping[str, str]) -> bytes:
    """All files of an index in one, by their path."""
    texts = dict(sorted(shards.items()))
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()


def worker(site: Site, digests: Mapping[str, str], *, whole: bool) -> bytes:
    """The worker of a site whose other files have these digests."""
    parts = [part for path in sorted(digests) for part in (path, digests[path])]
    for theme in site.settings.themes:
        for file in sorted(f for f in Path(theme).rglob("*") if f.is_file()):
            parts.append(content_digest(file.read_bytes()))
    facets = next((path for path in digests if path.startswith("search/m.")), "")
    settings = json.dumps({"version": digest(*parts)[:12], "index": whole, "facets": facets})
    script = 'importScripts("assets/perfnotes/offline.js");'
    return f"var pnSite = {settings};\n{script}\n".encode()
