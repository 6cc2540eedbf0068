"""The time from saving a file to the change on the screen of a browser.

    python -m benchmarks.build.saving [--edits 20] [--notes DIR]

`perfnotes serve` runs as a user starts it, on a copy of our own notes or of any folder of notes. It
is started twice, to see how long the first page takes with an empty cache and at the next start.
Then paragraphs of one note are edited; the time ends when the browser has painted the new words.
Of our own notes, things that other pages show are edited as well: these pages are open in other
tabs, and the time ends when the last of them has painted the change without being asked.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserContext, Error, Page
from tests.browser import started_browser
from tests.project import commit, copy_project

ROOT = Path(__file__).resolve().parents[2]
# Whether the text has the word, once that is painted. Asking for innerText instead would lay out
# the whole page each time, for which the change itself then has to wait.
_SHOWN = """word => document.body.textContent.includes(word)
  && new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"""
_VISIBLE = "word => document.body.innerText.includes(word)"
_LONGEST = 60.0  # seconds to wait for a change
_PAUSE = 0.01  # seconds between two questions, which take time from what they wait for
_REST = 5.0  # seconds in which the server finishes what runs at the start


@dataclass(frozen=True)
class SharedEdit:
    """An edit of a file that concerns several pages, by their addresses.

    ``changed`` gives the file's new text, in which ``word`` is new.
    """

    name: str
    file: str
    pages: tuple[str, ...]
    changed: Callable[[str], str]
    word: str


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=Path, metavar="DIR", help="default: our own notes")
    parser.add_argument("--edits", type=int, default=20, metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if options.notes:
            root, notes = ROOT, Path(shutil.copytree(options.notes, Path(scratch) / "notes"))
            more = ["--notes", str(notes)]
        else:
            root, more = copy_project(Path(scratch) / "project"), []
            commit(root)
            notes = root / "notes"
        with _served(root, more, "first start"):
            pass
        with _served(root, more, "next start") as address, started_browser() as browser:
            context = browser.new_context()
            seconds = _edited(context, notes, address, options.edits)
            print(f"{len(list(notes.rglob('*.md')))} notes, {len(seconds)} edits of one of them")
            low, high = min(seconds), max(seconds)
            median = statistics.median(seconds)
            print(f"painted after {_ms(median)} ms (median; {_ms(low)} to {_ms(high)})")
            if not options.notes:
                _print_shared(context, notes, address)


def _print_shared(context: BrowserContext, notes: Path, address: str) -> None:
    print("\n| edit | page | painted after, s |\n|---|---|--:|")
    for edit in _shared_edits(notes):
        for page, seconds in _shared(context, notes, address, edit).items():
            shown = f"{seconds:.2f}" if seconds is not None else f"not within {_LONGEST:.0f}"
            print(f"| {edit.name} | /{page} | {shown} |", flush=True)


def _shared_edits(notes: Path) -> Iterator[SharedEdit]:
    """Edits of a note that has a tag, a term that it explains, and a reference that it cites."""
    file = notes / "caches/false-sharing/index.md"
    text = file.read_text("utf-8")
    tag = _first(r"^tags: \[([\w-]+)", text)
    key = _first(r"\[@([\w]+)", text)
    note = "caches/false-sharing/"
    name = file.relative_to(notes).as_posix()
    yield SharedEdit(
        "a title", name, (note, "caches/", f"tags/{tag}/", f"references/{key}/"),
        lambda text: re.sub(r"(?m)^title: .*$", r"\g<0> retitledword", text, count=1),
        "retitledword",
    )  # fmt: skip
    glossary = (notes / "glossary.yml").read_text("utf-8")
    term = _first(r"^- id: ([\w-]+)", glossary)
    yield SharedEdit(
        "a term's definition", "glossary.yml", ("glossary/", f"glossary/{term}/"),
        lambda text: re.sub(r"(?m)^( +en: A )", r"\1definedword ", text, count=1),
        "definedword",
    )  # fmt: skip
    yield SharedEdit(
        "a reference's title", "references.bib", ("references/", f"references/{key}/", note),
        lambda text: re.sub(
            rf"({{{key},.*?title\s*=\s*{{)", r"\1Referredword ", text, count=1, flags=re.DOTALL
        ),
        "Referredword",
    )  # fmt: skip
    yield SharedEdit(
        "a new note", "caches/a-new-note.md", ("", "caches/", f"tags/{tag}/", "recent/"),
        lambda _: f"---\ntitle: A note with a newtitleword\ndescription: It is new.\n"
        f"tags: [{tag}]\nlevel: introductory\ndate: 2026-12-01\n---\n\nIts text.\n",
        "newtitleword",
    )  # fmt: skip


def _shared(
    context: BrowserContext, notes: Path, address: str, edit: SharedEdit
) -> Mapping[str, float | None]:
    """Return the seconds until each page, open in a tab of its own, has painted the change."""
    tabs = {page: context.new_page() for page in edit.pages}
    for page, tab in tabs.items():
        tab.goto(f"{address}{page}")
    time.sleep(_REST)
    file = notes / edit.file
    before = file.read_text("utf-8") if file.exists() else None
    began = time.monotonic()
    file.write_text(edit.changed(before or ""), "utf-8")
    found: dict[str, float | None] = dict.fromkeys(tabs)
    while None in found.values() and time.monotonic() - began < _LONGEST:
        for page, tab in tabs.items():
            if found[page] is None and _holds(tab, _SHOWN, edit.word):
                found[page] = time.monotonic() - began
    for tab in tabs.values():
        tab.close()
    if before is None:
        file.unlink()
    else:
        file.write_text(before, "utf-8")
    time.sleep(_REST)
    return found


@contextmanager
def _served(root: Path, more: list[str], name: str) -> Iterator[str]:
    """Serve, and print under ``name`` how long the first page took."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "perfnotes", "serve", *more, "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(root / "tools")}
    began = time.monotonic()
    server = subprocess.Popen(command, cwd=root, env=environment)
    address = f"http://127.0.0.1:{port}/"
    try:
        _wait_for(address)
        print(f"{name}: the first page after {time.monotonic() - began:.1f} s", flush=True)
        yield address
    finally:
        server.terminate()
        server.wait()


def _edited(context: BrowserContext, notes: Path, address: str, edits: int) -> list[float]:
    """Return the seconds from each save of one note to the painted change."""
    # A note is a file of its topic's folder, or index.md in a folder of its own.
    files = sorted(f for f in notes.glob("*/**/*.md") if not f.name.endswith(".zh.md"))
    files = [f for f in files if f.name == "index.md" or f.parent.parent == notes]
    file = files[len(files) // 2]
    address_of = file.parent if file.name == "index.md" else file.with_suffix("")
    page = context.new_page()
    page.goto(f"{address}{address_of.relative_to(notes).as_posix()}/")
    time.sleep(_REST)
    found = []
    for i in range(edits):
        found.append(_one(page, file, f"saved{i}word"))
        time.sleep(0.5 + (i % 5) * 1.5)  # some edits fall into a build of the whole site
    page.close()
    return found


def _one(page: Page, file: Path, word: str) -> float:
    text = file.read_text("utf-8")
    text = f"{text.rstrip()} {word}\n"
    began = time.monotonic()
    file.write_text(text, "utf-8")
    seconds = 0.0
    for condition in (_SHOWN, _VISIBLE):
        while not _holds(page, condition, word):
            time.sleep(_PAUSE)
            if time.monotonic() - began > _LONGEST:
                raise SystemExit(f"{file} was saved, and its page does not show it")
        seconds = seconds or time.monotonic() - began
    return seconds


def _holds(page: Page, condition: str, word: str) -> bool:
    """Ask from outside: the policy of the pages forbids a condition that is given as text."""
    try:
        return bool(page.evaluate(condition, word))
    except Error:  # the page is being loaded again
        return False


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise SystemExit(f"nothing matches {pattern}")
    return found[1]


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.0f}"


def _wait_for(address: str) -> None:
    while True:
        try:
            urllib.request.urlopen(address, timeout=60).close()
            return
        except OSError:
            time.sleep(0.2)


if __name__ == "__main__":
    main()
