"""Numbers of notes held against labs, results and facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from perfnotes.checks import examine
from perfnotes.checks._examples import LAB, PROGRAM, recorded
from perfnotes.fixes.mend import encoded_like, repaired, repairs
from perfnotes.graph.binding import Found, compare
from tests.evidence_findings import ROWS, codes, site_of
from tests.example_notes import read_site

OTHER_STEPS = "gpu/steps/lab"  # a lab whose note has the slug of another one


@pytest.mark.parametrize(
    "good",
    [
        "[16×](lab:caches/steps#misses)",
        "[16×](lab:steps#misses)",
        "[16.0×](lab:steps#misses@example-cpu)",
        "[16×](lab:steps#misses.low)",
        "[1](lab:steps#misses.n)",
        "[256](lab:steps#columns)",
        "**[16×](lab:steps#misses)**",
        "[**16×**](lab:steps#misses)",
        "[64 B](fact:chip/cache-line)",
        "[64\nB](fact:chip/cache-line)",
        "[25.6 GB/s](fact:chip/bandwidth)",
        "[0.0256 TB/s](fact:chip/bandwidth)",
        "[16×][x]\n\n[x]: lab:steps#misses",
    ],
)
def test_numbers_that_are_right(tmp_path: Path, good: str) -> None:
    assert codes(site_of(tmp_path, {ROWS: f"It is {good}\n"})) == []


@pytest.mark.parametrize(
    ("shown", "problem"),
    [
        ("2 MiB", ""),
        ("2.1 MB", ""),
        ("2 MB", "2 MB would be just as right in MiB: too few digits, or the wrong unit"),
    ],
)
def test_a_number_tells_which_kind_of_prefix_it_has(shown: str, problem: str) -> None:
    found, mended = compare(shown, Found(number=2.0, unit="MiB"))
    assert (found[1] if found else "") == problem
    assert mended == ""


def test_a_slug_of_two_labs_names_neither(tmp_path: Path) -> None:
    site = site_of(
        tmp_path,
        {
            f"{OTHER_STEPS}/lab.yml": LAB,
            f"{OTHER_STEPS}/steps.py": PROGRAM,
            "gpu/steps/index.md": "Other steps.\n",
        },
    )
    for address in ("lab:steps#misses", "lab:stairs#misses"):
        assert site.graph.evidence.find(address).number is None
    problem = site.graph.evidence.find("lab:steps#misses").problem
    assert problem
    assert problem[1] == "'steps' may be caches/steps or gpu/steps"
    assert site.graph.evidence.find("lab:caches/steps#misses").number == 16


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("[17×](lab:steps#misses)", "PN911"),
        ("[16.1×](lab:steps#misses)", "PN911"),
        ("[255](lab:steps#columns)", "PN911"),
        ("[2](lab:steps#misses.n)", "PN911"),
        ("[26 GB/s](fact:chip/cache-line)", "PN912"),
        ("[16](lab:steps#misses)", "PN912"),
        ("[about 16×](lab:steps#misses)", "PN912"),
        ("[](lab:steps#misses)", "PN912"),
        ("![16×](lab:steps#misses)", "PN912"),
        ("[16×](lab:misses)", "PN910"),
        ("[16×](lab:steps#miss)", "PN910"),
        ("[16×](lab:step#misses)", "PN910"),
        ("[16×](lab:steps#misses.mean)", "PN910"),
        ("[16×](lab:steps#misses@other-cpu)", "PN910"),
        ("[16×](lab:)", "PN910"),
        ("[64 B](fact:chip/cacheline)", "PN910"),
        ("[64 B](fact:chop/cache-line)", "PN910"),
        ("[64 B](fact:chip)", "PN910"),
        ("[16×](lab:steps#on-a-gpu)", "PN913"),
    ],
)
def test_numbers_that_are_wrong(tmp_path: Path, bad: str, code: str) -> None:
    assert code in codes(site_of(tmp_path, {ROWS: f"It is {bad}\n"}))


def test_a_near_miss_names_what_was_meant(tmp_path: Path) -> None:
    site = site_of(tmp_path, {ROWS: "It is [16×](lab:stops#misses) [16×](lab:steps#mises)\n"})
    hints = [f.hint for f in examine(site) if f.code == "PN910"]
    assert hints == ["did you mean steps?", "did you mean misses?"]


def test_the_beginning_of_a_name_is_taken_for_all_that_begin_so(tmp_path: Path) -> None:
    site = site_of(tmp_path, {ROWS: "It is [64 B](fact:chip/cache)\n"})
    assert [f.hint for f in examine(site) if f.code == "PN910"] == ["did you mean chip/cache-line?"]


@pytest.mark.parametrize(
    ("old", "new", "says", "hint"),
    [
        (
            "reference: example-cpu", "reference: exmaple-cpu",
            "no result of its reference machine, exmaple-cpu",
            "run there: perfnotes lab record caches/steps, or make `reference` one of example-cpu",
        ),
        ('"== n"', '"> 0"', "so the claim proves nothing", "mend the lab"),
        (
            "reference: example-cpu\n", "",
            "lab.yml of caches/steps names no `reference`", "write reference: example-cpu",
        ),
    ],
)  # fmt: skip
def test_a_claim_without_a_value_says_what_helps(
    tmp_path: Path, old: str, new: str, says: str, hint: str
) -> None:
    files = {
        ROWS: "It is [16×](lab:steps#misses)\n",
        "caches/steps/lab/lab.yml": LAB.replace(old, new),
    }
    found = [f for f in examine(site_of(tmp_path, files)) if f.code == "PN913"]
    assert {(says in f.message, f.hint) for f in found} == {(True, hint)}


def test_what_to_do_about_a_result_that_is_stale_or_lacks_a_value(tmp_path: Path) -> None:
    row = "- {label: A, address: 'lab:steps#misses', group: g}\n"
    files = {
        ROWS: "[16×](lab:steps#misses), [16×](lab:steps#on-a-gpu)\n\n"
        "```console lab=steps#gpu\n```\n",
        "caches/steps/lab/steps.py": PROGRAM + "# a change\n",
        "latency.yml": f"groups: {{g: {{en: G}}}}\nrows:\n{row}",
    }
    found = [(f.path.rpartition("/")[2], f.hint) for f in examine(site_of(tmp_path, files))]
    for name in ("lab.yml", "rows.md", "latency.yml"):
        assert (name, "run: perfnotes lab replace caches/steps") in found
    bind = "bind the number to lab:caches/steps#on-a-gpu@MACHINE"
    record = "run perfnotes lab record caches/steps on a machine that can"
    assert ("rows.md", f"{record}, and {bind}") in found
    other = "show another run, or make a machine that can run it the lab's `reference`"
    assert ("rows.md", other) in found


def test_shown_output(tmp_path: Path) -> None:
    good = '```console lab=steps#count\n$ python3 steps.py\n{"rows": 16, "columns": 256}\n```\n'
    assert codes(site_of(tmp_path / "a", {ROWS: good})) == []
    for old, new, code in (
        ("256", "257", "PN922"),
        ("python3 steps.py", "python3 -O steps.py", "PN922"),
        ('{"rows": 16, "columns": 256}\n', "", "PN922"),
        ("#count", "#coumt", "PN910"),
        ("#count", "#gpu", "PN913"),
        ("steps#", "stepz#", "PN910"),
    ):
        folder = tmp_path / new.replace("/", "") / code
        assert code in codes(site_of(folder, {ROWS: good.replace(old, new)})), (old, new)
    for shown, found in (("…", ["PN922"]), ("...", ["PN922"]), ("…\n\n…", ["PN922"])):
        gap = good.replace('{"rows": 16, "columns": 256}', shown)
        assert codes(site_of(tmp_path / shown / "gap", {ROWS: gap})) == found


@pytest.mark.parametrize("run", ["my-count", "Count", "", "Steps#count"])
def test_a_run_whose_name_no_lab_can_have_is_unknown(tmp_path: Path, run: str) -> None:
    text = f"[16×](lab:misses)\n\n```text lab={run}\nmade up\n```\n"
    site = site_of(tmp_path, {"caches/steps/index.md": text})
    (found,) = (f for f in examine(site) if f.code == "PN910")
    assert found.message == f"the lab of caches/steps has no run {run!r}"


def test_a_note_without_a_lab_is_told_how_to_name_the_run_of_another(tmp_path: Path) -> None:
    site = site_of(tmp_path, {ROWS: "```text lab=count\nmade up\n```\n"})
    (found,) = (f for f in examine(site) if f.code == "PN910")
    assert found.message == "this page has no lab of its own"
    assert found.hint == "write lab=topic/note#run, or add lab/lab.yml"


def test_parameters_in_a_shown_command_have_the_digits_of_the_run(tmp_path: Path) -> None:
    lab = LAB.replace("{n: 16}", "{n: 16, share: 0.12345678}")
    lab = lab.replace("python3 steps.py", "'python3 steps.py {share} {n} ${n}'")
    shown = "```console lab=count\n$ python3 steps.py 0.12345678 16 ${n}\n"
    files = {
        "caches/steps/lab/lab.yml": lab,
        "caches/steps/lab/results/example-cpu.json": recorded(lab=lab),
        "caches/steps/index.md": shown + '{"rows": 16, "columns": 256}\n```\n',
    }
    assert "PN922" not in codes(site_of(tmp_path, files))


def test_output_that_is_left_out_is_found_at_its_fence(tmp_path: Path) -> None:
    for body, line in (("$ python3 steps.py\n", 12), ("", 12), ("$ python3 steps.py\n…\n", 14)):
        text = f"Text.\n\n```console lab=steps#count\n{body}```\n"
        site = site_of(tmp_path / str(len(body)), {ROWS: text})
        assert [(f.code, f.line) for f in examine(site)] == [("PN922", line)]


def test_fix_writes_numbers_and_outputs(tmp_path: Path) -> None:
    text = (
        "It is [17.0×](lab:steps#misses), [a line](lines.md) has "
        "[0.032 KiB](fact:chip/cache-line).\n\n"
        "```console lab=steps#count\n$ python3 steps.py\nsomething else\n```\n"
    )
    site = site_of(tmp_path, {ROWS: text})
    found = list(repairs(site))
    assert len(found) == 3
    source = site.graph.links[f"notes/{ROWS}"].text.body.source.text
    now = repaired(source, found)
    assert "[16.0×](lab:" in now
    assert "[0.063 KiB](fact:" in now
    assert '$ python3 steps.py\n{"rows": 16, "columns": 256}\n```\n' in now
    (tmp_path / "notes" / ROWS).write_text(now)
    assert codes(read_site(tmp_path)) == []
    assert list(repairs(read_site(tmp_path))) == []


def test_mended_files_keep_their_line_ends() -> None:
    assert encoded_like(b"\xef\xbb\xbfa\r\nb\r\n", "c\nd\n") == b"\xef\xbb\xbfc\r\nd\r\n"
    assert encoded_like(b"a\nb\n", "c\nd\n") == b"c\nd\n"
