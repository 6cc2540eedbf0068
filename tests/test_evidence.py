"""Numbers of notes held against labs, results and facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perfnotes.checks import examine
from perfnotes.checks._examples import FOLDER, LAB, PROGRAM, RESULT, recorded
from perfnotes.checks._rule import Files
from perfnotes.fixes.mend import like, mended, repairs
from perfnotes.graph import binding
from perfnotes.graph.binding import Found, KnownAmounts, compare
from perfnotes.graph.coverage import BOUND, CITED, WAIVED, WITHOUT, share
from perfnotes.graph.site import Site
from perfnotes.model.fact import FactError
from perfnotes.model.result import digest_of, from_json, to_json
from perfnotes.model.verdict import BROKEN, FAILS, HOLDS, NOT_RUN, judge_all
from perfnotes.text.quantities import find
from tests.example_notes import read_site, write_notes

ROWS = "caches/rows.md"
OTHER_STEPS = "gpu/steps/lab"  # a lab whose note has the slug of another one


def site_of(tmp_path: Path, files: Files) -> Site:
    return read_site(write_notes(tmp_path, files))


def codes(site: Site) -> list[str]:
    return [f.code for f in examine(site) if f.code.startswith("PN9")]


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
        ("2 MB", "2 MB would be as right in MiB: too few digits, or the wrong unit"),
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


def test_verdicts_of_the_example(tmp_path: Path) -> None:
    site = site_of(tmp_path, {})
    lab = site.library.labs["caches/steps"]
    result = site.library.results["caches/steps"]["example-cpu"]
    found = judge_all(lab, result)
    assert {id: v.state for id, v in found.items()} == {
        "misses": HOLDS, "columns": HOLDS, "on-a-gpu": NOT_RUN,
    }  # fmt: skip
    assert found["on-a-gpu"].why == "needs an NVIDIA GPU"
    assert found["misses"].control is not None
    assert found["misses"].control.median == 1


@pytest.mark.parametrize(
    ("old", "new", "state"),
    [
        ('"== n"', '"> 20"', FAILS),
        ('"== n"', '"> 0"', BROKEN),  # the control holds as well
        ("count.columns / count.rows", "count.columns / count.colums", BROKEN),
        ('unit: "×"', "unit: ns", BROKEN),
    ],
)
def test_claims_that_are_not_borne_out(tmp_path: Path, old: str, new: str, state: str) -> None:
    site = site_of(tmp_path, {f"{FOLDER}/lab.yml": LAB.replace(old, new, 1)})
    lab = site.library.labs["caches/steps"]
    verdict = site.graph.evidence.verdicts(lab, "example-cpu")["misses"]
    assert verdict.state == state
    assert "PN907" in codes(site)


def test_another_machine_never_fails_the_text(tmp_path: Path) -> None:
    other = recorded(columns=32.0).replace("example-cpu", "other-cpu")
    text = recorded_again(other)
    site = site_of(tmp_path, {RESULT.replace("example-cpu", "other-cpu"): text})
    assert codes(site) == []
    lab = site.library.labs["caches/steps"]
    assert site.graph.evidence.verdicts(lab, "other-cpu")["misses"].state == FAILS


def recorded_again(text: str) -> str:
    """A result's text with the digest of its contents."""
    data = json.loads(text)
    data["digest"] = digest_of(data)
    return json.dumps(data)


def test_a_result_comes_back_as_it_was_written() -> None:
    data = json.loads(recorded())
    assert to_json(from_json(data)) == data
    assert data["digest"] == digest_of(data)


@pytest.mark.parametrize(
    "data",
    [b"{}", b"", b"[]", b"{", b"\xff", b'{"format": NaN}', b"[" * 5000],
)
def test_a_broken_result_is_a_finding(tmp_path: Path, data: bytes) -> None:
    site = site_of(tmp_path, {RESULT: data})
    found = [f for f in examine(site) if f.path.endswith("example-cpu.json")]
    assert [f.code for f in found] in (["PN904"], ["PN101"])
    assert "PN913" in codes(site)  # and the numbers that stood on it have no value


def test_a_changed_source_makes_results_stale(tmp_path: Path) -> None:
    site = site_of(tmp_path, {f"{FOLDER}/steps.py": PROGRAM.replace("256", "257")})
    assert codes(site) == ["PN906", "PN906"]


def test_words_of_a_lab_may_change(tmp_path: Path) -> None:
    changed = LAB.replace("Sixteen numbers share a line.", "A line holds sixteen numbers.")
    assert codes(site_of(tmp_path, {f"{FOLDER}/lab.yml": changed})) == []


def test_files_of_a_lab_are_not_notes_and_not_published(tmp_path: Path) -> None:
    site = site_of(
        tmp_path, {f"{FOLDER}/README.md": b"# A lab\n", ROWS: "See [it](steps/lab/steps.py).\n"}
    )
    assert [f.code for f in examine(site) if f.path.endswith("README.md")] == []
    assert "PN304" in [f.code for f in examine(site)]


FACTS = """\
title: Buses
entities:
  bus:
    name: A bus
    kind: bus
    facts:
      rate: {value: 16, unit: GT/s, source: "[@drepper2007memory, sec. 2]"}
"""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("  a: {value: 1, unit: KB, source: '[@drepper2007memory, p. 1]'}", "PN902"),
        ("  a: {formula: rate * nothing, unit: GT/s}", "PN902"),
        ("  a: {formula: a * 2, unit: GT/s}", "PN902"),
        ("  a: {formula: rate, unit: GB/s}", "PN902"),
        ("  a: {formula: chip.rate / rate, unit: GB/s}", "PN902"),
        ("  a: {formula: 'rate(', unit: GB/s}", "PN902"),
        ("  a: {unit: GB/s}", "PN902"),
        (
            "  a: {value: 1, formula: rate, unit: GT/s, source: '[@drepper2007memory, p. 1]'}",
            "PN902",
        ),
        ("  a: {value: 1, unit: GB/s, source: somewhere}", "PN903"),
        ("  a: {value: 1, unit: GB/s, source: '[@nobody2007, p. 1]'}", "PN903"),
        ("  a: {value: 1, unit: GB/s, source: '[@drepper2007memory]'}", "PN903"),
    ],
)
def test_facts_that_cannot_stand(tmp_path: Path, line: str, code: str) -> None:
    site = site_of(tmp_path, {"facts/buses.yml": f"{FACTS}    {line}\n"})
    assert code in codes(site)


def test_formulas_over_other_entities(tmp_path: Path) -> None:
    line = "      share: {formula: chip.rate / rate, unit: '%'}\n"
    site = site_of(
        tmp_path, {"facts/buses.yml": FACTS + line, ROWS: "It is [20 %](fact:bus/share)\n"}
    )
    assert codes(site) == []


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
    now = mended(source, found)
    assert "[16.0×](lab:" in now
    assert "[0.063 KiB](fact:" in now
    assert '$ python3 steps.py\n{"rows": 16, "columns": 256}\n```\n' in now
    (tmp_path / "notes" / ROWS).write_text(now)
    assert codes(read_site(tmp_path)) == []
    assert list(repairs(read_site(tmp_path))) == []


def test_mended_files_keep_their_line_ends() -> None:
    assert like(b"\xef\xbb\xbfa\r\nb\r\n", "c\nd\n") == b"\xef\xbb\xbfc\r\nd\r\n"
    assert like(b"a\nb\n", "c\nd\n") == b"c\nd\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It is 9.4× slower and 3 times as long, 16 × 4 B is 64 B.",
         ["9.4×", "3 times", "4 B", "64 B"]),
        ("In Linux 6.18, since 2024, gcc 12, section 4, DDR4-3200, L1, C11, 8.5.2.", []),
        ("12 % of 3.2 GHz; 262,145 misses; 1,024 of them; a 64-byte line; 4–8 ns.",
         ["12 %", "3.2 GHz", "262,145 misses", "1,024", "64-byte", "4–8 ns"]),
        ("用了 9.4 倍的时间，64 字节，16 次；第 3 次。", ["9.4 倍", "64 字节", "16 次"]),
        ("$5 ms, 4096², 3 of 4, 8 cores, n×n, `8 ns`", ["8 ns"]),
        ("5.3 million parameters at 898 GB/s and 25 µs",
         ["5.3 million parameters", "898 GB/s", "25 µs"]),
        ("twice 2x faster 1x, then 77x.", ["2x", "77x"]),
        ("A factor of 77, or two; seventy-seven times, three times as long, done three times.",
         ["factor of 77", "seventy-seven times", "three times"]),
        ("tenfold, thirty per cent, orders of magnitude; half, twice, a third",
         ["tenfold", "thirty per cent", "orders of magnitude"]),
        ("七十七倍、五倍以上、两倍、数十倍、百分之三十、三成。",
         ["七十七倍", "五倍", "数十倍", "百分之三十", "三成"]),
    ],
)  # fmt: skip
def test_what_is_a_quantity(text: str, found: list[str]) -> None:
    assert [q.text for q in find(text)] == found


def test_the_first_paragraph_holds_two_ratios(tmp_path: Path) -> None:
    more = "It is 2×, then 4×,{gap}and 8× faster [@drepper2007memory, sec. 3.3].\n\n9×.\n"
    for head in ("", "# Rows\n\n"):
        long, short = head + more.format(gap="\n"), head + more.format(gap="\n\n")
        found = [f for f in examine(site_of(tmp_path, {ROWS: long})) if f.code == "PN925"]
        assert [f.message for f in found] == ["the first paragraph holds 3 ratios, more than two"]
        assert "PN925" not in codes(site_of(tmp_path, {ROWS: short}))


def test_words_of_a_figure_are_found_in_one_pass(tmp_path: Path) -> None:
    # 20 seconds each at twice that size, when the search for an end began at each tag anew
    for drawn in ("<text>a" * 20_000, "<text " * 20_000, f"<text>{'<' * 100_000}</text>"):
        svg = f"<svg><desc/><text>7 <b>ns</b></text>{drawn}</svg>"
        site = site_of(tmp_path, {ROWS: "![a bar](bars.svg)\n", "caches/bars.svg": svg})
        judged = site.coverages[f"notes/{ROWS}"].judged
        assert [j.quantity.text for j in judged if j.figure] == ["7 ns"]


def test_a_number_is_compared_with_few_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownAmounts([(i / 100, "ns") for i in range(10_000)] + [(3.0, "GB/s"), (0.25, "×")])
    compared: list[str] = []
    plain = binding.compare

    def counted(shown: str, found: Found) -> Any:
        compared.append(shown)
        return plain(shown, found)

    monkeypatch.setattr(binding, "compare", counted)
    right = ("7 ns", "7.35 ns", "0.05 µs", "3 GB/s", "3,000 MB/s", "25 %")
    assert [amount for amount in right if known.include(amount)] == [*right]
    wrong = ("7.357 ns", "101 ns", "4 GB/s", "7 s", "26 %", "7 blips", "ns")
    assert not [amount for amount in wrong if known.include(amount)]
    assert len(compared) < 400, "of 130,000 pairs"


def test_coverage_of_a_note(tmp_path: Path) -> None:
    text = """---
chosen: [4 KiB]
waived: {80 ns: nobody has measured this one}
---
It is [16×](lab:steps#misses), 64 B [@drepper2007memory, sec. 3]. A miss costs 80 ns. It has 4 KiB.
Then 3 GB/s [@drepper2007memory].

| what | how much |
|---|---|
| one | 7 ns [@drepper2007memory, p. 1] |
| two | 8 ns |

`9 ns` and $10 ns$ are no prose.
"""
    site = site_of(tmp_path, {ROWS: text})
    judged = site.coverages[f"notes/{ROWS}"].judged
    assert [(j.quantity.text, j.state) for j in judged] == [
        ("16×", BOUND), ("64 B", CITED), ("80 ns", WAIVED), ("3 GB/s", WITHOUT), ("7 ns", CITED),
        ("8 ns", WITHOUT),
    ]  # fmt: skip
    assert share(judged).percent == 50
    assert codes(site) == ["PN920", "PN920", "PN924", "PN924"]


def test_numbers_in_a_figure(tmp_path: Path) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>16×</text><text>99 ns</text></svg>'
    text = "It is [16×](lab:steps#misses):\n\n![a bar for each](bars.svg)\n"
    site = site_of(tmp_path, {ROWS: text, "caches/bars.svg": svg})
    judged = site.coverages[f"notes/{ROWS}"].judged
    assert [(j.quantity.text, j.state) for j in judged] == [
        ("16×", BOUND), ("16×", CITED), ("99 ns", WITHOUT),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("control: count.rows / count.rows", "control: count.columns / count.rows", "claim itself"),
        ("count.columns / count.rows", "count.columns / cuont.rows", "no run is called"),
        ("count.columns / count.rows", "count.columns /", "no expression"),
        ('"== n"', '"about n"', "no expectation"),
        ('"== n"', '"== m"', "no parameter"),
        ('unit: "×"', "unit: KB", "1000 or 1024"),
        ("kind: count", "kind: guess", "guess"),
        ("duration: 1 s", "duration: long", "long"),
        ("parameters: {n: 16}", "parameters: {count: 16}", "same name"),
        ("  columns: {what", "  misses: {what", "same name"),
        ("tool: json", "toool: json", "tool"),
    ],
)  # fmt: skip
def test_a_lab_that_cannot_be_read_says_why(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in LAB
    site = site_of(tmp_path, {f"{FOLDER}/lab.yml": LAB.replace(old, new, 1)})
    found = [f for f in examine(site) if f.code == "PN901"]
    assert found
    assert says in found[0].message + found[0].hint
    assert found[0].line > 0


def test_a_lab_needs_its_note(tmp_path: Path) -> None:
    site = site_of(tmp_path, {"gpu/other/lab/lab.yml": LAB, "gpu/third/lab/x.c": "int x;\n"})
    found = [(f.path, f.message) for f in examine(site) if f.code == "PN901"]
    assert found == [
        ("notes/gpu/other/lab/lab.yml", "a lab without its note 'gpu/other'"),
        ("notes/gpu/third/lab/lab.yml", "this lab folder has no lab.yml"),
    ]


_HEAD = """\
title: Chains
entities:
  chain:
    name: A chain
    kind: cpu
    facts:
      f0: {value: 1, unit: B, source: "[@drepper2007memory, sec. 3]"}
"""


def test_a_long_chain_of_formulas_is_computed_and_a_circle_told(tmp_path: Path) -> None:
    chain = "".join(f"      f{i}: {{formula: f{i - 1} * 1, unit: B}}\n" for i in range(1000, 0, -1))
    site = site_of(tmp_path / "chain", {"facts/chain.yml": _HEAD + chain})
    assert codes(site) == []
    assert site.library.facts.value("chain/f1000").samples == (1,)
    circle = chain.replace("formula: f0 *", "formula: f1000 *")
    facts = site_of(tmp_path / "circle", {"facts/chain.yml": _HEAD + circle}).library.facts
    with pytest.raises(FactError, match=r"needs itself: .* → … → "):
        facts.value("chain/f500")


@pytest.mark.parametrize("number", ["1e999", "9" * 400, "NaN", "[" * 100_000, "1e301"])
def test_a_result_holds_numbers_that_can_be_computed_with(tmp_path: Path, number: str) -> None:
    text = recorded().replace('"samples": [', f'"samples": [{number}, ', 1)
    assert number in text
    site = site_of(tmp_path, {f"{FOLDER}/results/example-cpu.json": text})
    assert "PN904" in codes(site)
