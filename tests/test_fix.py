"""`perfnotes fix` mends what has one right text, shows it first, and changes nothing else."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

import pytest

from perfnotes.checks import examine, rules
from perfnotes.checks._rule import Files
from perfnotes.cli.main import main
from perfnotes.fixes.mend import repaired, repairs
from perfnotes.fixes.mending import mends, modules
from perfnotes.fixes.mending.headings import outline
from perfnotes.model.repair import Repair
from tests.example_notes import NOTES, read_site, write_notes

TAGS = {
    "tags.yml": NOTES["tags.yml"].replace("- id: cache\n", "- id: cache\n  aliases: [caching]\n")
}

_OUTPUT = '$ python3 steps.py\n{"rows": 16, "columns": 256}\n'

# By name: files that are wrong, the codes that go, and the pieces that were changed (old, new).
CASES: Mapping[str, tuple[Files, set[str], list[tuple[str, str]]]] = {
    "digits": ({"caches/rows.md": "It is [17×](lab:caches/steps#misses).\n"}, {"PN911"},
               [("17×", "16×")]),
    "output": (rules()["PN922"].wrong, {"PN922"}, [
        (_OUTPUT.replace("256", "999"), _OUTPUT)]),
    "a tag's alias": ({**TAGS, "caches/rows.md": "---\ntags: [caching]\n---\n"}, {"PN205"},
                      [("caching", "cache")]),
    "a tag's case": ({"caches/rows.md": "---\ntags: ['Cache']\n---\n"}, {"PN205"},
                     [("'Cache'", "'cache'")]),
    "a level's case": ({"caches/rows.md": "---\nlevel: Introductory\n---\n"}, {"PN202"},
                       [("Introductory", "introductory")]),
    "a slug for an id": ({"caches/rows.md": "---\nrequires: [lines]\n---\n"}, {"PN207"},
                         [("lines", "caches/lines")]),
    "an old id": ({"caches/lines.md": "---\naliases: [cpu/lines]\n---\n",
                   "caches/rows.md": "---\nrequires: [cpu/lines]\n---\n[[cpu/lines#size|It]].\n"},
                  {"PN207"}, [("cpu/lines", "caches/lines"), ("cpu/lines", "caches/lines")]),
    "a note's case": ({"caches/rows.md": "See [[Caches/Lines]] and [[Lines|those]].\n"}, {"PN301"},
                      [("Caches/Lines", "caches/lines"), ("Lines", "lines")]),
    "a heading's case": ({"caches/rows.md": "[a](lines.md#Size), [[lines#align-ment]]\n"},
                         {"PN303"},
                         [("Size", "size"), ("align-ment", "alignment")]),
    "a path's case": ({"caches/rows.md": "See [a](Lines.md#size).\n"}, {"PN304"},
                      [("Lines.md", "lines.md")]),
    "an old path": ({"caches/lines.md": "---\naliases: [cpu/lines]\n---\n",
                     "caches/rows.md": "See [a](../cpu/lines.md#size).\n"}, {"PN304"},
                    [("../cpu/lines.md", "lines.md")]),
    "a key's case": ({"caches/rows.md": "As [@Drepper2007memory, sec. 3] says.\n"}, {"PN405"},
                     [("Drepper2007memory", "drepper2007memory")]),
    "headings of level 1": ({"caches/rows.md": "# A\n\n## B\n\n# C ##\n"}, {"PN501"},
                            [("#", "##"), ("##", "###"), ("#", "##")]),
    "white space": ({"caches/rows.md": "- A \n\tb\n\n\n\nC  \nd  \n\n```c\nx \n\n\n\ty\n```\n\n"
                     "`e  \nf`\n"}, {"PN508"},
                    [(" ", ""), ("\t", "    "), ("\n\n\n\n", "\n\n"), ("  ", "")]),
    "a glued citation": ({"caches/rows.md": "It is so[@drepper2007memory], 是[@drepper2007memory]，"
                          "）[@drepper2007memory] x[@no2000key] a[0]\n"}, {"PN408"},
                         [("", " "), ("", " ")]),
    "a Chinese keyboard": ({"caches/rows.zh.md": "1、甲\n2、乙\n\n周期数＝2\n"}, {"PN515"},
                           [("1、", "1. "), ("2、", "2. "), ("＝", "=")]),
    "numbers that are chosen in vain": (
        {"caches/rows.md": "---\nchosen: [1 KiB, 64 KiB a row, 64 KiB, 3 KiB]\n---\nOf 64 KiB.\n",
         "caches/lines.md": "---\nchosen: [1 KiB]\n---\n"},
        {"PN921"}, [("1 KiB", ""), ("1 KiB, 64 KiB a row, 64 KiB, 3", "64")]),
    "a skipped level": ({"caches/rows.md": "## A\n\n#### B\n\n##### C\n\n## D\n"}, {"PN502"},
                        [("####", "###"), ("#####", "####")]),
}  # fmt: skip


def found_repairs(folder: Path) -> list[Repair]:
    return list(repairs(read_site(folder)))


def codes(folder: Path) -> set[str]:
    return {f.code for f in examine(read_site(folder))}


def apply(folder: Path, edits: list[Repair]) -> None:
    for path in {e.path for e in edits}:
        file = folder / path
        new = repaired(file.read_text("utf-8"), [e for e in edits if e.path == path])
        file.write_text(new, encoding="utf-8")


@pytest.mark.parametrize("name", CASES)
def test_what_is_mended_is_right_and_nothing_else_changes(name: str, tmp_path: Path) -> None:
    files, gone, pieces = CASES[name]
    write_notes(tmp_path, files)
    assert gone <= codes(tmp_path)
    before = (tmp_path / "notes").rglob("*")
    texts = {f: f.read_text("utf-8") for f in before if f.is_file()}
    edits = found_repairs(tmp_path)
    assert [(e.old, e.new) for e in edits] == pieces
    apply(tmp_path, edits)
    assert not gone & codes(tmp_path)
    assert found_repairs(tmp_path) == []  # twice is once
    for file, text in texts.items():
        now = file.read_text("utf-8")
        changed = [e for e in edits if tmp_path / e.path == file]
        matcher = difflib.SequenceMatcher(a=text, b=now, autojunk=False)
        lines = {text.count("\n", 0, i) for tag, i, *_ in matcher.get_opcodes() if tag != "equal"}
        assert len(lines) <= len(changed)


def test_every_kind_of_mending_is_tried() -> None:
    assert {code for _, gone, _ in CASES.values() for code in gone} == set(mends()) <= set(rules())
    assert all(module.MENDS and module.find for module in modules())


def test_a_guess_is_left_to_people(tmp_path: Path) -> None:
    write_notes(tmp_path, {
        "caches/rows.md": "---\ntags: [cachee]\n---\n[[linse]] [a](line.md) [@drepper2008memory]\n",
        "gpu/warps.md": "# Warps\n\nThe title again.\n",
    })  # fmt: skip
    assert {"PN205", "PN301", "PN304", "PN405", "PN501"} <= codes(tmp_path)
    assert found_repairs(tmp_path) == []


_RECORDED = '{"rows": 16, "columns": 256}\n'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("It is [1*7*×](lab:caches/steps#misses).\n", "PN911"),
        (f"```console lab=steps#count\n$ python3 steps.py\n{_RECORDED}\nMore text.\n", "PN922"),
        (f"- so:\n\n  ```console lab=steps#count\n  {_RECORDED}  ```\n", "PN922"),
        (f"> ```console lab=steps#count\n> {_RECORDED}> ```\n", "PN922"),
    ],
)
def test_numbers_and_outputs_that_a_program_cannot_place_are_left_to_people(
    text: str, code: str, tmp_path: Path
) -> None:
    write_notes(tmp_path, {"caches/rows.md": text})
    found = [f for f in examine(read_site(tmp_path)) if f.code == code]
    assert len(found) == 1
    assert "perfnotes fix" not in found[0].hint
    assert found_repairs(tmp_path) == []


def test_a_fence_at_the_end_of_a_file_without_a_line_end_takes_nothing_along(
    tmp_path: Path,
) -> None:
    note = NOTES["caches/rows.md"] + "\n```console lab=steps#count"
    write_notes(tmp_path, {"caches/rows.md": note.encode()})
    found = {f.code: f.line for f in examine(read_site(tmp_path))}
    assert found["PN922"] == found["PN504"] == note.count("\n") + 1
    assert all(not edit.old for edit in found_repairs(tmp_path))


def test_two_names_of_one_thing_are_not_mended_to_the_same_id_twice(tmp_path: Path) -> None:
    tags = "- {id: cache, name: {en: Cache}, description: {en: Memory.}, aliases: [l1, l2]}\n"
    old = "---\naliases: [cpu/lines, old/lines]\n---\n"
    rows = "---\ntags: [l1, l2]\nrequires: [cpu/lines, old/lines]\n---\n"
    write_notes(tmp_path, {"tags.yml": tags, "caches/lines.md": old, "caches/rows.md": rows})
    edits = found_repairs(tmp_path)
    assert [(e.old, e.new) for e in edits] == [("l1", "cache"), ("cpu/lines", "caches/lines")]
    apply(tmp_path, edits)
    assert "PN202" not in codes(tmp_path)  # a key that repeats a value
    assert found_repairs(tmp_path) == []


def test_a_right_outline_stays() -> None:
    for levels in ([], [2, 3, 4, 2, 3], [2, 2], [2, 3, 3, 4, 5, 6, 2]):
        assert outline(levels) == levels
    assert outline([3, 3, 2]) == [2, 2, 2]
    assert outline([1, 2, 1]) == [2, 3, 2]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_notes(
        tmp_path, {"caches/rows.md": "See [[Lines]].\n", "gpu/warps.md": "See [[Steps]].\n"}
    )
    (tmp_path / "mkdocs.yml").write_text("site_name: Example\ndocs_dir: docs\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_changes_are_shown_first(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = project / "notes/caches/rows.md"
    before = rows.read_bytes()
    for options, status in ((["--dry-run"], 0), ([], 2)):  # in a pipe nobody can be asked
        assert main(["fix", *options]) == status
        told = capsys.readouterr()
        assert "--- notes/caches/rows.md" in told.out
        assert "-See [[Lines]].\n+See [[lines]].\n" in told.out
        assert rows.read_bytes() == before
    assert "add --yes" in told.err
    assert main(["fix", "--yes", "notes/caches"]) == 0
    assert "mended 1 file" in capsys.readouterr().out
    assert rows.read_bytes() == before.replace(b"Lines]]", b"lines]]")
    assert "[[Steps]]" in (project / "notes/gpu/warps.md").read_text("utf-8")
    assert main(["fix", "--yes"]) == 0
    capsys.readouterr()
    assert main(["fix", "--yes"]) == 0
    assert capsys.readouterr().out == "nothing to mend\n"


def test_line_ends_and_marks_of_a_file_stay(project: Path) -> None:
    rows = project / "notes/caches/rows.md"
    rows.write_bytes(b"\xef\xbb\xbf" + rows.read_bytes().replace(b"\n", b"\r\n"))
    before = rows.read_bytes()
    assert main(["fix", "--yes", str(rows)]) == 0
    assert rows.read_bytes() == before.replace(b"Lines]]", b"lines]]")
