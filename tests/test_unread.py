"""A file that cannot be read is one finding; what merely follows from that is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.checks._examples import FOLDER, LAB
from perfnotes.checks._rule import Files
from tests.engine_of import findings_as_built
from tests.example_notes import NOTES

PLACES = """\
places:
- id: program
  title: {en: The program, zh: 程序}
"""
SEEN = """\
---
symptoms:
- id: slow-walk
  see: "A walk takes much longer one way."
  confirm: "`perf stat` shows many more misses there."
  section: what-to-do
  where: program
---
A walk along a row.

## What to do

Walk along the [[lines]].
"""
BROKEN = b"\n- [a\n"


def _given(path: str) -> bytes:
    return NOTES[path].encode()


def _open(note: str) -> bytes:
    """Return a note of the example without the line that closes its front matter."""
    return b"---".join(_given(f"caches/{note}").split(b"---\n", 2)[:2]) + b"\nText.\n"


CASES: dict[str, tuple[str, Files]] = {
    "topics": ("PN104", {"topics.yml": _given("topics.yml") + BROKEN}),
    "tags": ("PN104", {"tags.yml": _given("tags.yml") + BROKEN}),
    "tags in Latin-1": ("PN101", {"tags.yml": _given("tags.yml") + b"# \xe9\n"}),
    "glossary": (
        "PN104",
        {"glossary.yml": _given("glossary.yml") + BROKEN, "caches/rows.md": "[[cache-line]]\n"},
    ),
    "references": ("PN101", {"references.bib": _given("references.bib") + b"\xe9"}),
    "symptoms": (
        "PN203",
        {"symptoms.yml": PLACES.replace("program", "A program"), "caches/rows.md": SEEN},
    ),
    "facts": ("PN104", {"facts/chips.yml": _given("facts/chips.yml") + b"\n[a\n"}),
    "a lab": ("PN104", {f"{FOLDER}/lab.yml": f"{LAB}\n[a\n"}),
    "a note": ("PN101", {"caches/lines.md": _given("caches/lines.md") + b"\xe9"}),
    "a note whose front matter is not closed": ("PN201", {"caches/lines.md": _open("lines.md")}),
    "a twin whose front matter is not closed": (
        "PN201",
        {"caches/lines.zh.md": _open("lines.zh.md")},
    ),
    "a note with a lab": (
        "PN101",
        {"caches/steps/index.md": _given("caches/steps/index.md") + b"\xe9"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_only_the_file_that_cannot_be_read_is_told(tmp_path: Path, case: str) -> None:
    code, files = CASES[case]
    assert {f.code for f in findings_as_built(tmp_path, files)} == {code}


def test_what_does_not_follow_is_told_all_the_same(tmp_path: Path) -> None:
    other = "---\ntags: [caches]\nrequires: [caches/line]\n---\nSee [[rows#x]] and [x](no.md).\n"
    files: Files = {"gpu/warps.md": other, "caches/lines.md": _given("caches/lines.md") + b"\xe9"}
    found = [f.code for f in findings_as_built(tmp_path, files)]
    assert sorted(found) == ["PN101", "PN205", "PN207", "PN303", "PN304"]
