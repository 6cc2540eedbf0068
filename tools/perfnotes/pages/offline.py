"""What reading offline needs: the worker of the site, and the index in one file.

The worker's version is a hash of everything that the site is made from, so a new site drops what
was kept of the last one. A large index is not offered as a whole: of it the beginning is kept, and
what was used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from perfnotes.site import Site

_MOST = 6_000_000  # bytes of an index that a reader gets without asking; a fifth of it packed


def closings(site: Site, files: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    shards = {p: d for p, d in files.items() if p.startswith("search/") and p.endswith(".js")}
    whole = sum(map(len, shards.values())) <= _MOST
    version = _version(files, site.settings.themes)
    if whole:
        texts = {path: data.decode() for path, data in sorted(shards.items())}
        index = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
        yield "search/offline.json", index.encode()
    settings = json.dumps({"version": version, "index": whole})
    script = 'importScripts("assets/perfnotes/offline.js");'
    yield "sw.js", f"var pnSite = {settings};\n{script}\n".encode()


def _version(files: Mapping[str, bytes], themes: tuple[str, ...]) -> str:
    found = hashlib.sha256()
    for path in sorted(files):
        found.update(f"{path}\0{len(files[path])}\0".encode())
        found.update(files[path])
    for theme in themes:
        for file in sorted(f for f in Path(theme).rglob("*") if f.is_file()):
            found.update(file.read_bytes())
    return found.hexdigest()[:12]
