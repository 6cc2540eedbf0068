"""What documents say of files, commands, options, codes and tables is so in the code."""

from __future__ import annotations

import argparse
import inspect
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote

import pytest

from perfnotes.checks import rules
from perfnotes.cli.commands import names
from perfnotes.cli.main import parser
from perfnotes.fixes.mending import mends
from perfnotes.review.parts import modules as parts
from perfnotes.source.read import frontmatter
from perfnotes.text import limits
from perfnotes.text.slug import slugify
from tests.project import ROOT

PACKAGE = ROOT / "tools" / "perfnotes"
DOCS = ROOT / "docs"
READ_BY_CODE_HOSTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "benchmarks").glob("*/README.md")),
    *sorted((ROOT / "tests").glob("*/README.md")),
]
DOCUMENTS = [*READ_BY_CODE_HOSTS, *sorted(DOCS.glob("*.md"))]
_CALL = re.compile(r"(?:^|`)(?:\S*/)?perfnotes ([a-z-]+(?: [^`|#\n]*)?)", re.MULTILINE)
# Targets that other targets call, and the list itself.
WITHOUT_HELP = {"env", "env-dev", "help", "lint-python", "lint-scripts"}


def text_of(file: Path) -> str:
    return file.read_text("utf-8")


def section(file: Path, id: str) -> str:
    """Return the text below the heading ``id``, up to the next heading of its level."""
    _, mark, rest = text_of(file).partition(f" {{#{id}}}\n")
    assert mark, id
    return re.split(r"^##? ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def rows(table: str) -> Iterator[list[str]]:
    """Yield the cells of each row, without the head of the table."""
    for line in re.findall(r"^\| (.*) \|$", table, re.MULTILINE):
        cells = re.split(r" \| ", line)
        if len(cells) > 1:
            yield cells


def targets() -> set[str]:
    """Return the targets of the Makefile that people may call."""
    found = re.findall(r"^\.PHONY: (.*)$", text_of(ROOT / "Makefile"), re.MULTILINE)
    return {name for line in found for name in line.split()}


def commands_in(text: str) -> Iterator[list[str]]:
    """Yield the words of every call of perfnotes in a code span or at the start of a line."""
    for call in _CALL.findall(text):
        yield call.split()


def subcommands(of: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def test_the_makefile_and_the_guide_list_every_target() -> None:
    listed = " ".join(re.findall(r"@echo '(.*)'", text_of(ROOT / "Makefile")))
    guide = section(DOCS / "building.md", "commands")
    for name in targets() - WITHOUT_HELP:
        assert re.search(rf"(?:make|,) {name}\b", listed), f"make help: {name}"
        assert f"`make {name}" in guide, f"docs/building.md: {name}"


def test_the_guide_lists_every_command() -> None:
    guide = section(DOCS / "building.md", "commands")
    assert {words[0] for words in commands_in(guide)} >= set(names())


def test_the_guide_names_the_commands_that_take_any_folder() -> None:
    said = section(DOCS / "building.md", "own").partition(" take\nany folder of Markdown")[0]
    listed = re.findall(r"`([a-z-]+)`", said.rpartition("\n\n")[2])
    taking = (
        name
        for name, command in subcommands(parser()).items()
        if all(
            "--notes" in each.format_help() for each in subcommands(command).values() or [command]
        )
    )
    assert listed == sorted(taking)


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_what_a_document_names_is_there(file: Path) -> None:
    text = text_of(file)
    known = subcommands(parser())
    for words in commands_in(text):
        name, rest = words[0], words[1:]
        if name == "is":  # the subject of a sentence
            continue
        assert name in known, words
        command = known[name]
        command = subcommands(command).get(rest[0], command) if rest else command
        options = {option for action in command._actions for option in action.option_strings}
        for word in rest:
            option = word.partition("=")[0].rstrip(".,;:)")
            if re.match(r"--[a-z]", option):
                assert option in options, words
    made = re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)
    assert set(made) <= targets()
    for module in re.findall(r"python -m\s+((?:benchmarks|tests)(?:\.\w+)+)", text):
        assert (ROOT / f"{module.replace('.', '/')}.py").is_file(), module
    for path in re.findall(r"`((?:tools|tests|benchmarks|requirements|docs)/[\w./-]+)`", text):
        assert "/my" in path or (ROOT / path).exists(), path  # "my" files are the reader's own
    assert set(re.findall(r"\bPN\d{3}\b", text)) <= rules().keys()


@pytest.mark.parametrize("file", READ_BY_CODE_HOSTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_links_of_documents_outside_of_the_site_lead_somewhere(file: Path) -> None:
    """``perfnotes check`` looks at the pages of the site alone."""
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(file)):
        path, _, id = unquote(target).partition("#")
        if "://" in path or re.match(r"[a-z]+:", path):
            continue
        linked = file.parent / path if path else file
        assert linked.exists(), target
        if id:
            heads = re.findall(r"^#+ (.*)$", text_of(linked), re.MULTILINE)
            assert f"{{#{id}}}" in text_of(linked) or id in map(slugify, heads), target


def test_the_layers_are_those_of_the_contract() -> None:
    config = tomllib.loads(text_of(ROOT / "pyproject.toml"))
    (contract,) = config["tool"]["importlinter"]["contracts"]
    table = section(DOCS / "architecture.md", "layers").partition("### ")[0]
    named = [re.sub(r"`|/|\.py", "", cells[0]) for cells in rows(table) if "`" in cells[0]]
    assert ["__main__", *named] == contract["layers"]


def test_every_noun_is_where_the_table_says() -> None:
    table = section(DOCS / "architecture.md", "nouns")
    seen = set()
    for noun, _, where in rows(table):
        modules = re.findall(r"`([\w/]+)`", where)
        seen |= set(modules)
        for module in modules:
            assert (PACKAGE / f"{module}.py").is_file(), module
        if modules and " " not in noun and noun != "Contributor":  # whose name is a text
            module = import_module(f"perfnotes.{modules[0].replace('/', '.')}")
            assert hasattr(module, noun), noun
    nouns = {file.stem for file in (PACKAGE / "model").glob("*.py")} - {"__init__", "bilingual"}
    assert {f"model/{name}" for name in nouns} <= seen


def test_every_file_that_the_architecture_names_is_there() -> None:
    outside = (".github/", "assets/", "scripts/", "notes/", "lab/", "docs/")
    for path in re.findall(r"`([\w.-]+/[\w./-]*)`", text_of(DOCS / "architecture.md")):
        if not path.startswith(outside) and "mkdocs" not in path:
            found = PACKAGE / path
            module = found.with_suffix(".py")
            assert found.exists() or module.is_file() or (ROOT / path).exists(), path


def test_the_guide_lists_what_fix_mends() -> None:
    table = section(DOCS / "writing.md", "mending")
    codes = [code for cells in rows(table) for code in re.findall(r"PN\d{3}", cells[-1])]
    assert sorted(codes) == sorted(mends())


def test_the_guide_has_the_limits_of_a_text() -> None:
    shapes = section(DOCS / "building.md", "shapes")
    characters = (limits._MOST_TEX, limits._MOST_REPEATED_TEX, limits._MOST_TEX_OF_PARAGRAPH)
    for most in (*limits._MOST.values(), *characters, frontmatter._LONGEST):
        assert re.search(rf"(?<![\d,]){most:,}(?![\d,]\d)", shapes), most


def test_the_guide_lists_the_parts_of_a_comparison_in_their_order() -> None:
    titles = [re.search(r'"(\w+)", "([^"]+)"', inspect.getsource(m.compare)) for m in parts()]
    assert all(titles)
    table = section(DOCS / "reviewing.md", "comment")
    listed = [cells[0] for cells in rows(table) if cells[0] not in ("line", "---")]
    assert listed == [*(found[2] for found in titles if found), "Pictures"]


@pytest.mark.parametrize("file", sorted(DOCS.glob("*.zh.md")), ids=lambda file: file.name)
def test_a_chinese_document_has_the_numbers_and_the_code_of_the_english_one(file: Path) -> None:
    english = file.with_name(file.name.replace(".zh.md", ".md"))

    def facts(of: Path) -> set[str]:
        prose = re.sub(r"(?ms)\A---.*?^---|^```.*?^```|\{#[^}]*\}", "", text_of(of))
        code = {span for span in re.findall(r"`([^`\n]+)`", prose) if span.isascii()}
        words = re.sub(r"`[^`\n]+`", "", prose)
        return {c for c in code if not c.startswith("!")} | {*re.findall(r"\d[\d.,]*\d|\d", words)}

    assert facts(file) == facts(english)
