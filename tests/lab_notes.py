"""A note with a small lab, written into a folder, and what tests of code that runs labs need."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.labs.find import find_labs
from perfnotes.model.lab import Lab

NOTE = """---
title: Rows
description: What rows cost.
tags: []
date: 2026-01-01
---

Columns take [4.0×](lab:more) as long, [8](lab:slow) against [2](lab:slow.n).
"""
CLAIM = """\
title: Rows against columns
question: What does it cost?
duration: 1 s
limits: {seconds: 60}
parameters: {n: 4}
runs:
  time: {tool: json, command: "python3 rows.py {n}"}
claims:
  more: {what: w, expression: time.slow / time.fast, unit: "×", expect: "> 2", because: b,
    kind: count, control: time.fast / time.fast}
"""
ROWS = "import json\nprint(json.dumps({'slow': 8, 'fast': 2}))\n"


def write_lab(folder: Path, yaml: str = CLAIM, note: str = NOTE, **files: str) -> Path:
    """Write notes with one note, ``caches/rows``, and its lab; return the lab's folder."""
    lab = folder / "notes" / "caches" / "rows" / "lab"
    lab.mkdir(parents=True, exist_ok=True)
    topics = "- {id: caches, title: Caches, description: About caches.}\n"
    (folder / "notes" / "topics.yml").write_text(topics)
    (lab.parent / "index.md").write_text(note)
    (lab / "lab.yml").write_text(yaml)
    for name, text in {"rows.py": ROWS, **files}.items():
        (lab / name).write_text(text)
    return lab


def lab_of(folder: Path, yaml: str = CLAIM, **files: str) -> Lab:
    write_lab(folder, yaml, **files)
    return find_labs(folder / "notes", "notes").labs["caches/rows"]


@pytest.fixture(autouse=True)
def _temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scratch folders lie here, so that a test sees what is left of them."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))


def living(mark: str) -> list[str]:
    """Processes with a word among their arguments."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(each.parent.name)
    return found
