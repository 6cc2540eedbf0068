"""A check from the cache says what a check without it says, whatever was edited in between."""

from __future__ import annotations

import gc
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mkdocs.config import load_config

from perfnotes.build.check import CheckedProject, check
from perfnotes.checks import examine, grade, rules
from perfnotes.checks._rule import Rule
from perfnotes.graph.site import Site
from perfnotes.site.danger import Danger
from perfnotes.site.locate import locate
from perfnotes.site.page_addresses import collisions, page_addresses
from perfnotes.site.safety import judge
from perfnotes.site.stage import Stage, stage
from perfnotes.storage.store import Store
from perfnotes.text.findings import Finding
from tests.engine_of import engine_of
from tests.example_notes import NOTES, read_site, stage_without_index, write_notes
from tests.project import ROOT, environment

EXTENSIONS: list[str] = ["attr_list", "tables", "footnotes", "pymdownx.superfences"]


@cache
def configured() -> Any:
    """MkDocs' configuration of a small project."""
    file = str(ROOT / "mkdocs.yml")
    return load_config(file, site_name="Example", markdown_extensions=EXTENSIONS, hooks=[])


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CheckedProject:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    write_notes(tmp_path)
    (tmp_path / "mkdocs.yml").write_text("site_name: Example\n", encoding="utf-8")
    return CheckedProject(tmp_path)


def both(project: CheckedProject) -> list[Finding]:
    """The findings, when the cache says the same as a run without one."""
    fresh = check(project, configured, cached=False)
    assert check(project, configured) == fresh  # from what earlier runs left
    assert check(project, configured) == fresh  # from this run's answer
    return fresh


# Each edit takes a note's, table's or lab's text to another; some break it and some mend it again.
EDITS = [
    ("caches/rows.md", "[[lines|line]]", "[[linse|line]]"),
    ("caches/rows.md", "title: Rows before columns", "title: Cache lines"),
    ("caches/rows.md", "tags: [cache]", "tags: [cachee]"),
    ("caches/rows.md", "requires: [caches/lines]", "requires: [caches/columns]"),
    ("caches/rows.md", "A C array", 'A <b onclick="x">C</b> array'),
    ("caches/rows.md", "A C array", "A [C array](javascript:x)"),
    ("caches/rows.md", "A C array", "A $\\frac{1}$ array"),
    ("caches/rows.md", "A C array", "A[^1] C array"),
    ("caches/rows.md", "level: introductory", "level: Introductory"),
    ("caches/lines.md", "## Size", "## Its size"),
    ("caches/lines.md", "## Size", "#### Size"),
    ("caches/lines.md", "[@drepper2007memory]", "[@drepper2007memoir]"),
    ("caches/lines.md", "(rows.md)", "(rows.md#why)"),
    ("caches/lines.zh.md", "## 对齐", "### 对齐"),
    ("caches/steps/index.md", "[16×](lab:misses)", "[17×](lab:misses)"),
    ("caches/steps/index.md", "[64 B]", "[32 B]"),
    ("glossary.yml", "note: caches/lines", "note: caches/line"),
    ("glossary.yml", "en: warp", "en: wrap"),
    ("glossary.yml", "- id: warp", "- id: cache-line"),
    ("tags.yml", "- id: cache", "- id: caching"),
    ("topics.yml", "notes: [lines, rows, steps]", "notes: [lines, row, steps]"),
    ("references.bib", "drepper2007memory", "drepper2008memory"),
    ("references.bib", "year   = {2007}", "year   = {soon}"),
    ("facts/chips.yml", "value: 64, unit: B", "value: 128, unit: B"),
    ("facts/chips.yml", "rate * width", "rate + width"),
    ("caches/steps/lab/lab.yml", 'expect: "== n"', 'expect: "== n + 1"'),
    ("caches/steps/lab/steps.py", "256}", "257}"),
    ("caches/steps/lab/results/example-cpu.json", "256.0", "255.0"),
    ("../docs/index.md", "title: Example notes", "title: ''"),
]  # fmt: skip


def steps(notes: Path, seed: int) -> Iterator[str]:
    """One random edit after the other, each undone sooner or later."""
    r = random.Random(seed)
    while True:
        dice = r.randrange(10)
        if dice == 0:
            away, here = notes / "caches" / "loops.md", notes / "caches" / "rows.md"
            renamed = away.exists()
            (away if renamed else here).rename(here if renamed else away)
            yield "rename"
        elif dice == 1:
            warps = notes / "gpu" / "warps.md"
            if warps.exists():
                warps.unlink()
            else:
                warps.write_text(NOTES["gpu/warps.md"], encoding="utf-8")
            yield "delete or add"
        else:
            path, old, new = r.choice(EDITS)
            file = notes / path
            if not file.exists():
                continue
            text = file.read_text("utf-8")
            wanted, other = (old, new) if old in text else (new, old)
            before = file.stat()
            file.write_text(text.replace(wanted, other, 1), encoding="utf-8")
            # A checkout may give the new text the time of the old one.
            os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
            yield f"{path}: {wanted} → {other}"


@pytest.mark.parametrize(
    ("settings", "other"), [("INHERIT: base.yml\n", "base.yml"), ("site_name: !ENV NAME\n", "")]
)
def test_settings_from_elsewhere_are_followed(
    project: CheckedProject, settings: str, other: str
) -> None:
    """Where a setting stands in another file, only MkDocs knows it."""
    root = project.root
    (root / "mkdocs.yml").write_text(settings, encoding="utf-8")
    rows = root / "notes" / "caches" / "rows.md"
    text = '\n!!! note "x"\n\n    <script>x</script>\n'
    rows.write_text(rows.read_text("utf-8") + text, encoding="utf-8")
    found = []
    for extensions in (EXTENSIONS, [*EXTENSIONS, "admonition"], EXTENSIONS):
        if other:
            (root / other).write_text(f"markdown_extensions: {extensions}\n", encoding="utf-8")
        config = load_config(
            str(ROOT / "mkdocs.yml"), site_name="A", markdown_extensions=extensions, hooks=[]
        )
        configure = partial(getattr, SimpleNamespace(read=config), "read")
        kept = check(project, configure)
        assert kept == check(project, configure)
        assert kept == check(project, configure, cached=False)
        found.append({each.code for each in kept})
    assert found == [{"PN604"}, {"PN601", "PN604"}, {"PN604"}]


@pytest.mark.slow
def test_after_series_of_edits_the_findings_are_those_of_a_run_without_cache(
    project: CheckedProject, series_of_edits: int
) -> None:
    """Each series begins with the notes as the one before left them."""
    for seed in range(series_of_edits):
        codes = set()
        edits = steps(project.folder, seed)
        for _ in range(26):
            said = next(edits)
            codes |= {f.code for f in both(project)}
            assert said
        assert len(codes) > 8


@pytest.mark.slow
@pytest.mark.parametrize("rule", rules().values(), ids=list(rules()))
def test_a_check_finds_what_a_build_finds(rule: Rule, tmp_path: Path) -> None:
    folder = write_notes(tmp_path, rule.wrong)
    (folder / "mkdocs.yml").write_text("site_name: Example\n", encoding="utf-8")
    site = read_site(folder)
    staged = stage_without_index(site)
    built = {*examine(site, staged.findings), *grade(_dangers(site, staged), site.library)}
    found = {_at(f, folder) for f in check(CheckedProject(folder), configured, cached=False)}
    assert found == {_at(f, folder) for f in built}


def _dangers(site: Site, staged: Stage) -> Iterator[Finding]:
    for path, page in staged.pages.items():
        text = staged.files[path].decode().split("\n---\n", 1)[1]
        yield from (locate(site, page, danger) for danger in _dangers_in(text))


@cache
def _dangers_in(text: str) -> tuple[Danger, ...]:
    """Return the dangers of a page's Markdown; most pages are the same whichever rule is broken."""
    return tuple(judge(engine_of().convert(text).content))


def _at(finding: Finding, folder: Path) -> tuple[str, int, int, str]:
    return finding.path.removeprefix(f"{folder}/"), finding.line, finding.column, finding.code


def test_a_check_leaves_the_collector_as_it_was(project: CheckedProject) -> None:
    check(project, configured, cached=False)
    assert gc.isenabled()
    gc.disable()
    try:
        check(project, configured, cached=False)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_every_page_claims_its_address(tmp_path: Path) -> None:
    site = read_site(write_notes(tmp_path))
    made = [(p.url, p.source) for p in stage(site).pages.values()]
    assert sorted((c.url, c.source) for c in page_addresses(site)) == sorted(made)
    assert list(collisions(site)) == []


def test_a_page_that_is_not_made_claims_no_address(tmp_path: Path) -> None:
    """The rows of the table have no time, so there is no page of latency numbers."""
    site = read_site(write_notes(tmp_path, rules()["PN914"].wrong))
    assert site.library.latency.rows
    made = {page.url for page in stage(site).pages.values()}
    assert {page.url for page in page_addresses(site)} == made


@pytest.mark.slow
def test_a_cache_that_came_from_elsewhere_is_left_aside(project: CheckedProject) -> None:
    (project.folder / "caches/rows.md").write_text("no front matter\n", encoding="utf-8")
    findings = both(project)
    file = project.root / ".perfnotes-cache" / "store.sqlite"
    connection = sqlite3.connect(file, isolation_level=None)
    changed = connection.execute("UPDATE rows SET value = '[]' WHERE section = 'answers'")
    assert changed.rowcount == 1
    connection.close()
    assert check(project, configured) == findings
    for data in (b"", file.read_bytes()[:-9], b"SQLite format 3\0" * 1000, b"\x80\x04c"):
        file.write_bytes(data)
        assert both(project) == findings
    file.unlink()
    file.mkdir()
    assert both(project) == findings


def test_another_user_reads_nothing_of_ours(
    project: CheckedProject, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    both(project)
    folder = project.root / ".perfnotes-cache"
    assert len(list(Store(folder).section("answers").entries())) == 1
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    assert list(Store(folder).section("answers").entries()) == []


def test_without_a_writable_home_or_folder_there_is_no_cache(
    project: CheckedProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.root / "file").write_text("x", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.root / "file"))
    assert check(project, configured) == check(project, configured, cached=False)
    assert not (project.root / ".perfnotes-cache").exists()


_KNOWN = """
import sys
from perfnotes.cli.main import main
main(["check", "--notes", sys.argv[1]])
slow = "mkdocs jinja2 pint markdown pygments jsonschema_rs yaml pybtex latex2mathml"
slow = [*slow.split(), "perfnotes.graph.site"]
print([name for name in slow if name in sys.modules], file=sys.stderr)
"""


def test_an_answer_that_is_known_starts_nothing_slow(tmp_path: Path) -> None:
    """The project is a folder of its own.

    The cache of a project that tests share could be replaced between the two runs by another test,
    whose key makes what is stored here unreadable.
    """
    write_notes(tmp_path)
    (tmp_path / "mkdocs.yml").write_text("site_name: Example\n", encoding="utf-8")
    env = environment(PYTHONPATH=str(ROOT / "tools"), XDG_CACHE_HOME=str(tmp_path / "home"))
    command = [sys.executable, "-c", _KNOWN, str(tmp_path / "notes")]
    runs = [
        subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert "perfnotes.graph.site" in runs[0].stderr
    assert "mkdocs" in runs[0].stderr  # its settings are read once
    assert runs[1].stderr.strip() == "[]"
    assert runs[1].stdout == runs[0].stdout


def test_a_day_to_come_is_no_finding_once_it_has_come(
    project: CheckedProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = project.root / "notes/caches/rows.md"
    day, updated = "date: 2026-01-31", "date: 2926-01-31\nupdated: 2026-01-31"
    rows.write_text(rows.read_text("utf-8").replace(day, updated), encoding="utf-8")
    said = [f"{f.line} {f.message}" for f in both(project) if f.code == "PN221"]
    assert said == [
        "7 the day 2926-01-31 is in the future",
        "8 the update of 2026-01-31 is before the note, of 2926-01-31",
    ]
    clock = SimpleNamespace(now=lambda _: datetime(2926, 1, 30, tzinfo=UTC))
    monkeypatch.setattr("perfnotes.source.read.folder.datetime", clock)
    assert [f.line for f in check(project, configured) if f.code == "PN221"] == [8]


def test_a_record_of_a_day_to_come_proves_that_the_clock_is_slow(
    project: CheckedProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimpleNamespace(now=lambda _: datetime(2025, 1, 1, tzinfo=UTC))
    monkeypatch.setattr("perfnotes.source.read.folder.datetime", clock)
    assert check(project, configured) == []
