"""The site holds those files of the theme that its pages ask for, whoever builds it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project import ROOT, differences, git, mkdocs, run


@pytest.mark.slow
def test_mkdocs_ships_the_same_files_of_the_theme(built_example: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", built_example.as_uri(), str(clone))
    run(clone, mkdocs("build", "--quiet"))
    assert differences(clone / "site", built_example / "site") == []
    of_material = [
        file.relative_to(clone / "site/assets").as_posix()
        for file in (clone / "site/assets").glob("*/**/*")
        if file.is_file() and "perfnotes" not in file.parts[file.parts.index("assets") :]
    ]
    kinds = [re.sub(r"\.\w{8}\.", ".", name) for name in sorted(of_material)]
    assert kinds == ["stylesheets/main.min.css", "stylesheets/main.short.css"]
    assert not (clone / "site/scripts").exists()


def test_the_server_marks_findings_by_classes_that_no_page_has() -> None:
    """A page being edited loses all elements with such a class when the findings change."""
    package = ROOT / "tools/perfnotes"
    own = set(re.findall(r"\.(pn-[\w-]+)", (package / "serve/assets/live.css").read_text("utf-8")))
    assert own
    files = [
        f for f in (package / "site").rglob("*") if f.suffix in (".css", ".html", ".js", ".py")
    ]
    used = {name for f in files for name in re.findall(r"pn-[\w-]+", f.read_text("utf-8"))}
    assert own.isdisjoint(used)
