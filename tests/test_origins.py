"""How a number came to be, in words: from its expression, its samples and its claim."""

from __future__ import annotations

import dataclasses
import random

import pytest
from msgspec.structs import replace

from perfnotes.graph.binding import Found
from perfnotes.graph.site import Site
from perfnotes.model.lab import Value
from perfnotes.model.quantity.expression import FUNCTIONS, parse
from perfnotes.model.result import Samples
from perfnotes.model.verdict import judge
from perfnotes.site.render.origins import is_computed, origin_words, statistics_words
from perfnotes.site.render.spreads import on_card
from perfnotes.site.safety import judge as judge_html
from tests.example_evidence import EVIDENCE, ID
from tests.example_notes import read_site, write_notes


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return read_site(write_notes(tmp_path_factory.mktemp("origins"), EVIDENCE))


def found(site: Site, expression: str, kind: str, stat: str = "", claim: str = "near") -> Found:
    """What an address names whose value has this expression."""
    lab = site.library.labs[ID]
    result = site.library.results[ID]["one-cpu"]
    once = {name: Samples((3.0,)) for name in ("a", "b", "c")}
    alike = {"same": Samples((3.0, 3.0, 3.0)), "some": Samples((3.0, 4.0, 5.0))}
    time = result.runs["time"]
    more = {**time.quantities, **once, **alike, "few": Samples((1.0, 2.0, 4.0), "s")}
    result = dataclasses.replace(result, runs={"time": replace(time, quantities=more)})
    site.library.results[ID]["one-cpu"] = result
    value: Value = replace(lab.shown[claim], expression=parse(expression), kind=kind, unit="")
    try:
        verdict = judge(lab, value, result)
        if verdict.spread is None:
            value = replace(value, unit="s")
            verdict = judge(lab, value, result)
    finally:
        assert verdict.spread, verdict.why
    return Found(lab, value, "one-cpu", stat, verdict, number=verdict.number)


@pytest.mark.parametrize(
    ("expression", "kind", "english", "chinese"),
    [
        ("time.a", "count", "a count, the same each time", "一个计数，每次相同"),
        ("time.same", "count", "a count, the same each time", "一个计数，每次相同"),
        ("median(time.same)", "count", "a count, the same each time", "一个计数，每次相同"),
        ("time.a / time.b", "count", "ratio of two counts, the same each time",
         "两个计数之比，每次相同"),
        ("time.a - time.b", "count", "difference of two counts, the same each time",
         "两个计数之差，每次相同"),
        ("time.a + time.b + time.c", "count", "sum of three counts, the same each time",
         "3 个计数之和，每次相同"),
        ("time.a / n", "count", "computed from one count, the same each time",
         "由一个计数算出，每次相同"),
        ("(time.a + time.b) / time.a", "count", "computed from two counts, the same each time",
         "由两个计数算出，每次相同"),
        ("n ** 2 / 16", "count", "computed from the lab's parameters, not measured",
         "由实验的参数算出，并非测得"),
        ("time.a", "timing", "one measurement", "单独一次测量"),
        ("time.near", "timing", "median of 15 measurements", "15 次测量的中位数"),
        ("mean(time.near)", "timing", "mean of 15 measurements", "15 次测量的平均值"),
        ("time.far / time.near", "timing", "median of 15 ratios of two measurements each",
         "15 个比值（各为两次测量之比）的中位数"),
        ("median(time.far) / median(time.near)", "timing",
         "ratio of two medians, each of 15 measurements", "两个中位数之比，各取自 15 次测量"),
        ("median(time.far) / median(time.few)", "timing",
         "ratio of two medians, of 15 and 3 measurements",
         "两个中位数之比，分别取自 15 和 3 次测量"),
        ("2 * time.near / time.far", "timing",
         "median of 15 values, each computed from two measurements",
         "15 个数值（各由两次测量算出）的中位数"),
        ("median(time.far) / time.near", "timing",
         "median of 15 values, each computed from two quantities",
         "15 个数值（各由两个量算出）的中位数"),
    ],
)  # fmt: skip
def test_what_is_said_of_an_expression(
    site: Site, expression: str, kind: str, english: str, chinese: str
) -> None:
    of = found(site, expression, kind)
    assert origin_words(site.graph.evidence, of, "en") == english
    assert origin_words(site.graph.evidence, of, "zh") == chinese


@pytest.mark.parametrize(
    ("stat", "said"),
    [
        ("low", "lower quartile of 15 measurements"),
        ("max", "largest of 15 measurements"),
        ("n", "number of samples"),
    ],
)
def test_a_part_of_the_spread_is_named(site: Site, stat: str, said: str) -> None:
    of = found(site, "time.near", "timing", stat)
    assert origin_words(site.graph.evidence, of, "en") == said


def test_a_count_that_may_differ_says_so(site: Site) -> None:
    evidence = site.graph.evidence
    of = found(site, "time.a", "count", claim="far")
    for tolerance, said in ((0.02, "which may differ by up to 2\u00a0% from run to run"),
                            (10.0, "which may differ from run to run")):  # fmt: skip
        claim = replace(of.value, tolerance=tolerance)  # type: ignore[type-var]
        assert origin_words(evidence, replace(of, value=claim), "en") == f"a count, {said}"
    lab = site.library.labs[ID]
    claims = {"far": replace(lab.claims["far"], expression=parse("time.a"), tolerance=0.02)}
    value = replace(of, lab=replace(lab, claims=claims), value=found(site, "time.a", "count").value)
    assert origin_words(evidence, value, "en") == "a count, which may differ from run to run"


def test_the_statistics_of_a_ratio_are_told(site: Site) -> None:
    evidence = site.graph.evidence
    ratio = found(site, "median(time.far) / median(time.near)", "timing")
    said = [each.replace("\u00a0", " ") for each in statistics_words(evidence, ratio, "en")]
    assert said == ["median of far 80 ns", "median of near 1 ns"]
    assert statistics_words(evidence, found(site, "time.near", "timing"), "en") == []
    assert not is_computed(evidence, ratio)
    assert is_computed(evidence, found(site, "2 * time.near", "timing"))


def expressions(seed: int) -> str:
    """A random expression over the example's quantities and its parameter."""
    rng = random.Random(seed)
    names = ("time.a", "time.b", "time.same", "time.some", "time.near", "time.few", "n", "2", "0.5")

    def made(depth: int) -> str:
        kind = rng.random()
        if not depth or kind < 0.3:
            return rng.choice(names)
        if kind < 0.6:
            return f"{rng.choice(sorted(FUNCTIONS))}({made(depth - 1)})"
        if kind < 0.7:
            return f"max({made(depth - 1)}, -{made(depth - 1)})"
        return f"({made(depth - 1)} {rng.choice('+-*/')} {made(depth - 1)})"

    return made(3)


def test_whatever_the_expression_there_are_words_and_no_traceback(site: Site) -> None:
    evidence, said = site.graph.evidence, 0
    for seed in range(1500):
        for kind in ("count", "timing"):
            try:
                of = found(site, expressions(seed), kind, ("", "low", "n")[seed % 3])
            except AssertionError:
                continue  # it cannot be computed
            for lang in ("en", "zh"):
                words = origin_words(evidence, of, lang)
                assert words.strip() == words != ""
                assert "{" not in words
                statistics_words(evidence, of, lang)
            drawn = on_card(evidence, of)
            assert "nan" not in drawn
            assert "inf" not in drawn
            assert judge_html(f"<div>{drawn}</div>") == []
            said += 1
    assert said > 500
