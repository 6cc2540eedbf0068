"""What a build takes after one edit of our own notes, by what is edited.

    python -m benchmarks.build.edits

The project is copied and built. Then one thing after another is edited in the copy, and each edit
is followed by `perfnotes build` in a new process. The table has the CPU seconds of that build and
the number of pages that came out different.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.build.measure import BuildError, run
from tests.project import commit, copy_project, environment

_NEW = """---
title: A note that is new
description: It says that it is new.
tags: [{tag}]
level: introductory
date: 2026-01-01
---

A text that says nothing else.
"""


def main() -> int:
    """Measure and print; 1 where a build failed."""
    failed = False
    with tempfile.TemporaryDirectory(prefix="perfnotes-edits-") as name:
        scratch = Path(name)
        project = copy_project(scratch / "project")
        commit(project)
        _built(project, scratch)
        before = _pages(project)
        print(f"{len(before)} pages\n\n| edit | CPU s | pages that differ |\n|---|--:|--:|")
        for kind, edit in EDITS.items():
            edit(project / "notes")
            try:
                cpu = f"{_built(project, scratch):.2f}"
            except BuildError as error:
                print(error, file=sys.stderr)
                cpu, failed = "failed", True
            now = _pages(project)
            differ = sum(before.get(path) != now.get(path) for path in before.keys() | now.keys())
            print(f"| {kind} | {cpu} | {differ} |", flush=True)
            before = now
    return int(failed)


def _built(project: Path, scratch: Path) -> float:
    """Build, and give the CPU seconds."""
    env = environment(XDG_CACHE_HOME=str(scratch / "home"), PYTHONPATH=str(project / "tools"))
    command = [sys.executable, "-m", "perfnotes", "build", "--quiet"]
    return run(command, scratch / "log", project, env).cpu


def _pages(project: Path) -> dict[str, str]:
    site = project / "site"
    return {
        page.relative_to(site).as_posix(): hashlib.sha256(page.read_bytes()).hexdigest()
        for page in site.rglob("index.html")
    }


def _notes(notes: Path) -> list[Path]:
    """The English notes that have a Chinese twin."""
    found = sorted(notes.glob("*/*/index.md"))
    return [file for file in found if file.with_name("index.zh.md").exists()]


def _sentence(name: str, sentence: str) -> Callable[[Path], None]:
    def edit(notes: Path) -> None:
        files = _notes(notes)
        file = files[len(files) // 2].with_name(name)
        file.write_text(f"{file.read_text('utf-8').rstrip()}\n\n{sentence}\n", "utf-8")

    return edit


def _replaced(pattern: str, by: str, *files: str) -> Callable[[Path], None]:
    """Replace the first match in the first of the files that has one."""

    def edit(notes: Path) -> None:
        for glob in files:
            for file in sorted(notes.glob(glob)):
                text, many = re.subn(
                    pattern, by, file.read_text("utf-8"), count=1, flags=re.MULTILINE
                )
                if many:
                    file.write_text(text, "utf-8")
                    return
        raise BuildError(f"nothing in {files} matches {pattern}")

    return edit


def _new_note(notes: Path) -> None:
    topic = _notes(notes)[0].parent.parent
    tag = re.search(r"^tags: \[([\w-]+)", _notes(notes)[0].read_text("utf-8"), re.MULTILINE)
    text = _NEW.format(tag=tag[1] if tag else "cache")
    (topic / "a-note-that-is-new.md").write_text(text, "utf-8")


def _deleted_note(notes: Path) -> None:
    next(notes.glob("*/a-note-that-is-new.md")).unlink()


EDITS: dict[str, Callable[[Path], None]] = {
    "nothing": lambda _: None,
    "a sentence, whose twin falls behind": _sentence("index.md", "A sentence without news."),
    "another sentence of the same note": _sentence("index.md", "One more without news."),
    "a sentence of the Chinese twin": _sentence("index.zh.md", "这句话没有新的意思。"),
    "a title": _replaced(r'^title: ("?)(.*?)("?)$', r"title: \1\2 now\3", "*/*/index.md"),
    "a note's tags": _replaced(r"^tags: \[[^],]+, ", "tags: [", "*/*/index.md"),
    "a glossary term": _replaced(r"^( +definition:\s*\{?\s*en: \"?)", r"\1Surely ", "glossary.yml"),
    "a reference": _replaced(r"^(\s*title\s*=\s*[{\"]+)", r"\1On ", "references.bib"),
    "a fact's words": _replaced(r'^(title: \{en: "?)', r"\1Now ", "facts/*.yml"),
    "a lab's words": _replaced(r'^(title: \{en: "?)', r"\1Now ", "*/*/lab/lab.yml"),
    "a new note": _new_note,
    "a deleted note": _deleted_note,
}


if __name__ == "__main__":
    raise SystemExit(main())
