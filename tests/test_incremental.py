"""A build that takes what it can from the cache makes the same bytes as one that takes nothing.

A random series of edits: texts, titles, tags, citations, terms, facts, results, templates, styles
and settings change, notes come, go and move; some edits break the notes, and then nothing is built
either way until the next one mends them. ``make series`` runs more of them.
"""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perfnotes.build import edited_build
from perfnotes.build.rebuild_reasons import print_reason
from perfnotes.cli import main as cli
from perfnotes.storage.digests import content_digest
from tests.oracle import build_without_cache
from tests.project import differences, mkdocs, run, tree
from tests.test_check_cache import EDITS as BROKEN_OR_NOT

pytestmark = pytest.mark.slow

SEED, LENGTH = 17, 14  # of a series with most kinds of edits, at last one that mends

EDITS = [
    ("notes/caches/rows.md", "A C array", "A Fortran array"),
    ("notes/caches/rows.md", "Why the inner loop", "Why any inner loop"),
    ("notes/caches/rows.md", "level: introductory", "level: advanced"),
    ("notes/tags.yml", "name: {en: Cache,", "name: {en: CPU cache,"),
    ("notes/caches/rows.md", "along a row uses", "along a row [@drepper2007memory] uses"),
    ("notes/caches/lines.md", "title: Cache lines", "title: Lines of a cache"),
    ("notes/caches/lines.zh.md", "跨行的对象需要两行", "跨行的对象要占用两行"),
    ("notes/gpu/warps.md", "see the [[steps]]", "see [[rows]] and the [[steps]]"),
    ("notes/glossary.yml", "en: warp", "en: wavefront"),
    ("notes/references.bib", "year   = {2007}", "year   = {2008}"),
    ("notes/facts/chips.yml", "value: 3.2, unit: GT/s", "value: 6.4, unit: GT/s"),
    ("docs/index.md", "title: Example notes", "title: Other notes"),
    ("tools/perfnotes/site/theme/main.html", "<article", "<article data-edited"),
    ("tools/perfnotes/site/theme/partials/footer.html", "</footer>", "<!-- edited --></footer>"),
    ("tools/perfnotes/site/theme/assets/perfnotes/favicon.svg", "<svg", "<svg "),
    ("mkdocs.yml", "site_name: perfnotes", "site_name: renamed"),
    ("mkdocs.yml", "toc_depth: 3", "toc_depth: 2"),
    ("mkdocs.yml", 'site_url: ""', 'site_url: "https://example.org/notes/"'),
]


NEW = """\
---
title: Ways of a cache
description: How many lines of one set.
tags: [cache]
level: introductory
date: 2026-01-31
---

A set of [[lines]] has several ways; see [[rows]] [@drepper2007memory].
"""


def edits(project: Path, seed: int) -> Iterator[str]:
    """One random edit after the other; each is undone sooner or later, one that breaks at once."""
    r = random.Random(seed)
    new = [project / "notes" / "caches" / name for name in ("ways.md", "sets.md")]
    while True:
        dice = r.randrange(8)
        if dice == 0:
            there = next((file for file in new if file.exists()), None)
            if there is None:
                new[0].write_text(NEW, encoding="utf-8")
                yield "add a note"
            elif r.random() < 0.5:
                there.unlink()
                yield "delete a note"
            else:
                there.rename(new[1 - new.index(there)])
                yield "rename a note"
        elif dice == 1:
            path, old, broken = r.choice(BROKEN_OR_NOT)
            file = project / "notes" / path
            text = file.read_text("utf-8")
            file.write_text(text.replace(old, broken, 1), encoding="utf-8")
            yield f"{path}: {old} → {broken}"
            file.write_text(text, encoding="utf-8")
            yield f"{path}: mended"
        else:
            path, old, other = r.choice(EDITS)
            file = project / path
            text = file.read_text("utf-8")
            wanted, put = (other, old) if other in text else (old, other)
            assert wanted in text, path
            file.write_text(text.replace(wanted, put, 1), encoding="utf-8")
            yield f"{path}: {wanted} → {put}"


def edited_builds(monkeypatch: pytest.MonkeyPatch) -> list[edited_build.EditedBuildResult]:
    """Return a list to which every build that made no more than what is different is added."""
    done: list[edited_build.EditedBuildResult] = []
    really = edited_build.build_edited

    def noted(
        task: edited_build.EditedBuildTask, pool: Any
    ) -> edited_build.EditedBuildResult | None:
        found = really(task, pool)
        if found:
            done.append(found)
        return found

    monkeypatch.setattr(edited_build, "build_edited", noted)
    return done


def outcome(site: Path | None = None, *options: str) -> dict[str, str] | str:
    """The site's files, or that there is none: the exit status of the build."""
    place = ["--site", str(site)] if site else []
    status = cli.main(["build", "--quiet", *place, *options])
    site = site or Path("site")
    return tree(site) if status == 0 else f"status {status}"


def outcome_without_cache(site: Path) -> dict[str, str] | str:
    status = build_without_cache(site, "--quiet")
    return tree(site) if status == 0 else f"status {status}"


def check_series(
    built_example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Build after each edit of a series with and without the cache, and in the end by MkDocs."""
    project = shutil.copytree(built_example, tmp_path / "project", symlinks=True)
    monkeypatch.chdir(project)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    built = 0
    small = edited_builds(monkeypatch)
    series = edits(project, seed)
    for i in range(LENGTH):
        what = next(series)
        one, other = outcome(kept), outcome_without_cache(fresh)
        assert one == other or differences(kept, fresh) == [], f"edit {i}: {what}"
        assert isinstance(one, str) == isinstance(other, str), f"edit {i}: {what}"
        built += not isinstance(one, str)
    if not isinstance(one, str):
        run(project, mkdocs("build", "--quiet"))
        assert differences(kept, project / "site") == []
    assert built > LENGTH / 2
    assert len(small) > LENGTH / 4  # the others changed settings or the theme, or were wrong


def test_a_series_of_edits(
    built_example: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    series_of_edits: int,
) -> None:
    for seed in range(SEED, SEED + series_of_edits):
        check_series(built_example, tmp_path_factory.mktemp("series"), monkeypatch, seed)


def test_a_site_that_was_touched_is_put_right(edited_example: Path) -> None:
    site = edited_example / "site"
    right = tree(site)
    page = site / "caches" / "rows" / "index.html"
    # In place, so that the page of the cache, which is the same file, is changed with it.
    page.write_text(page.read_text("utf-8").replace("array", "arrow"), "utf-8")
    assert outcome() == right
    page.unlink()
    assert outcome() == right
    (site / "more.html").write_text("somebody's", "utf-8")
    assert outcome() == right
    shutil.rmtree(site)
    assert outcome() == right
    shutil.rmtree(edited_example / ".perfnotes-cache")
    assert outcome() == right


def test_the_cache_names_each_file_of_a_whole_build_by_its_digest(edited_example: Path) -> None:
    kept = edited_example / ".perfnotes-cache" / "pages"
    shutil.rmtree(kept.parent)
    outcome()
    files = {file.name: content_digest(file.read_bytes()) for file in kept.iterdir()}
    assert all(name == content for name, content in files.items())
    site = edited_example / "site"
    assert {*files} == {
        content_digest(file.read_bytes()) for file in site.rglob("*") if file.is_file()
    }


def test_a_cache_of_somebody_else_is_not_believed(
    edited_example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = edited_example / "site"
    right = tree(site)
    for page in (edited_example / ".perfnotes-cache" / "pages").iterdir():
        page.write_text("<script>theirs()</script>", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "ours"))
    shutil.rmtree(site)
    assert outcome() == right


def test_settings_from_the_environment_are_followed(
    edited_example: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = edited_example / "mkdocs.yml"
    text = settings.read_text("utf-8")
    settings.write_text(re.sub("(?m)^site_name: .*$", "site_name: !ENV NAME", text), "utf-8")
    for name in ("first", "second"):
        monkeypatch.setenv("NAME", name)
        outcome()
        page = (edited_example / "site/caches/rows/index.html").read_text("utf-8")
        assert name in page.partition("</title>")[0]


def test_verbose_says_why(edited_example: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.rmtree(edited_example / ".perfnotes-cache")
    outcome(None, "--verbose")
    assert "/caches/rows/ is made again: it is new here" in capfd.readouterr().err
    rows = edited_example / "notes" / "caches" / "rows.md"
    rows.write_text(rows.read_text("utf-8").replace("A C array", "An array"), "utf-8")
    outcome(None, "--verbose")
    said = capfd.readouterr().err
    # The lines by which the page is cited hold a digest of its text.
    assert "/caches/rows/ is made again: its text and its backlinks changed" in said
    assert "/caches/lines/ is made again: its backlinks changed" in said
    assert "/gpu/warps/" not in said


def test_verbose_says_of_a_page_that_only_the_cache_lost_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    print_reason("caches/rows/", "")
    said = "perfnotes: /caches/rows/ is made again: it is not in the cache\n"
    assert capfd.readouterr().err == said


def test_verbose_says_why_everything_is_built(
    edited_example: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = edited_example / "notes" / "caches" / "rows.md"
    text = rows.read_text("utf-8")
    rows.write_text(text.replace("A C array", "An array"), "utf-8")
    outcome()
    for page in (edited_example / ".perfnotes-cache" / "pages").iterdir():
        page.unlink()
    rows.write_text(text, "utf-8")
    capfd.readouterr()
    outcome(None, "--verbose")
    lines = capfd.readouterr().err.splitlines()
    why = [line for line in lines if line.startswith("perfnotes: everything is built: ")]
    assert len(why) == 1
    assert re.fullmatch(r"perfnotes: everything is built: the cache has lost \S+", why[0])


def test_a_copy_of_a_project_builds_its_own_site(
    edited_example: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The cache comes with the copy; what it says of the first one's site is not believed."""
    copy = shutil.copytree(edited_example, tmp_path / "copy", symlinks=True)
    monkeypatch.chdir(copy)
    assert cli.main(["build"]) == 0
    assert f"pages in {copy}/site\n" in capsys.readouterr().out
    assert differences(copy / "site", edited_example / "site") == []
