"""Labs, their results and facts as they are read: verdicts, formulas, and what cannot stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perfnotes.checks import examine
from perfnotes.checks._examples import FOLDER, LAB, PROGRAM, RESULT, recorded
from perfnotes.model.fact import FactError
from perfnotes.model.result import digest_of, from_json, to_json
from perfnotes.model.verdict import BROKEN, FAILS, HOLDS, NOT_RUN, judge_all
from tests.evidence_findings import ROWS, codes, site_of


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
    (found,) = (f for f in examine(site) if f.code == "PN907")
    if state == FAILS:
        assert found.message == "misses is 16 ×, expected > 20"


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


def test_what_is_wrong_with_a_result_is_said_in_plain_words(tmp_path: Path) -> None:
    whole = recorded()
    said = {
        whole[: whole.index("example-cpu") + 4]: "the file was cut off",
        whole[:-20]: "the file was cut off",
        whole.replace(",", ";", 1): "the file is no valid JSON: Expecting ',' delimiter",
        "{}": "`format` is missing in the file",
        whole.replace('"format": 1', '"format": 2'): "`format` is 2, not 1",
        whole.replace('"lab"', '"flags": [],\n "lab"', 1): (
            "the file is no valid JSON: it has the key 'flags' twice"
        ),
        whole.replace('"2026-01-31"', '"2026-13-01"'): (
            "`date` is '2026-13-01', which does not have the right form"
        ),
    }
    for i, (data, message) in enumerate(said.items()):
        found = [
            f for f in examine(site_of(tmp_path / str(i), {RESULT: data})) if f.code == "PN904"
        ]
        assert [f.message for f in found] == [message]


def test_a_changed_source_makes_results_stale(tmp_path: Path) -> None:
    site = site_of(tmp_path, {f"{FOLDER}/steps.py": PROGRAM.replace("256", "257")})
    assert codes(site) == ["PN906", "PN906"]


def test_words_of_a_lab_may_change(tmp_path: Path) -> None:
    changed = LAB.replace("Sixteen numbers share a line.", "A line holds sixteen numbers.")
    assert codes(site_of(tmp_path, {f"{FOLDER}/lab.yml": changed})) == []


def test_where_a_lab_can_run_may_change(tmp_path: Path) -> None:
    assert "needs: {" in LAB
    changed = LAB.replace("needs: {", "needs: {root: true, files: [/boot/vmlinuz], ", 1)
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


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ("{facts: [ratte]}", "no bus of this file has a fact 'ratte'"),
        ("{facts: [rate], units: [GX/s]}", "the column of 'rate': 'GX/s' is no unit"),
        ("{facts: [rate], units: [GB/s]}", "the column of 'rate': GT/s does not convert to GB/s"),
        ("{facts: []}", "is empty"),
    ],
)
def test_columns_that_no_fact_fills(tmp_path: Path, column: str, says: str) -> None:
    compared = f"compare:\n  bus:\n  - {column}\n  - {{facts: [rate]}}\nentities:"
    text = FACTS.replace("entities:", compared)
    found = [f for f in examine(site_of(tmp_path, {"facts/buses.yml": text})) if f.code == "PN902"]
    assert [(f.line, says in f.message) for f in found] == [(4, True)]


def test_formulas_over_other_entities(tmp_path: Path) -> None:
    line = "      share: {formula: chip.rate / rate, unit: '%'}\n"
    site = site_of(
        tmp_path, {"facts/buses.yml": FACTS + line, ROWS: "It is [20 %](fact:bus/share)\n"}
    )
    assert codes(site) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("control: count.rows / count.rows", "control: count.columns / count.rows", "claim itself"),
        ("count.columns / count.rows", "count.columns / cuont.rows", "no run is called"),
        ("count.columns / count.rows", "count.columns /", "no expression"),
        ("count.columns / count.rows", "count.columns / 2)", "no expression: unmatched ')'"),
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
