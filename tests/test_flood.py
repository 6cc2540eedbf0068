"""A few inputs of each kind of ``benchmarks.hostile.flood``, and what its judge must see."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby

import pytest
from benchmarks.hostile import judge
from benchmarks.hostile.inputs import Input, inputs
from benchmarks.hostile.worker import tried

from perfnotes.source import yamlfile
from perfnotes.source.read import results
from perfnotes.text.source import Source


@pytest.mark.slow
def test_a_few_inputs_of_each_kind_do_no_harm() -> None:
    kinds: dict[tuple[bool, str], list[Input]] = defaultdict(list)
    for each in inputs(160, 120, 3):
        kinds[each.mutated, each.kind].append(each)
    assert len(kinds) > 12
    chosen = [
        each for of_kind in kinds.values() for each in of_kind[: 1 if of_kind[0].alone else 4]
    ]
    together = [each for each in chosen if not each.alone]
    tables = {each.path: each for each in chosen if each.alone}
    for batch in (together, list(tables.values())):
        answer = tried(batch, 60)
        assert answer["outcome"] == "ok", answer
        assert not answer["scripts"]
        assert not answer["requests"]


@pytest.mark.slow
def test_the_same_seed_makes_the_same_inputs() -> None:
    one, other = inputs(40, 40, 7), inputs(40, 40, 7)
    assert [(e.path, e.data) for e in one] == [(e.path, e.data) for e in other]
    assert len(list(groupby(one, lambda e: e.kind))) > 8


@pytest.mark.parametrize(
    "html",
    [
        "<p><script>x</script>", "<b onclick=x>y</b>", "<a href=' java\nscript:x'>y</a>",
        "<svg><a xlink:href=javascript:x></a></svg>", "<iframe></iframe>",
    ],
)  # fmt: skip
def test_the_judge_sees_scripts(html: str) -> None:
    assert judge.page(html).scripts


@pytest.mark.parametrize(
    "html",
    [
        "<img src=//a.example/b>", "<img srcset='https://a.example/b 2x'>",
        "<a ping=x href=y>z</a>", "<p style='background:url(x)'>", "<link rel=stylesheet href=x>",
    ],
)  # fmt: skip
def test_the_judge_sees_requests(html: str) -> None:
    assert judge.page(html).requests


def test_the_judge_lets_plain_text_and_links_pass() -> None:
    assert judge.page("<p id=a>Words <a href='https://a.example'>x</a></p>") == judge.Verdict()
    plain = b'<svg xmlns="http://www.w3.org/2000/svg"><rect fill="url(#a)"/></svg>'
    assert judge.figure(plain) == judge.Verdict()
    asks = b'<svg xmlns="http://www.w3.org/2000/svg"><image href="//a.example/b"/></svg>'
    assert judge.figure(asks).requests


def test_a_key_that_is_no_word_is_its_text() -> None:
    """A key such as ``1`` or ``on`` once stood among texts, which could not be sorted then."""
    source = Source("notes/tags.yml", "a: 1\n1: 2\non: 3\nnull: 4\n2026-01-31: 5\n")
    document, findings = yamlfile.load(source)
    assert findings == []
    assert document is not None
    assert list(document.value) == ["a", "1", "on", "null", "2026-01-31"]


def test_an_escape_that_names_no_character_is_refused() -> None:
    """Half of a pair of surrogates can be written as an escape, and no page can hold it."""
    source = Source("notes/tags.yml", '- id: "a\\ud800b"\n')
    _, findings = yamlfile.load(source)
    assert [f.code for f in findings] == ["PN104"]
    with pytest.raises(ValueError, match="half a character"):
        results._json('{"machine": "\\ud800"}')
