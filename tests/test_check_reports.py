"""How a check tells what it found: to people, to GitHub, to viewers of SARIF, and why."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from perfnotes.checks import rules
from perfnotes.cli.commands import check as command
from perfnotes.cli.main import main
from perfnotes.fixes.mending import mends
from perfnotes.report import FORMATS, report
from perfnotes.report.sarif import write as as_sarif
from perfnotes.report.text import for_terminal, summary
from perfnotes.text.findings import Finding, Severity
from tests.example_notes import write_notes

ERROR = Finding("notes/a, b:c.md", 3, 5, "PN301", "100 % of\r\nlines: x,y", "did you mean y?")
WARNING = Finding("notes/a.md", 1, 2, "PN305", "looks like a link", "", Severity.WARNING)
NOTE = Finding("notes/a.md", 2, 1, "PN407", "nobody cites 'x'", "", Severity.NOTE)


def test_a_finding_is_shown_with_its_line_and_a_mark_below_its_column() -> None:
    lines = ["", "", "a\t缓存\x1b[[x]]"]
    shown = for_terminal([ERROR], lambda _: lines, colour=False).splitlines()
    assert shown[0].startswith("notes/a, b:c.md:3:5: PN301 error: 100 % of\\x0d\\x0alines")
    assert shown[0].endswith("(did you mean y?)")
    assert shown[1] == "    a 缓存\\x1b[[x]]"
    assert shown[2] == "    " + " " * 6 + "^"  # Chinese characters are two cells wide
    coloured = for_terminal([ERROR, WARNING], lambda _: [], colour=True)
    assert coloured.count("\x1b[0m") == 4
    assert re.sub(r"\x1b\[\d*m", "", coloured) == for_terminal(
        [ERROR, WARNING], lambda _: [], colour=False
    )


def test_a_long_line_is_cut_around_its_place() -> None:
    finding = Finding("notes/a.md", 1, 501, "PN301", "x")
    line = "a" * 500 + "!" + "b" * 500
    _, shown, mark = for_terminal([finding], lambda _: [line], colour=False).splitlines()
    assert len(shown) < 120
    assert shown[mark.index("^")] == "!"


def test_the_summary_counts_each_severity() -> None:
    assert summary([ERROR, NOTE, NOTE]) == "1 error, 0 warnings, 2 remarks"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("no_color", "term", "coloured"), [
    ("", "xterm", True), ("1", "xterm", False), ("", "dumb", False),
])  # fmt: skip
def test_colour_is_for_terminals_that_want_it(
    no_color: str, term: str, coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", term)
    out = _Terminal()
    monkeypatch.setattr("sys.stdout", out)
    command.print_text([WARNING, NOTE], everything=False)
    assert ("\x1b[" in out.getvalue()) == coloured
    assert "PN407" not in out.getvalue()
    assert "0 errors, 1 warning, 1 remark (--all prints remarks too)" in out.getvalue()


def test_a_pipe_gets_one_line_for_each_finding(capsys: pytest.CaptureFixture[str]) -> None:
    command.print_text([WARNING, NOTE], everything=True)
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_file_that_cannot_be_read_is_told_first(capsys: pytest.CaptureFixture[str]) -> None:
    broken = Finding("notes/tags.yml", 9, 1, "PN104", "broken YAML", "")
    command.print_text([ERROR, WARNING, broken], everything=True)
    shown = [line.split()[1] for line in capsys.readouterr().out.replace("a, b", "a").splitlines()]
    assert shown == ["PN104", "PN301", "PN305"]


def test_github_gets_commands_that_nothing_breaks_out_of() -> None:
    first, second, third = report("github")([NOTE, WARNING, ERROR]).splitlines()
    assert first == (
        "::error file=notes/a%2C b%3Ac.md,line=3,endLine=3,col=5,title=PN301::"
        "100 %25 of\\x0d\\x0alines: x,y (did you mean y?)"
    )
    assert second.startswith("::warning file=notes/a.md,line=1,endLine=1,col=2,")
    assert third.startswith("::notice ")
    forged = Finding("a.md\n::error ::x", 1, 1, "PN105", "x\n::set-output name=a::b")
    assert len(report("github")([forged]).splitlines()) == 1


def test_sarif_says_what_viewers_need() -> None:
    # The properties that the standard requires, and those that code hosts use.
    far = Finding("notes/缓存.md", 7, 9, "PN911", "x", "y", Severity.NOTE)
    log = json.loads(as_sarif([ERROR, WARNING, far], "https://a.example/p/"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", driver["semanticVersion"])
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"] == rules()[rule["id"]].title
        assert rule["help"]["text"]
        assert rule["help"]["markdown"]
        assert rule["helpUri"] == f"https://a.example/p/checks/{rule['id'].lower()}/"
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    for result, finding in zip(run["results"], (ERROR, WARNING, far), strict=True):
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == finding.code
        assert result["level"] == finding.severity
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] in run["originalUriBaseIds"]
        assert place["region"] == {"startLine": finding.line, "startColumn": finding.column}
    uris = [
        r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run["results"]
    ]
    assert uris[0] == "notes/a%2C%20b%3Ac.md"
    assert uris[2] == "notes/%E7%BC%93%E5%AD%98.md"
    assert "helpUri" not in as_sarif([ERROR])  # without an address there is nothing to lead to
    assert json.loads(as_sarif([]))["runs"][0]["results"] == []


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_holds_every_finding(form: str) -> None:
    text = report(form)([ERROR, WARNING, NOTE])
    assert all(f.code in text for f in (ERROR, WARNING, NOTE))
    assert text.endswith("\n")


@pytest.mark.parametrize("code", rules())
def test_every_code_is_explained(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--explain", code.lower()]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{code} {rules()[code].title} (")
    assert rules()[code].why in told
    for part in ("Wrong:\n", "Right:\n", "How to mend it: "):
        assert part in told
    assert ("`perfnotes fix`" in told.partition("How to mend it:")[2]) == (code in mends())
    assert all(c.isprintable() or c == "\n" for c in told)


def test_a_code_that_is_none_gets_a_hint(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--explain", "PN30l"]) == 2
    assert "did you mean PN30" in capsys.readouterr().err


def test_only_the_findings_of_the_files_that_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_notes(tmp_path, {"caches/rows.md": "[x](no.md)\n", "gpu/warps.md": "[x](no.md)\n"})
    notes = tmp_path / "notes"
    options = ["check", "--notes", str(notes), "--format", "json"]
    assert main([*options, str(notes / "gpu/warps.md")]) == 1
    found = json.loads(capsys.readouterr().out)
    assert {f["path"] for f in found} == {f"{notes}/gpu/warps.md"}
    assert main([*options, str(notes / "caches/lines.md")]) == 0
