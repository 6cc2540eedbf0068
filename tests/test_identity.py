"""Two builds of one commit are identical; what git knows reaches the site without its people."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from perfnotes.storage.store import FOLDER as CACHE
from tests.project import clone, commit, copy_built, differences, git, perfnotes, run, tree

pytestmark = pytest.mark.slow

# What a copy of a built project lacks that has no history and no site, but a cache.
UNBUILT = (".git", "site")

# Another day for everything that Python asks, 400 days later and a few hours.
LATER = """\
import datetime, time

SHIFT = 400 * 86400 + 12345
_time, _time_ns, _gmtime, _localtime = time.time, time.time_ns, time.gmtime, time.localtime
time.time = lambda: _time() + SHIFT
time.time_ns = lambda: _time_ns() + SHIFT * 10**9
time.gmtime = lambda seconds=None: _gmtime(time.time() if seconds is None else seconds)
time.localtime = lambda seconds=None: _localtime(time.time() if seconds is None else seconds)


class _Same(type):
    def __instancecheck__(cls, value):
        return isinstance(value, cls.__mro__[1])


class datetime_(datetime.datetime, metaclass=_Same):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)

    @classmethod
    def utcnow(cls):
        return cls.utcfromtimestamp(time.time())

    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())


class date_(datetime.date, metaclass=_Same):
    @classmethod
    def today(cls):
        return cls.fromtimestamp(time.time())


datetime.datetime, datetime.date = datetime_, date_
"""


def test_another_place_day_zone_locale_hash_seed_and_core(
    built_sample: Path, tmp_path: Path
) -> None:
    project = tmp_path / "elsewhere" / "a much longer path"
    project.parent.mkdir()
    git(tmp_path, "clone", "--quiet", built_sample.as_uri(), str(project))
    for name in tree(project):
        if not name.startswith(".git/"):
            os.utime(project / name, (1_000_000_000, 1_000_000_000))
    patch = tmp_path / "later"
    patch.mkdir()
    (patch / "sitecustomize.py").write_text(LATER, "utf-8")
    changed = {
        "PYTHONPATH": str(patch),
        "TZ": "Pacific/Kiritimati",
        "LANG": "zh_CN.UTF-8",
        "LC_ALL": "C",
        "PYTHONHASHSEED": "12345",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONUTF8": "0",
    }
    python = [sys.executable, "-c", "import datetime; print(datetime.date.today().isoformat())"]
    days = {run(project, python).stdout, run(project, python, env=changed).stdout}
    assert len(days) == 2, "the faked day is not another day"

    def use_one_core() -> None:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    run(project, perfnotes("build", "--quiet"), before=use_one_core, env=changed)
    assert differences(project / "site", built_sample / "site") == []


def test_a_terminal_that_knows_no_chinese_gets_escapes(built_example: Path, tmp_path: Path) -> None:
    notes = {"caches/lines.zh.md": "缓存[行](没有.md)。\n"}
    project = copy_built(built_example, tmp_path / "project", without=UNBUILT, notes=notes)
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = run(project, perfnotes("check"), env=plain, status=1)
    assert r"no file at '\u6ca1\u6709.md'" in done.stdout


def test_dates_come_from_the_commits(built_example: Path, tmp_path: Path) -> None:
    project = copy_built(built_example, tmp_path / "project", without=UNBUILT)
    commit(project)
    note = project / "notes" / "caches" / "rows.md"
    note.write_text(note.read_text("utf-8") + "\nOne more sentence.\n", "utf-8")
    commit(
        project,
        GIT_AUTHOR_DATE="2026-07-05T23:30:00-0800",
        GIT_COMMITTER_DATE="2026-07-05T23:30:00-0800",
    )
    run(project, perfnotes("build", "--quiet"))
    recent = (project / "site" / "recent" / "index.html").read_text("utf-8")
    assert re.findall(r'<h2 id="d([\d-]+)">', recent) == ["2026-07-05", "2026-02-03"]


def test_a_project_inside_another_repository_has_that_history(
    built_example: Path, tmp_path: Path
) -> None:
    project = copy_built(built_example, tmp_path / "deeper" / "project", without=UNBUILT)
    commit(tmp_path)
    done = run(project, perfnotes("build", "--quiet"))
    assert done.stderr == ""
    assert "2026-02-03" in (project / "site" / "recent" / "index.html").read_text("utf-8")


def test_a_shallow_clone_builds_without_dates_of_changes(
    built_example: Path, tmp_path: Path
) -> None:
    project = clone(built_example, tmp_path / "clone", "--depth", "1")
    shutil.copytree(built_example / CACHE, project / CACHE)
    assert_builds_without_dates(project, "the git history is shallow")


def test_no_git_at_all_builds_without_dates_of_changes(built_example: Path, tmp_path: Path) -> None:
    project = copy_built(built_example, tmp_path / "project", without=UNBUILT)
    assert_builds_without_dates(project, "there is no git history here")


def test_a_machine_without_git_builds_without_dates_of_changes(
    built_example: Path, tmp_path: Path
) -> None:
    project = copy_built(built_example, tmp_path / "project")
    (tmp_path / "bin").mkdir()
    assert_builds_without_dates(project, "git is not installed", {"PATH": str(tmp_path / "bin")})


def assert_builds_without_dates(
    project: Path, reason: str, env: dict[str, str] | None = None
) -> None:
    done = run(project, perfnotes("build"), env=env)
    lines = [line for line in done.stderr.splitlines() if reason in line]
    assert len(lines) == 1, done.stderr
    assert "dates of last changes are left out" in lines[0]
    recent = (project / "site" / "recent" / "index.html").read_text("utf-8")
    assert "2026-02-03" not in recent, "the day of a commit that cannot be known"
    assert "2026-01-31" in recent, "the day in the front matter"


def test_no_address_of_a_person_reaches_the_site(built_example: Path, tmp_path: Path) -> None:
    addresses = ["ada@mail.example", "grace@mail.example", "linus@mail.example"]
    front = '---\nauthors: ["Grace Example <grace@mail.example>", "linus@mail.example"]\n---\n'
    notes = {
        "caches/lines.md": f"{front}Text of a note.\n",
        "caches/lines.zh.md": f"{front}一篇译文。\n",
    }
    project = copy_built(built_example, tmp_path / "project", without=UNBUILT, notes=notes)
    commit(project)
    # The translation falls behind, so that the site shows what changed.
    note = project / "notes" / "caches" / "lines.md"
    text = note.read_text("utf-8")
    note.write_text(text.replace("description: The unit", "description: The one unit"), "utf-8")
    commit(project, "More, by linus@mail.example")
    run(project, perfnotes("build", "--quiet"))
    changes = project / "site" / "zh" / "caches" / "lines" / "changes" / "index.html"
    assert "The one unit" in changes.read_text("utf-8")
    page = (project / "site" / "caches" / "lines" / "index.html").read_text("utf-8")
    assert "Grace Example" in page
    for name in tree(project / "site"):
        text = (project / "site" / name).read_bytes().decode("utf-8", "replace")
        text = text.replace("&#64;", "@")
        assert not any(a in text for a in addresses), name
