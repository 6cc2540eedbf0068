"""Measure a clean build against MkDocs with Material on the same notes, in one run.

    make bench                        # 1,000 generated notes, 3 pairs
    python bench/run.py --notes DIR   # any folder of Markdown

Both builds run as processes of their own, in turn (A B A B ...); CPU time is user plus system, as
the kernel counts it for the finished process. The peer has Material's search and tags plugins and
``navigation.prune``; neither side has a cache. Prints the ratios and the machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from generate import generate

ROOT = Path(__file__).resolve().parents[1]

# The peer's math extension only wraps formulas for a script; its highlighter is the same as ours.
_PEER_EXTENSIONS = [
    "admonition", "attr_list", "def_list", "footnotes", "tables", {"toc": {"toc_depth": 3}},
    {"pymdownx.arithmatex": {"generic": True}}, "pymdownx.details",
    {"pymdownx.highlight": {"use_pygments": True}}, {"pymdownx.quotes": {"callouts": True}},
    "pymdownx.superfences", {"pymdownx.tabbed": {"alternate_style": True}}, "pymdownx.tasklist",
    {"pymdownx.tilde": {"subscript": False}},
]  # fmt: skip


def peer_configuration(notes: Path, scratch: Path, prune: bool) -> Path:
    """An ``mkdocs.yml`` for the peer."""
    features = ["navigation.prune"] if prune else []
    config = {
        "site_name": "peer",
        "docs_dir": str(notes),
        "site_dir": str(scratch / "peer"),
        "theme": {"name": "material", "font": False, "features": features},
        "plugins": ["search", "tags"],
        "markdown_extensions": _PEER_EXTENSIONS,
    }
    file = scratch / "mkdocs.yml"
    file.write_text(yaml.safe_dump(config), encoding="utf-8")
    return file


def cpu_and_memory(command: list[str], log: Path) -> tuple[float, float, float]:
    """CPU seconds, peak MB and wall seconds of a command."""

    start = time.monotonic()
    with log.open("w") as out:
        child = subprocess.Popen(command, stdout=out, stderr=out, cwd=ROOT)
        _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    if status:
        sys.exit(f"{command[:4]} failed:\n{log.read_text()[-2000:]}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=Path, help="default: generated notes")
    parser.add_argument("--count", type=int, default=1000, help="of the generated notes")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--no-prune", action="store_true", help="the peer without navigation.prune")
    options = parser.parse_args()
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    with tempfile.TemporaryDirectory(prefix="perfnotes-bench-") as name:
        scratch = Path(name)
        notes = options.notes
        if notes is None:
            notes = scratch / "notes"
            generate(options.count, notes)
        config = peer_configuration(notes.resolve(), scratch, not options.no_prune)
        ours = [sys.executable, "-m", "perfnotes", "build", "--quiet"]
        ours += ["--notes", str(notes), "--site", str(scratch / "ours")]
        peer = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(config)]
        rows = []
        for pair in range(options.pairs):
            for folder in ("ours", "peer"):
                shutil.rmtree(scratch / folder, ignore_errors=True)
            a = cpu_and_memory(ours, scratch / "ours.log")
            b = cpu_and_memory(peer, scratch / "peer.log")
            rows.append((a, b))
            print(f"pair {pair + 1}: ours {a[0]:.1f} CPU s, {a[1]:.0f} MB, {a[2]:.1f} s wall; "
                  f"peer {b[0]:.1f} CPU s, {b[1]:.0f} MB, {b[2]:.1f} s wall; "
                  f"CPU ratio {a[0] / b[0]:.3f}")  # fmt: skip
        ratios = [a[0] / b[0] for a, b in rows]
        pages = len(list((scratch / "ours").rglob("*.html")))
        print(f"CPU ratio ours/peer: median {statistics.median(ratios):.3f} "
              f"[{min(ratios):.3f}, {max(ratios):.3f}], {pages} HTML files")  # fmt: skip
    print(f"machine: {_processor()}, {os.cpu_count()} CPUs, Python {platform.python_version()}")


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


if __name__ == "__main__":
    main()
