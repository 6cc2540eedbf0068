"""Notebooks, reStructuredText and Org, which pandoc reads; and what pandoc may not do."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perfnotes.cli.main import main
from perfnotes.contribute.imports import pandoc, proof
from perfnotes.contribute.imports.errors import FormatError
from perfnotes.contribute.imports.formats import formats, recognise
from perfnotes.model.library import Library
from tests.example_notes import read_site, write_notes
from tests.import_samples import CONVERTED, errors, everything, imported, lost
from tests.test_import_command import project, vault

__all__ = ["project"]  # the fixture


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return read_site(write_notes(tmp_path_factory.mktemp("notes"))).library


def notebook(*cells: dict[str, object]) -> str:
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def code(source: str, *outputs: dict[str, object]) -> dict[str, object]:
    return {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": source,
            "outputs": outputs}  # fmt: skip


PICTURE = {"image/png": "iVBORw0KGgo=", "text/plain": "<Figure size 640x480>"}
SOURCES = {
    ("rst", "Rows\n----\n\n*Why* ``code`` and :kbd:`Ctrl`, see :doc:`warps` [1]_.\n\n"
            ".. note:: Mind this.\n\n.. code-block:: c\n\n   int x;\n\n.. [1] A note.\n"):
        "*Why* `code` and <kbd>Ctrl</kbd>, see [warps](../gpu/warps.md)[^1].\n\n"
        "> [!NOTE]\n> Mind this.\n\n```c\nint x;\n```\n\n[^1]: A note.",
    ("rst", ":Author: Ann\n\n.. math::\n\n   a = b\n\n.. list-table::\n   :header-rows: 1\n\n"
            "   * - a\n     - b\n   * - 1\n     - :math:`a^2`\n"):
        "$$\na = b\n$$\n\n| a | b |\n| --- | --- |\n| 1 | $a^2$ |",
    ("org", "#+TITLE: Rows\n* Size :todo:\n*Bold* =code= cache_line [[file:warps.org][it]].[fn:1]\n"
            "- one\n  1. two\n#+BEGIN_SRC c\nint x;\n#+END_SRC\n| a | b |\n|---+---|\n| 1 | 2 |\n"
            "[fn:1] A note.\n"):
        "## Size\n\n**Bold** `code` cache_line [it](../gpu/warps.md).[^1]\n\n- one\n  1. two\n\n"
        "```c\nint x;\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n[^1]: A note.",
    ("ipynb", notebook({"cell_type": "markdown", "metadata": {}, "source": "# Rows\n\n$a_1$ *is*"},
                       code("import os", {"output_type": "stream", "name": "stdout",
                                          "text": "int x;\n"}))):
        "$a_1$ *is*\n\n```python\nimport os\n```\n\n```text\nint x;\n```",
    ("ipynb", notebook(code("plot()", {"output_type": "display_data", "metadata": {},
                                       "data": PICTURE}))):
        "```python\nplot()\n```\n\n`4caece539b039b16e16206ea2478f8c5ffb2ca05.png`",
}  # fmt: skip


@pytest.mark.parametrize(("source", "wanted"), SOURCES.items(), ids=range(len(SOURCES)))
def test_what_pandoc_reads_becomes_our_markdown(
    library: Library, source: tuple[str, str], wanted: str
) -> None:
    draft = imported(source[1], source[0], library)[0]
    assert draft.page.text.strip() == wanted
    assert not errors([draft], library, staged=True)


@pytest.mark.parametrize("format", CONVERTED)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=6, deadline=None)
def test_every_word_comes_in_its_order(library: Library, format: str, seed: int) -> None:
    sample = CONVERTED[format](random.Random(seed))
    text = sample.text()
    made = imported(text, format, library)
    assert not lost(sample, made), (text, everything(made))
    assert not errors(made, library), (text, everything(made))
    assert not proof.lost(text, format, made), text


@pytest.mark.parametrize("format", CONVERTED)
@given(text=st.text(max_size=40))
@settings(max_examples=4, deadline=None)
def test_any_text_becomes_a_note_or_is_refused(library: Library, format: str, text: str) -> None:
    try:
        made = imported(text, format, library)
    except FormatError:
        return
    assert not errors(made, library), (text, everything(made))


def test_the_report_names_the_line_of_the_source(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "Rows\n====\n\nWords of it.\n\n.. concealed remark\n\nMore words::\n\n   a block\n\n"
        ".. note::\n\n   Mind this.\n"
    )
    source = vault(tmp_path / "v", {"a.rst": text})
    assert main(["import", str(source), "--topic", "caches"]) == 0
    out = capsys.readouterr().out
    assert "a.rst:6: not found again in the draft: concealed remark" in out
    assert "a.rst:10: code without a language: text" in out
    assert "a.rst:14: <div> became a [!NOTE] callout" in out
    assert "# line 6: .. concealed remark\n" in (project / "notes/caches/a.md").read_text()


def hostile(secret: Path) -> Iterator[tuple[str, str]]:
    yield "rst", f"One.\n\n.. include:: {secret}\n"
    yield "rst", f"One.\n\n.. csv-table::\n   :file: {secret}\n"
    yield "rst", f"One.\n\n.. raw:: html\n   :file: {secret}\n"
    yield "rst", f"One.\n\n.. literalinclude:: {secret}\n"
    yield "org", f'One.\n\n#+INCLUDE: "{secret}"\n'
    shown = f"One.\n\n![x]({secret}) <iframe src='{secret}'></iframe>"
    yield "ipynb", notebook({"cell_type": "markdown", "metadata": {}, "source": shown})


def test_no_other_file_is_read(library: Library, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hush, <b>hush</b>\n")
    for format, text in hostile(secret):
        try:
            made = imported(text, format, library)
            said = "".join(draft.text() for draft in made)
        except FormatError as error:
            said = str(error)
        assert "hush" not in said, format


def test_limits_of_time_memory_and_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    read = formats()["rst"].read
    with pytest.raises(FormatError, match="nested too deeply"):
        read("a.rst", "\n\n".join(f"{' ' * 2 * i}* a" for i in range(100)))
    with pytest.raises(FormatError, match="pandoc cannot read it"):
        formats()["ipynb"].read("a.ipynb", '{"cells": 1}')
    monkeypatch.setattr(pandoc, "HEAP", 4)
    with pytest.raises(FormatError, match="needs more than 4 MiB of memory"):
        read("a.rst", "a b c *d*\n\n" * 20_000)
    monkeypatch.undo()
    monkeypatch.setattr(pandoc, "LARGEST", 0)
    with pytest.raises(FormatError, match="reached its limit"):
        read("a.rst", "a")
    monkeypatch.undo()
    monkeypatch.setattr(pandoc, "SECONDS", 0.01)
    with pytest.raises(FormatError, match="reached its limit"):
        pandoc.convert("a b c *d*\n\n" * 20_000, "rst", "json")


def test_without_pandoc_its_formats_are_refused_and_the_others_read(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    pandoc._binary.cache_clear()
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr("shutil.which", lambda _: None)
    source = vault(tmp_path / "v", {"a.rst": "Rows\n", "b.ipynb": notebook(), "c.md": "Words.\n"})
    try:
        assert main(["import", str(source), "--topic", "caches"]) == 1
    finally:
        pandoc._binary.cache_clear()
    said = capsys.readouterr().err
    for name in ("a.rst", "b.ipynb"):
        assert f"{name}:1: not imported: pandoc reads this format, and it is not installed" in said
    assert "pip install -r requirements/import.txt" in said
    assert (project / "notes/caches/c.md").exists()
    assert not (project / "notes/caches/a.md").exists()


@pytest.mark.usefixtures("project")
def test_a_format_that_nothing_reads_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = vault(tmp_path / "v", {"a.tex": "\\section{Rows} Words.\n"})
    assert main(["import", str(source / "a.tex"), "--topic", "caches"]) == 1
    assert "a.tex:1: not imported: no reader for .tex" in capsys.readouterr().err
    assert main(["import", str(source / "a.tex"), "--topic", "caches", "--from", "text"]) == 0


@pytest.mark.parametrize(
    ("name", "text", "format"),
    [
        ("a.rst", "x", "rst"), ("a.ipynb", "{}", "ipynb"), ("a.org", "x", "org"),
        ("a", notebook(), "ipynb"), ("a.txt", "#+TITLE: Rows\n* One\n", "text"),
        ("a", ".. note:: One\n\n.. code-block:: c\n\n   int x;\n", "rst"),
        ("Notes of v1.2 and on", "Only words.\n", "text"),
    ],
)  # fmt: skip
def test_these_formats_are_recognised(name: str, text: str, format: str) -> None:
    assert recognise(name, text)[0] == format
