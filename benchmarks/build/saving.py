"""The time from saving a note to the change on the screen of a browser.

    python -m benchmarks.build.saving --notes build/bench-notes --edits 20

`perfnotes serve` runs as a user starts it. Each edit changes a paragraph of one note; the time ends
when the browser has painted the new words.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
_PAINTED = """(word) => document.body.innerText.includes(word)"""


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=Path, required=True, metavar="DIR")
    parser.add_argument("--edits", type=int, default=20, metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        notes = Path(shutil.copytree(options.notes, Path(scratch) / "notes"))
        seconds = measured(notes, options.edits)
    print(
        f"{len(list(options.notes.rglob('*.md')))} notes, {len(seconds)} edits, ms until painted:"
    )
    low, high = min(seconds), max(seconds)
    print(f"median {1e3 * statistics.median(seconds):.0f}, {1e3 * low:.0f} to {1e3 * high:.0f}")


def measured(notes: Path, edits: int) -> list[float]:
    """Returns the seconds from each save to the painted change."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "perfnotes", "serve"]
    command += ["--notes", str(notes), "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        return _edited(notes, f"http://127.0.0.1:{port}/", edits)
    finally:
        server.terminate()
        server.wait()


def _edited(notes: Path, address: str, edits: int) -> list[float]:
    # A note is a file of its topic's folder, or index.md in a folder of its own.
    files = sorted(f for f in notes.glob("*/**/*.md") if not f.name.endswith(".zh.md"))
    files = [f for f in files if f.name == "index.md" or f.parent.parent == notes]
    file = files[len(files) // 2]
    address_of = file.parent if file.name == "index.md" else file.with_suffix("")
    _wait_for(address)
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.goto(f"{address}{address_of.relative_to(notes).as_posix()}/")
        time.sleep(5)  # until what runs at the start is done
        for i in range(edits):
            found.append(_one(page, file, f"saved{i}word"))
            time.sleep(0.5 + (i % 5) * 1.5)  # some edits fall into a rebuild of the whole site
        browser.close()
    return found


def _one(page: Page, file: Path, word: str) -> float:
    text = file.read_text("utf-8")
    text = f"{text.rstrip()} {word}\n"
    began = time.monotonic()
    file.write_text(text, "utf-8")
    page.wait_for_function(_PAINTED, arg=word, polling="raf")
    return time.monotonic() - began


def _wait_for(address: str) -> None:
    while True:
        try:
            urllib.request.urlopen(address, timeout=60).close()
            return
        except OSError:
            time.sleep(0.2)


if __name__ == "__main__":
    main()
