"""The command line: findings for people and machines, exit statuses, translations, link answers."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from mkdocs.exceptions import Abort

from perfnotes.build.configuration import configuration
from perfnotes.build.session import Session
from perfnotes.cli.commands import commands
from perfnotes.cli.commands._build_task import ignored_plugins
from perfnotes.cli.main import main
from perfnotes.graph.external import KnownAnswers, addresses, ask_all
from perfnotes.storage.store import Store
from perfnotes.text.findings import Finding, Severity
from tests.example_notes import read_site, write_notes

WRONG = {"caches/rows.md": "See [[linse]] and [x](nowhere.md).\n"}


def check(folder: Path, *options: str) -> int:
    return main(["check", "--notes", str(folder / "notes"), *options])


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert {"build", "serve", "check", "links", "translated"} <= set(commands())
    for name in commands():
        with pytest.raises(SystemExit) as stop:
            main([name, "--help"])
        assert stop.value.code == 0
        assert f"perfnotes {name}" in capsys.readouterr().out.partition("example:")[2]


def test_findings_are_one_line_each_with_place_code_and_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path, WRONG)
    assert check(tmp_path) == 1
    lines = capsys.readouterr().out.splitlines()
    rows = f"{tmp_path}/notes/caches/rows.md"
    assert lines[0].startswith(f"{rows}:10:5: PN301 ")
    assert "did you mean [[lines]]?" in lines[0]
    assert lines[1].startswith(f"{rows}:10:23: PN304 ")


def test_the_same_findings_for_machines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_notes(tmp_path, WRONG)
    assert check(tmp_path, "--format", "json") == 1
    found = json.loads(capsys.readouterr().out)
    keys = {"path", "line", "column", "code", "severity", "message", "hint"}
    assert all(set(f) == keys for f in found)
    assert found[0]["line"] == 10
    assert check(tmp_path, "--format", "github") == 1
    assert "::error file=" in capsys.readouterr().out
    assert check(tmp_path, "--format", "sarif") == 1
    sarif = json.loads(capsys.readouterr().out)
    assert sarif["version"] == "2.1.0"
    assert {r["ruleId"] for r in sarif["runs"][0]["results"]} >= {"PN301", "PN304"}


def test_exit_statuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_notes(tmp_path)
    assert check(tmp_path) == 0
    assert main(["check", "--notes", str(tmp_path / "nothing")]) == 2
    with pytest.raises(SystemExit) as stop:
        main(["unknown"])
    assert stop.value.code == 2
    stale = {"caches/lines.zh.md": "---\ntranslates: 0f0f0f0f0f0f0f0f\n---\n"}
    write_notes(tmp_path / "stale", stale)
    assert check(tmp_path / "stale") == 0
    assert "PN702" in capsys.readouterr().out
    assert check(tmp_path / "stale", "--strict") == 1


def test_a_path_that_is_not_there_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path, WRONG)
    assert check(tmp_path, str(tmp_path / "notes/caches/nosuch.md")) == 2
    assert "nosuch.md" in capsys.readouterr().err
    (tmp_path / "README.md").write_text("# Read me\n")
    assert check(tmp_path, str(tmp_path / "README.md")) == 0  # a hook names all that was changed
    assert "is not checked: it lies outside" in capsys.readouterr().err


def test_notes_that_cannot_be_read_are_wrong_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read any folder
    assert main(["check", "--notes", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"perfnotes: {tmp_path} cannot be read: its permissions forbid it\n"
    )


def test_a_folder_of_notes_whose_name_is_not_utf_8_is_wrong_use(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["build", "--notes", "b\udce9d"]) == 2
    assert capsys.readouterr().err == (
        "perfnotes: b\\udce9d is not UTF-8 (rename the folder; if it is UTF-8, set PYTHONUTF8=1)\n"
    )


def test_what_stops_a_build_is_counted_as_it_was_printed() -> None:
    wrong = Finding("a.md", 1, 1, "PN301", "wrong")
    doubtful = Finding("a.md", 2, 1, "PN304", "doubtful", severity=Severity.WARNING)
    session = Session(strict=True)
    with pytest.raises(Abort, match="1 error and 2 warnings; the site"):
        session.report([wrong, doubtful, doubtful])


def test_a_note_by_its_name_is_no_path_but_hints_at_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path)
    for name, path in {"rows": "caches/rows.md", "caches/steps": "caches/steps"}.items():
        assert check(tmp_path, name) == 2
        said = f"there is no {name}; did you mean {tmp_path}/notes/{path}?"
        assert said in capsys.readouterr().err


def test_paths_narrow_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_notes(tmp_path, WRONG)
    assert check(tmp_path, str(tmp_path / "notes/gpu")) == 0
    assert capsys.readouterr().out == ""
    assert check(tmp_path, str(tmp_path / "notes/caches/rows.md")) == 1


def test_a_terminal_never_sees_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path, {"caches/rows.md": '---\ntags: ["\\e[31mred"]\n---\n'})
    check(tmp_path)
    assert "\x1b" not in capsys.readouterr().out


class _Answers(BaseHTTPRequestHandler):
    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status = {"/good": 200, "/gone": 404, "/refused": 403, "/no-head": 200}.get(self.path, 500)
        if self.path == "/no-head" and self.command == "HEAD":
            status = 405
        self.send_response(status)
        self.end_headers()

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        del format, args


@pytest.fixture
def host() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), _Answers)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    _Answers.asked.clear()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_external_links_are_asked_once_and_remembered(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    text = f"[a]({host}/good) [b]({host}/gone) [c]({host}/refused) <{host}/no-head>\n"
    write_notes(tmp_path, {"caches/rows.md": text})
    places = addresses(read_site(tmp_path).graph)
    ours = [url for url in places if url.startswith(host)]
    assert places[f"{host}/gone"][0].path == "notes/caches/rows.md"
    folder = tmp_path / "cache"
    answers = {a.url: a for a in ask_all(ours, KnownAnswers(Store(folder), 7), 5)}
    assert {u.rpartition("/")[2] for u, a in answers.items() if a.is_broken} == {"gone"}
    _Answers.asked.clear()
    ask_all(ours, KnownAnswers(Store(folder), 7), 5)
    assert set(_Answers.asked) == {"/gone"}
    _Answers.asked.clear()
    ask_all(ours, KnownAnswers(Store(folder), 0), 5)
    assert "/good" in _Answers.asked


def test_a_host_that_does_not_answer_is_a_finding_not_a_crash() -> None:
    answers = ask_all(["http://127.0.0.1:9/x", "http://[bad/"], KnownAnswers(Store(None), 7), 2)
    assert all(a.is_broken and a.reason for a in answers)


def test_plugins_that_have_no_part_are_named() -> None:
    assert ignored_plugins(configuration()) == []
    assert [
        name.rpartition("/")[2] for name in ignored_plugins(configuration(plugins=["tags"]))
    ] == ["tags"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([" "], 2, "the query is empty: write what to look for"),
        (["type:bogus", "x"], 0, "no page has type:bogus; there are "),
        (["tag:cash"], 0, "no page has tag:cash; there are cache\n"),
        (["tag:cache", "type:note", "lines"], 0, ""),
    ],
)
def test_a_search_says_why_nothing_is_found(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    status: int,
    said: str,
) -> None:
    write_notes(tmp_path)
    assert main(["search", "--notes", str(tmp_path / "notes"), *words]) == status
    out = capsys.readouterr()
    assert said in out.err if said else not out.err
    assert (out.out == "nothing found\n") == (bool(said) and not status)


def test_of_many_tags_a_search_names_those_near(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"{letter * 5}-{i}" for i, letter in enumerate("abcdefghijklmnopqrstuvwxyz")]
    (tmp_path / "a.md").write_text(f"---\ntitle: A\ntags: [{', '.join(names)}]\n---\nText.\n")
    for tag, said in (("ccccc", "near are ccccc-2"), ("nothing", "none of the 26 that there are")):
        assert main(["search", "--notes", str(tmp_path), f"tag:{tag}"]) == 0
        assert f"no page has tag:{tag}; {said}" in capsys.readouterr().err


def test_a_current_folder_that_was_removed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["check"]) == 2
    assert "the current folder was removed: change to another one" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["", "today", "-1", "1.5", "4294967296"])
def test_a_time_that_is_none_is_wrong_use(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    for command in ("build", "serve"):
        assert main([command]) == 2
        assert f"SOURCE_DATE_EPOCH is {given!r}: write seconds" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (["serach", "tlb"], "did you mean search?"),
        (["lab", "recrod"], "did you mean record?"),
        (["check", "--format", "jsno"], "did you mean json?"),
        (["check", "--fast"], "usage: perfnotes check "),
        (["lab", "run", "a", "b"], "usage: perfnotes lab run "),
        (["links", "--timeout", "0"], "--timeout: 0 given: write seconds, more than 0"),
        (["cite", "x", "--timeout", "-1"], "--timeout: -1 given: write seconds, more than 0"),
        (["cite", "x", "--timeout", "1e300"], "1e300 given: write seconds"),
        (["links", "--timeout", "nan"], "--timeout: 'nan' is no number"),
        (["links", "--max-age", "inf"], "--max-age: 'inf' is no number"),
        (["links", "--max-age", "-1"], "--max-age: -1 given, at least 0 is needed"),
        (["search", "x", "--limit", "0"], "--limit: 0 given, at least 1 is needed"),
        (["diff", "main", "--pages", "-1"], "--pages: -1 given, at least 0 is needed"),
        (["diff", "main", "--pages", "1.5"], "--pages: '1.5' is no whole number"),
        (["check", ""], "PATH: the path is empty"),
        (["fix", "--yes", ""], "PATH: the path is empty"),
        (["import", ""], "the path is empty"),
        (["links", "--notes", ""], "--notes: the path is empty"),
    ],
)
def test_wrong_use_is_answered_by_its_own_command(
    capsys: pytest.CaptureFixture[str], given: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(given)
    assert stop.value.code == 2
    assert says in capsys.readouterr().err


def test_a_draft_that_is_named_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path)
    rows = tmp_path / "notes" / "caches" / "rows.md"
    text = rows.read_text()
    rows.write_text(text.replace("---\n", "---\ndraft: true  # for now\n", 1) + "See [[linse]].\n")
    assert check(tmp_path, str(rows)) == 0
    assert "is a draft: only its front matter is checked" in capsys.readouterr().err
    for name in ("caches/rows", str(rows)):
        assert main(["claims", name, "--notes", str(tmp_path / "notes")]) == 2
        assert f"{name} is a draft" in capsys.readouterr().err
    rows.write_text(text + "\n```yaml\ndraft: true\n```\n")
    check(tmp_path, str(rows))
    assert "draft" not in capsys.readouterr().err


def test_a_date_that_no_calendar_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_notes(tmp_path)
    rows = tmp_path / "notes" / "caches" / "rows.md"
    rows.write_text(rows.read_text().replace("---\n", "---\nupdated: 2026-02-30\n", 1))
    assert check(tmp_path) == 1
    assert "'2026-02-30' is no day of the calendar" in capsys.readouterr().out
