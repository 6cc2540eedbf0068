"""``perfnotes claims``: the sentences that state a fact, their evidence and signs of faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.claims.score import labelled, score

from perfnotes.cli.main import main
from perfnotes.model.review import sentences_of
from perfnotes.text.assertions import states_fact
from perfnotes.text.body import read_body
from perfnotes.text.sentences import (
    CAPTION,
    CONFIRM,
    HEADER,
    HEADING,
    PROSE,
    ROW,
    Sentence,
    sentences,
)
from perfnotes.text.signs import signs
from perfnotes.text.source import Source
from tests.example_notes import read_site, write_notes

_CONFIRM = "`perf stat ./walk` shows 16 × as many misses and takes 7 ns more."
WITH_SYMPTOMS = {
    "caches/steps/index.md": f"""\
---
symptoms:
- id: slow
  see: My walk is slow.
  confirm: "{_CONFIRM}"
- id: slower
  see: My walk is slower than yours.
  confirm: Swap the loops.
---

A walk takes [16×](lab:misses) as long.
""",
    "caches/steps/index.zh.md": """\
---
symptoms:
- id: slow
  see: 我的遍历很慢。
  confirm: "`perf stat` 显示未命中多得多。"
title: 步长
---

遍历很慢。
""",
}
TEXT = """\
## Latency and throughput are two numbers

A list waits for *each* load, which
takes 4 cycles. **Mind the order.** So it is slow.

- A first item, e.g. one with a point.
- A second one.

> A quote that
> goes on.

| size | time |
|---|---|
| 16 KiB | 1 ns |

![Two lines](lines.svg)

```c
int hidden; /* A sentence in code. */
```

**缓存行是单位。** 两个核心各写各的。**3. 退休**时恢复次序。<!-- A comment. -->
"""


def found_in(text: str) -> list[Sentence]:
    body = read_body(Source("x.md", text))
    return list(sentences(body.document, body.prose))


def test_sentences_come_whole_and_in_their_order() -> None:
    found = [(s.kind, " ".join(s.markdown.split())) for s in found_in(TEXT)]
    assert found == [
        (HEADING, "Latency and throughput are two numbers"),
        (PROSE, "A list waits for *each* load, which takes 4 cycles."),
        (PROSE, "**Mind the order.** So it is slow."),
        (PROSE, "A first item, e.g. one with a point."),
        (PROSE, "A second one."),
        (PROSE, "A quote that > goes on."),
        (HEADER, "| size | time |"),
        (ROW, "| 16 KiB | 1 ns |"),
        (CAPTION, "![Two lines](lines.svg)"),
        (PROSE, "**缓存行是单位。**"),
        (PROSE, "两个核心各写各的。"),
        (PROSE, "**3. 退休**时恢复次序。"),
    ]  # fmt: skip


def test_a_digest_is_that_of_the_words_and_of_their_evidence() -> None:
    def digests(text: str) -> list[str]:
        return [s.digest for s in found_in(text)]

    sentence = "A load takes [4 ns](lab:load) here\n[@drepper2007memory, sec. 3].\n"
    same = "> A load  takes [4 ns](lab:load) here [@drepper2007memory,\n> sec. 3].\n"
    assert digests(sentence) == digests(same)
    for old, new in (("4 ns", "5 ns"), ("lab:load", "lab:store"), ("sec. 3", "sec. 4"), ("A", "a")):
        assert digests(sentence) != digests(sentence.replace(old, new))


def test_most_facts_among_labelled_sentences_are_found() -> None:
    """Recall is the promise; a rule that takes every sentence would be of no use."""
    rows = labelled()
    assert len(rows) >= 200
    for half in ("tuning", "held", "fresh"):
        recall, precision = score([(fact, s) for each, _, fact, s in rows if each == half])
        assert recall >= 0.95, half
        assert precision >= 0.8, half


@pytest.mark.parametrize(
    ("kind", "text", "fact"),
    [
        (PROSE, "Give each thread a line of its own.", False),
        (PROSE, "Give each thread a line of its own, because a shared one moves.", True),
        (PROSE, "Is it worth it?", False),
        (PROSE, "[[row-order]] explains lines.", False),
        (PROSE, "A line of 64 bytes moves at each write.", True),
        (PROSE, '**"Padding is free."**', False),
        (PROSE, "填充见 [[row-order]]。", False),
        (PROSE, "不要按行来布置数据。", False),
        (PROSE, "每次写都会抢走缓存行。", True),
        (HEADING, "How to see it", False),
        (HEADING, "Why one order is slow", True),
        (HEADING, "首次访问的缺页不是冷缓存", True),
        (ROW, "| 16 KiB | 1 ns |", True),
        (HEADER, "| size | time |", False),
    ],
)
def test_what_states_a_fact(kind: str, text: str, fact: bool) -> None:
    assert states_fact(Sentence(0, 0, kind, text)) == fact


@pytest.mark.parametrize(
    ("letter", "english", "chinese"),
    [
        ("a", "`grep -c xmm` counts the shuffles.", "用正则数到两条。"),
        ("b", "`strace -c` sums the time.", "`strace -c` 累加时间。"),
        ("c", "Built with `-O2 -march=native`.", "默认打开。"),
        ("d", "The core always waits.", "核心总是等待。"),
        ("e", "So says @drepper2007memory.", "见 [@drepper2007memory]。"),
        ("f", "On Zen 4 it is free.", "在 Zen 4 上免费。"),
        ("g", "It is twice as fast.", "它比原来快。"),
    ],
)
def test_signs_of_each_kind_in_both_languages(letter: str, english: str, chinese: str) -> None:
    for text in (english, chinese):
        assert letter in [sign.letter for sign in signs(Sentence(0, 0, PROSE, text))], text
    assert not signs(Sentence(0, 0, PROSE, "It waits."))
    assert [s.letter for s in signs(Sentence(0, 0, CAPTION, "It waits."))] == ["h"]


def claims(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    capsys.readouterr()
    assert main(["claims", *arguments, "--json", "--notes", str(folder / "notes")]) == 0
    return json.loads(capsys.readouterr().out)


def test_each_sentence_comes_with_its_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = (
        "A walk takes [16×](lab:misses) as long, 5 ns in all. Some say so "
        "[@drepper2007memory, sec. 3]. Its time is $2n$.\n\n```console lab=count\n"
        "$ python3 steps.py\n```\n"
    )
    write_notes(tmp_path, {"caches/steps/index.md": more})
    (text,) = claims(tmp_path, capsys, "caches/steps")
    by_text = {claim["text"].split()[0]: claim for claim in text["claims"]}
    kinds = {first: [e["kind"] for e in by_text[first]["evidence"]] for first in by_text}
    assert kinds["A"] == ["lab", "near", "output"]
    assert kinds["Some"] == ["source", "output"]
    assert kinds["Its"] == ["formula", "near", "output"]
    walk = by_text["A"]
    assert walk["evidence"][0]["words"] == "lab:misses, 16 ×"
    assert walk["without_evidence"] == ["5 ns"]
    assert walk["line"] == 10
    assert walk["column"] == 1
    assert "g" in walk["signs"]


def test_how_to_confirm_a_symptom_is_a_statement_in_both_languages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its own place, in plain words; of its numbers those that the text does not show."""
    write_notes(tmp_path, WITH_SYMPTOMS)
    counted = claims(tmp_path, capsys, "caches/steps", "--count")
    (english,) = claims(tmp_path, capsys, "caches/steps")
    (chinese,) = claims(tmp_path, capsys, "caches/steps", "--lang", "zh")
    found = [[c for c in text["claims"] if c["kind"] == CONFIRM] for text in (english, chinese)]
    slow, again = found[0]
    assert slow["text"] == "perf stat ./walk shows 16 × as many misses and takes 7 ns more."
    assert (slow["line"], slow["column"]) == (5, 3)
    assert again["text"] == "Swap the loops."  # advice in a note is none; here it says the cause
    assert (slow["evidence"], slow["without_evidence"]) == ([], ["7 ns"])
    assert "b" in slow["signs"]
    assert [c["text"] for c in found[1]] == ["perf stat 显示未命中多得多。"]
    assert found[1][0]["line"] == 5
    assert english["claims"].index(slow) < english["claims"].index(again)
    assert (counted["with_evidence"], counted["quantities"]) == (1, 1)  # those of the text alone


def test_the_chinese_text_by_language_or_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path)
    (by_language,) = claims(tmp_path, capsys, "caches/lines", "--lang", "zh")
    (by_path,) = claims(tmp_path, capsys, str(tmp_path / "notes/caches/lines.zh.md"))
    assert by_language == by_path
    assert by_path["language"] == "zh"
    assert "内核会告诉我们大小：" in [claim["text"] for claim in by_path["claims"]]
    for wrong in (["caches/line"], ["caches/rows", "--lang", "zh"], []):
        assert main(["claims", *wrong, "--notes", str(tmp_path / "notes")]) == 2


def test_deleting_numbers_does_not_raise_the_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path / "all", {"caches/rows.md": "It took 5 ns.\n"})
    counted = claims(tmp_path / "all", capsys, "--count")
    assert (counted["with_evidence"], counted["quantities"]) == (2, 3)
    write_notes(tmp_path / "fewer", {"caches/rows.md": "It took long.\n"})
    assert claims(tmp_path / "fewer", capsys, "--count")["with_evidence"] == 2
    assert claims(tmp_path / "fewer", capsys, "--count", "caches/rows")["with_evidence"] == 0
    write_notes(tmp_path / "none", {"caches/steps/index.md": "It took long.\n"})
    assert claims(tmp_path / "none", capsys, "--count")["with_evidence"] == 0


def test_long_texts_take_time_in_proportion(tmp_path: Path) -> None:
    """Very long sentences, and sentences of nothing but marks, come to an end."""
    for text in (
        "word " * 20_000,
        "**a" * 20_000,
        "[[" * 20_000,
        "“" * 40_000,
        "如果" * 20_000,
    ):
        site = read_site(write_notes(tmp_path, {"caches/rows.md": f"{text}\n"}))
        note = site.library.notes["caches/rows"]
        for each in sentences_of(note.meta, note.body):
            states_fact(each)
            signs(each)
