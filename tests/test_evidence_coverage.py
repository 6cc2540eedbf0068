"""Which quantities in a text, a table or a figure stand on evidence, and which on nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perfnotes.checks import examine
from perfnotes.graph import binding
from perfnotes.graph.binding import Found, KnownAmounts
from perfnotes.graph.coverage import BOUND, CITED, WAIVED, WITHOUT, share
from perfnotes.text.quantities import find
from tests.evidence_findings import ROWS, codes, site_of


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
