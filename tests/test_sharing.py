"""What is shared of a site: feeds of notes and results, how to cite a note, valid frames."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec.structs import replace

from perfnotes.graph.site import Site
from perfnotes.model.repository import Repository
from perfnotes.site.pages import feed
from perfnotes.site.possible_names import material_templates
from perfnotes.site.render.mathml import mathml
from perfnotes.site.stage import stage
from perfnotes.site.theme_files import THEME
from perfnotes.source.history import History, read_history
from tests.example_evidence import EVIDENCE
from tests.example_notes import read_site, write_notes
from tests.project import commit, copy_project, git

ADDRESS = "https://example.org/notes/"
ATOM = "{http://www.w3.org/2005/Atom}"
LADDER = "caches/ladder"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    site = read_site(write_notes(tmp_path_factory.mktemp("sharing") / "notes", EVIDENCE))
    return dataclasses.replace(site, settings=replace(site.settings, url=ADDRESS))


@pytest.mark.parametrize(("lang", "said"), [("en", "1 of 2 claims hold."), ("zh", "论断")])
def test_a_feed_has_results_beside_notes(site: Site, lang: str, said: str) -> None:
    name = "feed.xml" if lang == "en" else "zh/feed.xml"
    root = ET.fromstring(dict(feed.files(site))[name])
    entries = root.findall(f"{ATOM}entry")
    by_kind: dict[str, list[ET.Element]] = {}
    for entry in entries:
        category = entry.find(f"{ATOM}category")
        assert category is not None
        by_kind.setdefault(category.attrib["term"], []).append(entry)
    assert by_kind["note"]
    home = f"{ADDRESS}{'' if lang == 'en' else 'zh/'}{LADDER}/lab/#"
    results = [e for e in by_kind["result"] if (e.findtext(f"{ATOM}id") or "").startswith(home)]
    machines = site.library.results[LADDER]
    assert len(results) == len(machines)
    for entry in results:
        assert (entry.findtext(f"{ATOM}id") or "").rpartition("#")[2] in machines
    assert any(said in (entry.findtext(f"{ATOM}summary") or "") for entry in results)


def _page(site: Site, url: str) -> str:
    return stage(site).files[f"{url}index.md"].decode()


def test_a_note_says_how_to_cite_its_version(site: Site) -> None:
    body = _page(site, f"{LADDER}/")
    text = next(n.body.source.text for n in site.library.notes.values() if n.id == LADDER)
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    assert '<details class="pn-fold pn-cite-page" id="pn-cite-page">' in body
    assert f"SHA-256 of the text {digest}" in body
    assert "@misc{" in body
    assert f"url          = {{{ADDRESS}{LADDER}/}}" in body
    assert "/blob/" not in body


def test_a_lasting_address_names_the_commit(site: Site) -> None:
    file = next(n.file for n in site.library.notes.values() if n.id == LADDER)
    history = History(commits={f"{site.settings.notes}/{file}": "0f" * 20})
    repository = Repository("https://code.example.org/o/r")
    known = dataclasses.replace(
        site, history=history, settings=replace(site.settings, repository=repository.url)
    )
    body = _page(known, f"{LADDER}/")
    assert f"https://code.example.org/o/r/blob/{'0f' * 20}/{site.settings.notes}/{file}" in body


def test_the_history_knows_the_last_commit_of_each_file(tmp_path: Path) -> None:
    project = copy_project(tmp_path, notes={})
    commit(project)
    head = git(project, "rev-parse", "HEAD").strip()
    assert read_history(project).commits["mkdocs.yml"] == head


def test_the_frame_asks_for_the_style_sheets_that_are_there() -> None:
    """Our frame names them as Material does, with a hash that changes with its version."""
    text = (THEME / "base.html").read_text("utf-8")
    named = re.findall(r"assets/stylesheets/\w+\.\w+\.", text)
    assert len(named) == 2
    for name in named:
        there = (material_templates() / f"{name}min.css").is_file()
        assert there, f"{name}: compare with Material's base.html"
    assert "autocomplete" not in text


def test_an_operator_holds_text_alone() -> None:
    for tex in (r"C \mathrel{+}= A", r"a \mathbin{+} b"):
        assert not re.search(r"<mo[^>]*><", mathml(tex, display=False))
