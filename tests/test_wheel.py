"""What a wheel of perfnotes holds: the whole package, its data with it, and nothing else."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.project import copy_project, environment, project_files

PACKAGE = "tools/perfnotes/"
DATA = (
    "contribute/templates/note.md",
    "contribute/templates/lab/lab.yml",
    "labs/etc/passwd",
    "py.typed",
    "serve/assets/live.js",
    "site/theme/main.html",
    "site/theme/assets/perfnotes/favicon.svg",
    "site/theme/styles/site.css",
    "site/theme/scripts/page/start.js",
    "site/theme/scripts/search/engine.js",
    "site/theme/partials/javascripts/base.html",
    "search/constants.json",
    "source/schemas/note.json",
)


@pytest.mark.slow
def test_a_wheel_holds_the_package_and_its_data(tmp_path: Path) -> None:
    project = copy_project(tmp_path / "project", notes={})
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet",
               "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(tmp_path),
               str(project)]  # fmt: skip
    subprocess.run(command, env=environment(), check=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        about = next(name for name in names if name.endswith(".dist-info/METADATA"))
        requirements = archive.read(about).decode().count("\nRequires-Dist: ")
    # Folders that setuptools writes itself: the licence, and the command that users type.
    own = {name for name in names if ".dist-info/" in name or ".data/scripts/" in name}
    assert {name.removeprefix("perfnotes/") for name in names - own} == {
        name.removeprefix(PACKAGE) for name in project_files() if name.startswith(PACKAGE)
    }
    assert {f"perfnotes/{name}" for name in DATA} <= names
    assert any(name.endswith(".data/scripts/perfnotes") for name in own)
    assert any(name.endswith("/LICENSE") for name in own)
    assert requirements > 5
