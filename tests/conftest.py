"""Sites that several test modules look at are built once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from perfnotes.page import Page
from perfnotes.stage import stage
from tests.example_notes import read_site
from tests.project import commit, copy_project, perfnotes, run, set_address

# There is at least one page of each of these in both languages.
KINDS = set(
    "home topic note tags tag references reference glossary graph term recent document".split()
)


@pytest.fixture(scope="session")
def built_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the whole project, with the site that ``perfnotes build`` made. Leave it so."""
    project = copy_project(tmp_path_factory.mktemp("project"))
    commit(project)
    run(project, perfnotes("build", "--quiet"))
    return project


@pytest.fixture(scope="session")
def addressed_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole project at an address below a path, built. Leave it so."""
    project = copy_project(tmp_path_factory.mktemp("addressed"))
    set_address(project, "https://example.org/some/path/", "https://code.example.org/o/r")
    commit(project)
    run(project, perfnotes("build", "--quiet"))
    return project


@pytest.fixture(scope="session")
def built_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with the few example notes, built. Leave it so: take a copy to change it."""
    project = copy_project(tmp_path_factory.mktemp("example"), notes={})
    commit(project)
    run(project, perfnotes("build", "--quiet"))
    return project


@pytest.fixture(scope="session")
def pages(built_project: Path) -> list[Page]:
    staged = stage(read_site(built_project))
    return [
        replace(page, body=staged.files[path].decode(), twin=staged.twins[path].decode())
        for path, page in staged.pages.items()
    ]


@pytest.fixture(scope="session")
def chosen(pages: list[Page]) -> list[Page]:
    """The longest page of each kind in each language."""
    found: dict[tuple[str, bool], Page] = {}
    for page in sorted(pages, key=lambda p: (len(p.body), p.url)):
        found[page.kind, page.url.startswith("zh/")] = page
    both = {kind for kind, is_chinese in found if is_chinese}
    assert both >= KINDS, KINDS - both
    return list({p.url: p for p in found.values()}.values())
