"""The numbers in a note: their links, the rows that say where they come from, how to run a lab."""

from __future__ import annotations

from pathlib import Path

from perfnotes.site.stage import stage
from tests.evidence_pages import Seen, seen, shown, whole, words
from tests.example_evidence import EVIDENCE, FOLDER, PROGRAM
from tests.example_notes import read_site, write_notes

__all__ = ["shown"]  # the fixture


def test_a_number_leads_to_its_evidence_and_to_its_row(shown: Seen) -> None:
    links = shown.pages["caches/ladder/"].css("a.pn-n")
    found = {words(link): str(link.attributes["href"]) for link in links}
    assert found == {
        "80×": "lab/#far",
        "80 ns": "lab/#far-time",
        "1.00 ns": "lab/#near",
        "0.97 ns": "lab/#near",
        "1.03 ns": "lab/#near",
        "15×": "lab/#far",
        "64 B": "../../facts/chips/#chip--cache-line",
        "25.6 GB/s": "../../facts/chips/#chip--bandwidth",
        "1.0×": "lab/#nothing",
        "3.2 GT/s": "../../facts/chips/#chip--rate",
    }
    assert [link.attributes["data-n"] for link in links] == [str(n) for n in range(1, 11)]
    for link in links:
        row = shown.one("caches/ladder/", f"#pn-n{link.attributes['data-n']}")
        head = row.css_first("th")
        assert head is not None
        assert words(head) == words(link)
    bold = shown.pages["caches/ladder/"].css("strong > a.pn-n")
    assert [words(b) for b in bold] == ["1.0×"]


def test_the_row_of_a_measured_number_says_all(shown: Seen) -> None:
    row = words(shown.one("caches/ladder/", "#pn-n2"))
    assert row == (
        "80 ns One load from memory median of 15 measurements 0 75 ns recorded as 80 ns; "
        "quartiles 78.6–81.0 ns; range 77.6–82.4 ns; other machines: Two CPU 15 ns"
    )
    assert "the lab requires > 20; other machines: Two CPU 15× (fails)" in words(
        shown.one("caches/ladder/", "#pn-n1")
    )
    assert "smallest of 15 measurements" in words(shown.one("caches/ladder/", "#pn-n4"))
    origin = words(shown.pages["caches/ladder/"].css(".pn-origin")[0])
    for each in (
        "A ladder of loads", "One CPU at 3.0 GHz (family 25, model 17), one core, virtual machine",
        "2026-02-01", "gcc (Debian",
        "glibc 2.36", "perfnotes reproduce caches/ladder", "Sources", "Raw data",
    ):  # fmt: skip
        assert each in origin
    assert "阴性结果" not in origin
    chinese = words(shown.one("zh/caches/ladder/", ".pn-numbers"))
    assert "内存读取与一级缓存读取之比" in chinese
    assert "四分位" in chinese or "中位数" in chinese


def test_the_row_of_a_derived_number_has_the_formula_and_its_inputs(shown: Seen) -> None:
    row = shown.one("caches/ladder/", "#pn-n8")
    assert words(row).startswith(
        "25.6 GB/s A chip: bandwidth computed from facts 25.6 GB/s: rate × width"
    )
    assert words(row).endswith("rate 3.2 GT/s; width 64 bit/T")
    sourced = words(shown.one("caches/ladder/", "#pn-n7"))
    assert sourced == ("64 B A chip: cache line stated in a source 64 B: Drepper 2007, sec. 3")


def test_one_address_has_one_row(tmp_path: Path) -> None:
    text = (
        "It is [16×](lab:misses), truly [16×](lab:caches/steps#misses), [16 倍](lab:steps#misses)."
    )
    there = seen(tmp_path, {"caches/steps/index.md": f"{text}\n"})
    links = there.pages["caches/steps/"].css("a.pn-n")
    assert [link.attributes["data-n"] for link in links] == ["1", "1", "1"]
    assert len(there.pages["caches/steps/"].css(".pn-set tbody tr")) == 1


def test_what_the_evidence_does_not_give_stays_plain_text(tmp_path: Path) -> None:
    text = (
        "Wrong [17×](lab:misses), unknown [1](lab:none), not run [2×](lab:on-a-gpu), no number "
        "[many](lab:misses), a picture ![3](lab:misses), and [by label][x].\n\n[x]: lab:nobody\n"
    )
    there = Seen(site := read_site(write_notes(tmp_path, {"caches/rows.md": text})), stage(site))
    page = there.pages["caches/rows/"]
    assert page.css("a.pn-n") == []
    assert page.css("#pn-numbers") == []
    assert "Wrong 17×, unknown 1, not run 2×, no number many" in whole(page)
    assert "17×, unknown 1" in there.markdown("caches/rows/")


def test_a_stale_number_is_plain_and_its_lab_says_so(tmp_path: Path) -> None:
    there = Seen(
        site := read_site(
            write_notes(tmp_path, {**EVIDENCE, f"{FOLDER}/ladder.c": f"{PROGRAM}\n/* new */\n"})
        ),
        stage(site),
    )
    marked = there.pages["caches/ladder/"].css("a.pn-n")
    assert {words(m) for m in marked} == {"64 B", "25.6 GB/s", "3.2 GT/s"}
    assert there.pages["caches/ladder/lab/"].css(".pn-stale")
    rows = there.pages["latency-numbers/"].css(".pn-latency tbody tr")
    assert len(rows) == 1


def test_recorded_output_says_where_it_was_recorded(tmp_path: Path) -> None:
    shown_output = '```console lab=count\n$ python3 steps.py\n{"rows": 16, "columns": 256}\n```\n'
    wrong = shown_output.replace("256", "255")
    text = f"So:\n\n{shown_output}\nand:\n\n{wrong}\n- In a list:\n\n    {shown_output}"
    there = seen(tmp_path, {"caches/steps/index.md": text})
    lines = there.pages["caches/steps/"].css(".pn-recorded")
    assert [words(line) for line in lines] == ["Recorded: run count on example-cpu"]
    href = str(lines[0].css("a")[0].attributes["href"])
    assert href == "lab/#lab--m-example-cpu"
    assert "lab=" not in whole(there.pages["caches/steps/"])
    assert len(there.pages["caches/steps/"].css("pre code")) >= 3


def test_try_it_says_what_the_lab_needs(shown: Seen) -> None:
    box = words(shown.one("caches/ladder/", ".pn-try"))
    for each in ("perfnotes reproduce caches/ladder", "gcc, python3", "gcc libc6-dev", "avx2",
                 "Cores 2", "GPU NVIDIA", "torch", "Takes about 20 s"):  # fmt: skip
        assert each in box, each
    assert shown.pages["caches/rows/"].css(".pn-try") == []
    assert "```sh\nperfnotes reproduce caches/ladder\n```" in shown.markdown("caches/ladder/")


def test_the_command_leads_to_what_says_where_it_comes_from(tmp_path: Path) -> None:
    text = "---\ntitle: Labs\ndescription: How to run one.\n---\n\n## Run one {#reproduce}\n\nSo.\n"
    page = seen(tmp_path, {**EVIDENCE, "../docs/labs.md": text}).pages["caches/ladder/"]
    [link, *_] = page.css(".pn-again a")
    assert link.attributes["href"] == "../../labs/#reproduce"
