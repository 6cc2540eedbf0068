"""What a pull request below ``notes/`` tries besides HTML: links of the file system, characters
that nobody sees, and words that look as if the site had said them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from perfnotes.checks._rule import Files, Symlink
from perfnotes.contribute.imports.place import TakenError, place
from perfnotes.source.inputs import file_content
from perfnotes.source.read.folder import read_library
from perfnotes.text.findings import Finding, Severity
from perfnotes.text.source import read_data
from tests.engine_of import findings_as_built

Look = Callable[[Files], list[Finding]]
TABLES = ("topics", "tags", "glossary", "symptoms", "tools", "latency", "wanted")


@pytest.fixture
def look(tmp_path: Path) -> Look:
    return partial(findings_as_built, tmp_path / "project")


@pytest.mark.parametrize("name", [*(f"{table}.yml" for table in TABLES), "references.bib"])
def test_no_table_is_read_through_a_link_out_of_the_notes(
    name: str, look: Look, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("- id: hunter2\n")
    found = look({name: Symlink(str(secret))})
    told = [f for f in found if f.path == f"notes/{name}"]
    assert [f.code for f in told] == ["PN106"]
    assert not any("hunter2" in f"{f.message} {f.hint}" for f in found)


def test_a_device_without_an_end_is_not_read() -> None:
    assert read_data(Path("/dev/zero"), "x").bytes is None
    assert len(file_content("/dev/zero")) < 100


def test_a_link_within_the_notes_is_a_table(look: Look) -> None:
    assert not look({"tags.yml": Symlink("more/tags.yml"), "more/tags.yml": (
        "- id: cache\n  name: {en: Cache, zh: 缓存}\n"
        "  description: {en: Fast memory near a core., zh: 离核心近的快速存储。}\n"
    )})  # fmt: skip


def test_without_its_topics_a_project_still_has_errors(tmp_path: Path) -> None:
    note = tmp_path / "caches" / "rows.md"
    note.parent.mkdir()
    note.write_text("[x](javascript:alert(1))\n")
    assert not read_library(tmp_path, "notes").own
    library = read_library(tmp_path, "notes", own=True)
    assert library.own
    assert [f.code for f in library.findings] == ["PN201"]
    (tmp_path / "topics.yml").symlink_to("nowhere.yml")
    assert read_library(tmp_path, "notes").own


def test_an_import_writes_nothing_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "gpu").symlink_to(tmp_path / "outside")
    with pytest.raises(TakenError, match="leads out"):
        place(tmp_path / "notes", {"gpu/a.md": b"x"})
    assert not any((tmp_path / "outside").iterdir())


OF_THE_SITE = {
    "a card of a number": ("[9.4×](rows.md){.pn-n data-n=0}", 16),
    "a citation": ('[Drepper 2007](https://example.org){.pn-cite title="Drepper"}', 36),
    "the id of a row": ("*x*{#pn-n0}", 4),
    "a class in a key": ("*x*{class=pn-large}", 4),
    "words for who cannot see": ('*x*{aria-label="Read by five"}', 4),
    "a block that covers the page": ("x\n{: .pn-large }", 1),
    "a heading": ("## x {.pn-card}", 6),
    "below a heading": ("## x\n{: #a .pn-card}", 1),
    "a cell": ("| a {.pn-x} |\n|---|\n| b |", 5),
    "a box": ('!!! note pn-review "Read by three"\n    x', 10),
    "a fold": ('???+ pn-fold "x"\n    x', 6),
    "a callout": ("> [!NOTE|pn-card]\n> x", 10),
    "an element that is allowed": ("<kbd class=pn-n>x</kbd>", 1),
}


@pytest.mark.parametrize(("text", "column"), OF_THE_SITE.values(), ids=OF_THE_SITE.keys())
def test_no_text_has_the_classes_of_the_site(text: str, column: int, look: Look) -> None:
    found = [f for f in look({"caches/rows.md": f"[[lines]]\n\n{text}\n"}) if f.code == "PN606"]
    assert [(f.severity, f.column) for f in found] == [(Severity.ERROR, column)]


@pytest.mark.parametrize("text", ["## Size {#size}", "*x*{#place}", "`*x*{.a}`", "<kbd>x</kbd><br>",
                                  "    !!! pn-card", "!!! note\n    x"])  # fmt: skip
def test_names_and_code_are_no_attributes(text: str, look: Look) -> None:
    assert "PN606" not in [f.code for f in look({"caches/rows.md": f"[[lines]]\n\n{text}\n"})]


def test_no_formula_has_the_classes_of_the_site(look: Look) -> None:
    found = look({"caches/rows.md": "[[lines]] $\\class{pn-n}{4}$\n"})
    assert [(f.code, f.column) for f in found] == [("PN506", 11)]


@pytest.mark.parametrize(
    "character",
    ["\x1b[31m", "\x9b31m", "\u202e", "\u2066", "\u200b", "\u200f", "\u2028", "\u3164", "\ufeff",
     "\U000e0041", "&#x202e;", "&#8203;", "&rlm;"],
)  # fmt: skip
def test_a_character_that_nobody_sees(character: str, look: Look) -> None:
    found = look({"caches/rows.md": f"[[lines]] a{character}b\n"})
    assert [(f.code, f.column) for f in found] == [("PN107", 12)]


@pytest.mark.parametrize(
    "text", ["❤\ufe0f 👩\u200d🚀", "soft\u00adhyphen", "`&rlm;`", "&amp; &nbsp;"]
)
def test_what_scripts_and_emoji_need_may_stay(text: str, look: Look) -> None:
    assert not look({"caches/rows.md": f"[[lines]] {text}\n"})


@pytest.mark.parametrize("escape", [r"\u202e", r"\e[31m", r"\x07", r"\u200b"])
def test_an_escape_in_yaml_hides_nothing_either(escape: str, look: Look) -> None:
    found = look({"glossary.yml": f'- id: pit\n  en: "pit{escape}"\n  zh: 陷阱\n'
                  "  definition: {en: A pit., zh: 坑。}\n"})  # fmt: skip
    place = ("notes/glossary.yml", 2, 7, "PN104")
    assert place in [(f.path, f.line, f.column, f.code) for f in found]
