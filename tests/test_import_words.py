"""No import loses a word, and no draft of one is refused by ``check``, whatever the source is."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfnotes.contribute.imports.words import words
from perfnotes.model.library import Library
from tests.example_notes import read_site, write_notes
from tests.import_samples import SAMPLES, errors, everything, imported, lost, missing


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return read_site(write_notes(tmp_path_factory.mktemp("notes"))).library


@pytest.mark.parametrize("format", SAMPLES)
@given(seed=st.integers(0, 10**6), level=st.sampled_from((0, 0, 1, 2)))
@settings(max_examples=15, deadline=None)
def test_every_visible_word_comes_in_its_order(
    library: Library, format: str, seed: int, level: int
) -> None:
    sample = SAMPLES[format](random.Random(seed))
    text = sample.text()
    made = imported(text, format, library, level)
    assert not lost(sample, made), (text, everything(made))
    assert not errors(made, library), (text, everything(made))


@pytest.mark.parametrize("format", SAMPLES)
@given(text=st.text(max_size=80))
@settings(max_examples=15, deadline=None)
def test_any_text_becomes_a_note_without_errors(library: Library, format: str, text: str) -> None:
    made = imported(text, format, library)
    assert not errors(made, library), (text, everything(made))


# What the fuzzer found, each with the words that went wrong.
FOUND = {
    ("text", "100 %% of 50 %% is 50\n"): "100 of 50 is 50",
    ("html", "<h2>" + "long " * 40 + "end</h2><p>text"): "long long end text",
    ("html", "<pre>one <img alt='two'> three</pre>"): "one two three",
    ("html", "<p>one <![](/ two</p>three"): "one two three",
    ("html", "<p>one<script>two <b>three"): "one two three",
    ("html", "<p>one&#8232;two</p><!-- a&#8232;b\u2028c -->"): "one two",
    ("markdown", "<pre>\none<script> two\n</pre>\n"): "one two",
    ("markdown", "[one](https<?://x)\n"): "one",
    ("markdown", "![one](https://example.org]]/x.png) two\n"): "one two",
    ("markdown", "![one](https://]]ex<ref>[[ple.org/x.png)\n"): "one",
    (
        "html",
        "<h4><a href='x::: y```z'>one</a> <a href='x y.html'>two</a> <pre>three</pre></h4>",
    ): "one two three",
    ("markdown", "one <@b>two\n"): "one b two",
    ("markdown", "[one][a]\n\n<div>[a]: https://exa]mple.org\n\n## two\n"): "one two",
    ("markdown", "| a | one |\n| two | three |\n"): "a one two three",
    ("markdown", "one $x two $$ three\n"): "one x two three",
    ("markdown", "# one\n\n## two\n\na\n\n## three {#two}\n\nb\n"): "two a three b",
    ("markdown", "$$\n\\begin{x}\n\n\\sum_{n=1} one\n"): "n 1 one",
}


@pytest.mark.parametrize(("source", "wanted"), FOUND.items(), ids=range(len(FOUND)))
def test_what_was_lost_once(library: Library, source: tuple[str, str], wanted: str) -> None:
    made = imported(source[1], source[0], library)
    assert not missing(words(wanted), words(everything(made)))
    assert not errors(made, library, staged=True)


def test_words_out_of_order_are_missing() -> None:
    assert missing(["one", "two", "two"], ["two", "one", "two"]) == ["two"]
    assert words("x_y 缓存a1") == ["x", "y", "缓", "存", "a1"]


@pytest.mark.parametrize("title", ["# Whole title\n", "Whole title\n===\n"])
def test_a_page_of_one_part_keeps_its_title(library: Library, title: str) -> None:
    made = imported(f"{title}\n## Only part\n\nWords.\n", "markdown", library, 2)
    assert [d.title for d in made] == ["Whole title"]
    assert "## Only part" in made[0].text()


def test_a_title_right_before_the_first_part_is_kept_with_it(library: Library) -> None:
    made = imported("# Whole\n\n## One\n\nWords.\n\n## Two\n\nMore.\n", "markdown", library, 2)
    assert [d.title for d in made] == ["Whole: One", "Two"]
