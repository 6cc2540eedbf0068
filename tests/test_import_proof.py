"""The proof of an import: it finds each word that is gone, and accuses no draft wrongly."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfnotes.cli.main import main
from perfnotes.contribute.imports import proof, steps
from perfnotes.contribute.imports.draft import Draft
from perfnotes.contribute.imports.imported_page import ImportedPage
from perfnotes.contribute.imports.options import ImportOptions
from perfnotes.contribute.imports.words import words
from perfnotes.model.library import Library
from tests.example_notes import read_site, write_notes
from tests.import_samples import SAMPLES, imported


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return read_site(write_notes(tmp_path_factory.mktemp("notes"))).library


def without(draft: Draft, word: str) -> None:
    """Take the first of a word out of a draft's text."""
    draft.page = replace(draft.page, text=draft.page.text.replace(word, "", 1))


@pytest.mark.parametrize("format", SAMPLES)
@given(seed=st.integers(0, 10**6), level=st.sampled_from((0, 0, 1, 2)))
@settings(max_examples=25, deadline=None)
def test_a_whole_draft_is_not_accused(library: Library, format: str, seed: int, level: int) -> None:
    text = SAMPLES[format](random.Random(seed)).text()
    assert not proof.lost(text, format, imported(text, format, library, level)), text


@pytest.mark.slow
@pytest.mark.parametrize("format", SAMPLES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_a_word_taken_out_is_found(library: Library, format: str, seed: int) -> None:
    chance = random.Random(seed)
    sample = SAMPLES[format](chance)
    text = sample.text()
    draft = imported(text, format, library)[0]
    # A word that the source shows as text, and not as an address or a name of its markup.
    shown = {*words(draft.page.text)} & {*words(proof.visible(text, format))}
    wanted = [
        w for w in sample.visible if w in shown and text.count(w) == draft.text().count(w) == 1
    ]
    if not wanted:
        return
    word = chance.choice(wanted)
    without(draft, word)
    found = proof.lost(text, format, [draft])
    assert word in [w for each in found for w in each.words], (text, draft.text())
    assert any(word in each.text for each in found)


def test_words_count(library: Library) -> None:
    text = "One two two.\n\nAnd two again.\n"
    draft = imported(text, "markdown", library)[0]
    without(draft, "And two again.")
    draft.description = "x"
    assert proof.lost(text, "markdown", [draft]) == [
        proof.Lost(3, "And two again.", ("And", "two", "again"))
    ]


def test_a_lost_line_is_kept_with_the_part_that_it_belongs_to(library: Library) -> None:
    text = "# Whole\n\n## One\n\nFirst words.\n\n## Two\n\nSecond thoughts.\n"
    made = imported(text, "markdown", library, 2)
    assert len(made) == 3 - 1
    without(made[1], "Second thoughts.")
    made[1].description = "x"
    proof.keep_all(made, {"source.txt": text}, ImportOptions(format="markdown"))
    kept = "# Kept from the source, as the form of a note has no place for it:\n"
    assert f"{kept}# line 9: Second thoughts.\n" in made[1].text()
    assert "line 9" not in made[0].text()
    told = str(made[1].guesses[-1])
    assert told.startswith("source.txt:9: not found again in the draft: Second thoughts; the line")
    assert not proof.lost(text, "markdown", made)


@pytest.mark.parametrize(
    ("format", "source"),
    [
        ("markdown", "See <b class='why'>bold</b> [x](a%20b.md 'a title') and&nbsp;on.\n"),
        ("markdown", "```cpp {linenos=1}\nint x;\n```\n\n{{< figure src=a.png title=\"It\" >}}\n"),
        ("markdown", "# A\n\n#: 12\nDo date: May 3\nlink: https://example.org\nTags: b\n\nD.\n"),
        ("mediawiki", "{| class=\"x\"\n! scope=\"col\" | A || B\n|-\n| align=\"x\" | [[c]]s\n|}\n"),
        ("mediawiki", "[[File:a.png|thumb|200px|alt=Rows|What it shows]]\n"),
        ("mediawiki", "<!-- so --> [[cache]]s * in code\n"),
        ("dokuwiki", "[[wp>CPU cache|caches]] {{a.png?200|words}} ~~NOTOC~~\n"),
        ("html", "<script>gone()</script><p>a&lt;b <img alt='rows' src=x.png>\n"),
        ("text", "100%cache &lt; 50%\n"),
    ],
)  # fmt: skip
def test_marks_are_no_words(library: Library, format: str, source: str) -> None:
    assert not proof.lost(source, format, imported(source, format, library))


def test_words_that_stand_only_in_a_tag_are_kept(library: Library) -> None:
    text = "See <b title='why it is so'>bold</b>.\n"
    made = imported(text, "markdown", library)
    assert [each.words for each in proof.lost(text, "markdown", made)] == [
        ("why", "it", "is", "so")
    ]


def test_the_command_keeps_what_a_conversion_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "project"
    write_notes(root)
    (root / "mkdocs.yml").write_text("site_name: Example\n")
    monkeypatch.chdir(root)
    after_links = steps.after_links

    def faulty(page: ImportedPage) -> ImportedPage:
        return after_links(replace(page, text=page.text.replace("precious", "")))

    monkeypatch.setattr(steps, "after_links", faulty)
    source = tmp_path / "a.md"
    source.write_text("# A note\n\nSome words here.\n\nThe precious part of it.\n")
    assert main(["import", str(source), "--topic", "gpu"]) == 0
    assert "a.md:5: not found again in the draft: precious;" in capsys.readouterr().out
    note = (root / "notes/gpu/a.md").read_text()
    assert "# line 5: The precious part of it.\n" in note


@pytest.mark.parametrize(
    ("title", "heading", "gone"),
    [
        ("What a pipe &amp; a file cost", "What <em>a pipe</em> &amp; a file\n cost", []),
        ("What a pipe costs", "<a id=x></a>What a pipe costs", []),
        ("Of the whole site", "What a pipe costs", ["Of", "the", "whole", "site"]),
    ],
)
def test_a_title_that_is_the_heading_too_is_one(
    library: Library, title: str, heading: str, gone: list[str]
) -> None:
    text = f"<!doctype html>\n<title>{title}</title>\n<h1>{heading}</h1>\n<p>It costs time.\n"
    draft = imported(text, "html", library)[0]
    assert not proof.lost(text, "html", [draft])
    draft.asides.clear()
    found = proof.lost(text, "html", [draft])
    assert [word for each in found for word in each.words] == gone
