"""The pages that are measured: one of each kind, of our own notes or of generated ones."""

from __future__ import annotations

import sys
from pathlib import Path

_OWN = {
    "home": "",
    "note": "caches/false-sharing/",
    "topic": "caches/",
    "papers": "references/",
    "paper": "references/drepper2007memory/",
    "lab": "caches/false-sharing/lab/",
    "facts": "facts/",
    "family": "facts/gpus/",
    "graph": "graph/",
    "search": "search/",
    "glossary": "glossary/",
    "latency": "latency-numbers/",
    "symptoms": "symptoms/",
    "tools": "tools/",
    "tool": "tools/perf-c2c/",
    "calculators": "try/",
    "calculator": "cpu/roofline/",
    "machine": "machines/",
    "tag": "tags/cache/",
    "recent": "recent/",
    "wanted": "help-wanted/",
    "document": "style-guide/",
    "missing": "404.html",
}
_CHINESE = {"note": "caches/dram-bursts-and-rows/", "lab": "caches/dram-bursts-and-rows/lab/"}
_GENERATED = {
    "home": "",
    "note": "memory/note-00000/",
    "topic": "memory/",
    "search": "search/",
}


def pages_of(site: Path) -> dict[str, str]:
    """Return the addresses of a site's pages by kind, the English ones first.

    Ends the program if ``site`` holds no site.
    """
    if not _is_there(site, ""):
        sys.exit(f"{site} holds no site; 'make site' builds one")
    candidates = _OWN if (site / _OWN["note"]).is_dir() else _GENERATED
    there = {kind: url for kind, url in candidates.items() if _is_there(site, url)}
    chinese = {f"{kind} zh": f"zh/{_CHINESE.get(kind, url)}" for kind, url in there.items()}
    return there | {kind: url for kind, url in chinese.items() if _is_there(site, url)}


def longest_note(site: Path) -> str:
    """Return the address of the English note with the largest HTML file."""
    files = [f for f in site.glob("*/*/index.html") if (f.parent.parent / "index.html").is_file()]
    skipped = {"checks", "facts", "references", "tags", "zh"}
    notes = [f for f in files if f.relative_to(site).parts[0] not in skipped]
    longest = max(notes, key=lambda f: (f.stat().st_size, f))
    return f"{longest.parent.relative_to(site).as_posix()}/"


def _is_there(site: Path, url: str) -> bool:
    file = site / url
    return (file if file.suffix else file / "index.html").is_file()
