"""Sites that several test modules look at are built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.project import commit, copy_project, perfnotes, run, set_address


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
