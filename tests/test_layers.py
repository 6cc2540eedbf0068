"""The packages stand in layers, and one file is all that a kind of page needs."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from perfnotes.site import pages
from perfnotes.site.page_addresses import page_addresses
from perfnotes.site.stage import stage
from tests.example_notes import NOTES, read_site, write_notes

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "tools" / "perfnotes"

KIND = '''
"""Trials: a kind of page that only this test has."""

from perfnotes.site.page import Page
from perfnotes.site.pages._section import Section
from perfnotes.site.strings import add_words, string

SECTION = Section("trials", ("Trials", "试验"), exists=lambda site: True, place=55, llms=45)
add_words({"trials_lead": ("What was tried.", "试过的事。")})


def pages(site, lang):
    lead = string("trials_lead", lang)
    yield Page(
        url=SECTION.url(site, lang), lang=lang, title=SECTION.title_in(lang), body=lead,
        markdown=lead,
        kind="trials", section=SECTION.name, alternates=SECTION.alternates(site),
    )
'''


def lines_of_code(folder: Path) -> int:
    """Lines that are neither blank nor a comment."""
    lines = (line.strip() for file in folder.rglob("*.py") for line in file.open(encoding="utf-8"))
    return sum(1 for line in lines if line and not line.startswith("#"))


def test_every_layer_is_named_and_none_is_more_than_a_third() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = config["tool"]["importlinter"]["contracts"]
    assert contract["exhaustive"]
    assert "ignore_imports" not in contract
    sizes = {f.name: lines_of_code(f) for f in PACKAGE.iterdir() if (f / "__init__.py").is_file()}
    modules = {file.stem for file in PACKAGE.glob("*.py") if file.stem != "__init__"}
    assert {*sizes, *modules} == set(contract["layers"])
    assert max(sizes.values()) * 3 <= sum(sizes.values())


@pytest.fixture
def with_trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The page kinds and one more, from a file of its own."""
    (tmp_path / "kinds").mkdir()
    (tmp_path / "kinds" / "trials.py").write_text(KIND, "utf-8")
    monkeypatch.setattr(pages, "__path__", [*pages.__path__, str(tmp_path / "kinds")])
    pages.kinds.cache_clear()
    pages.sections.cache_clear()
    yield
    pages.kinds.cache_clear()
    pages.sections.cache_clear()
    sys.modules.pop("perfnotes.site.pages.trials", None)


@pytest.mark.usefixtures("with_trials")
def test_a_kind_of_page_is_one_file(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path, NOTES))
    staged = stage(site)
    assert staged.findings == [] or all(f.code != "PN802" for f in staged.findings)
    assert {"trials/", "zh/trials/"} <= {page.url for page in page_addresses(site)}
    assert "What was tried." in staged.files["trials/index.md"].decode()
    assert "试过的事。" in staged.files["zh/trials/index.md"].decode()
    other = staged.files["glossary/index.md"].decode()
    assert other.index(">Glossary<") < other.index(">Trials<"), "its place in the navigation"
    assert "- [Trials](trials/index.md)" in staged.files["llms.txt"].decode()


def test_git_is_started_in_one_place_only() -> None:
    # That place switches off every program that the settings of a stranger's checkout may name.
    starts = [f.relative_to(PACKAGE) for f in PACKAGE.rglob("*.py") if '["git"' in f.read_text()]
    assert starts == [Path("source/git.py")]
