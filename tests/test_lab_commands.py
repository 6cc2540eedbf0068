"""``perfnotes lab`` and ``perfnotes reproduce``: what they print, write and refuse."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from perfnotes.cli.main import main
from perfnotes.labs.fingerprint import fingerprint
from tests.lab_notes import CLAIM, ROWS, living, write_lab

pytestmark = pytest.mark.slow

HERE = fingerprint().id
WITH_REFERENCE = f"reference: {HERE}\n" + CLAIM
GCC = CLAIM + "needs: {tools: [sh]}\nbuild: [cp rows.py built.py]\n"


class Cli:
    """Runs a command on the notes of a folder; keeps what it printed."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys
        self.out = self.err = ""

    def __call__(self, *words: str, trust: bool = True) -> int:
        self.capsys.readouterr()
        runs = words[0] == "reproduce" or words[:2] != ("lab", "list")
        trusted = ["--trust"] if trust and runs else []
        status = main([*words, *trusted, "--notes", str(self.folder / "notes")])
        self.out, self.err = self.capsys.readouterr()
        assert "Traceback" not in self.err
        return status

    @property
    def results(self) -> list[Path]:
        return sorted((self.folder / "notes/caches/rows/lab").glob("results/*"))


@pytest.fixture
def cli(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return Cli(tmp_path, capsys)


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("action", ["list", "run", "record", "replace", "verify"])
def test_every_action_has_help_with_an_example(
    action: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["lab", action, "--help"])
    assert stop.value.code == 0
    assert f"perfnotes lab {action}" in capsys.readouterr().out.partition("example:")[2]


def test_run_prints_claims_and_writes_nothing(cli: Cli) -> None:
    write_lab(cli.folder)
    assert cli("lab", "run", "rows") == 0
    assert re.search(r"more +4 × +> 2 +1 × +holds", cli.out)
    assert not cli.results
    assert not list((cli.folder / "tmp").iterdir())


def test_run_keeps_the_folder_when_asked(cli: Cli) -> None:
    write_lab(cli.folder, GCC)
    assert cli("lab", "run", "rows", "--keep") == 0
    [kept] = (cli.folder / "tmp").iterdir()
    assert f"is kept: {kept}/lab" in cli.err
    assert (kept / "lab" / "built.py").is_file()


def test_run_prints_json(cli: Cli) -> None:
    write_lab(cli.folder)
    assert cli("lab", "run", "caches/rows", "--json") == 0
    data = json.loads(cli.out)
    assert data["claims"]["more"]["state"] == "holds"
    assert data["claims"]["more"]["value"]["median"] == 4
    assert data["runs"]["time"]["quantities"]["slow"] == {"unit": "", "samples": [8]}


def test_a_claim_that_fails_is_status_one(cli: Cli) -> None:
    write_lab(cli.folder, CLAIM.replace("> 2", "> 20"))
    assert cli("lab", "run", "rows") == 1
    assert re.search(r"more +4 × +> 20 +1 × +fails", cli.out)


def test_a_name_that_is_almost_right_gets_a_hint(cli: Cli) -> None:
    write_lab(cli.folder)
    assert cli("lab", "run", "caches/row") == 2
    assert "did you mean caches/rows?" in cli.err
    assert cli("lab", "run", "quite-different") == 2
    assert "perfnotes lab list" in cli.err


def test_a_slug_that_two_notes_have_is_not_guessed(cli: Cli) -> None:
    lab = write_lab(cli.folder)
    other = cli.folder / "notes" / "gpu" / "rows" / "lab"
    other.mkdir(parents=True)
    for file in lab.iterdir():
        (other / file.name).write_bytes(file.read_bytes())
    assert cli("lab", "run", "rows") == 2
    assert "caches/rows or gpu/rows" in cli.err


def test_a_lab_that_cannot_be_read_shows_its_findings(cli: Cli) -> None:
    write_lab(cli.folder, CLAIM.replace("tool: json", "tool: jason"))
    assert cli("lab", "run", "rows") == 2
    assert re.search(r"lab\.yml:7:10: PN\d+ error: no instrument is called 'jason'", cli.err)
    assert cli("lab", "verify") == 1
    assert "did you mean 'json'?" in cli.out


def test_verify_says_all_as_json(cli: Cli) -> None:
    write_lab(cli.folder, GCC)
    assert cli("lab", "record", "rows") == 0
    assert cli("lab", "verify", "--json") == 0
    [report] = json.loads(cli.out)
    assert report["lab"] == "caches/rows"
    assert report["wrong"] == report["not_run"] == []


def test_record_writes_a_whole_result(cli: Cli) -> None:
    write_lab(cli.folder, GCC)
    assert cli("lab", "record", "rows") == 0
    assert f"reference: {HERE}" in cli.out
    [file] = cli.results
    data = json.loads(file.read_text())
    assert file.name == f"{HERE}.json"
    assert data["flags"] == ["cp rows.py built.py"]
    assert data["runs"]["time"]["quantities"]["fast"]["samples"] == [2]
    assert data["versions"]["libc"]
    assert data["versions"]["python3"].startswith("3.") or "Python" in data["versions"]["python3"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", data["date"])
    assert data["commit"] == ""
    assert cli("lab", "verify", "--strict") == 0
    assert "holds, as recorded" in cli.out
    assert cli("lab", "list") == 0
    assert HERE in cli.out


def test_the_commit_is_recorded_and_changes_are_marked(cli: Cli) -> None:
    lab = write_lab(cli.folder)
    git(cli.folder, "init", "-q")
    git(cli.folder, "add", "notes")
    git(cli.folder, "commit", "-qm", "m")
    (cli.folder / ".git" / "info" / "exclude").write_text("/tmp/\n")

    def recorded() -> str:
        assert cli("lab", "record", "rows") == 0
        return str(json.loads(cli.results[0].read_text())["commit"])

    assert re.fullmatch(r"[0-9a-f]{7,}", recorded())
    assert re.fullmatch(r"[0-9a-f]{7,}", recorded())  # its own result is no change
    (lab / "rows.py").write_text(ROWS + "# more\n")
    assert re.fullmatch(r"[0-9a-f]{7,}\+", recorded())


@pytest.mark.parametrize(
    "yaml",
    [
        CLAIM + "build: ['false']\n",
        CLAIM.replace("rows.py {n}", "gone.py"),
        CLAIM + "needs: {tools: [no-such-tool]}\n",
    ],
)
def test_what_did_not_build_or_run_is_not_recorded(cli: Cli, yaml: str) -> None:
    write_lab(cli.folder, yaml)
    assert cli("lab", "record", "rows") == 1
    assert not cli.results


def test_a_claim_that_fails_is_recorded_and_said(cli: Cli) -> None:
    write_lab(cli.folder, CLAIM.replace("> 2", "> 20"))
    assert cli("lab", "record", "rows") == 1
    assert "fails" in cli.out
    assert cli.results


def test_the_reference_result_is_replaced_only_knowingly(cli: Cli) -> None:
    lab = write_lab(cli.folder, WITH_REFERENCE)
    assert cli("lab", "record", "rows") == 0
    before = cli.results[0].read_bytes()
    (lab / "rows.py").write_text(ROWS.replace("8", "9"))
    assert cli("lab", "record", "rows") == 1
    assert "perfnotes lab replace caches/rows" in cli.err
    assert cli("lab", "replace", "rows") == 2  # nobody to ask
    assert re.search(r"more +4 × +4.5 × +holds", cli.out)
    assert re.search(r"index\.md:8:\d+: 4\.0× → 4\.5×", cli.out)
    assert "--yes" in cli.err
    assert cli.results[0].read_bytes() == before
    assert cli("lab", "replace", "rows", "--yes") == 0
    assert json.loads(cli.results[0].read_text())["runs"]["time"]["quantities"]["slow"][
        "samples"
    ] == [9]


def test_another_machine_is_made_the_reference(cli: Cli) -> None:
    lab = write_lab(cli.folder, WITH_REFERENCE)
    assert cli("lab", "record", "rows", "--machine", "other-machine") == 0
    assert cli("lab", "replace", "rows", "--machine", "other-machine", "--yes") == 2
    assert "--adopt other-machine" in cli.err
    assert cli("lab", "replace", "rows", "--adopt", "no-machine", "--yes") == 2
    assert "results: other-machine" in cli.err
    assert cli("lab", "replace", "rows", "--adopt", "other-machine", "--yes") == 0
    text = (lab / "lab.yml").read_text()
    assert text == WITH_REFERENCE.replace(HERE, "other-machine")
    assert cli("lab", "verify", "--strict") == 0


def test_a_reference_is_added_where_none_is(cli: Cli) -> None:
    lab = write_lab(cli.folder)
    assert cli("lab", "record", "rows") == 0
    assert cli("lab", "replace", "rows", "--yes") == 2
    assert cli("lab", "replace", "rows", "--adopt", HERE, "--yes") == 0
    assert f"duration: 1 s\nreference: {HERE}\n" in (lab / "lab.yml").read_text()


def test_stale_source_and_tampered_results_are_failures(cli: Cli) -> None:
    lab = write_lab(cli.folder)
    assert cli("lab", "record", "rows") == 0
    [file] = cli.results
    text = file.read_text()
    file.write_text(text.replace("8", "9", 1))
    assert cli("lab", "verify") == 1
    assert "its digest does not match" in cli.out
    file.write_text(text)
    assert cli("lab", "verify") == 0
    (lab / "rows.py").write_text(ROWS + "\n")
    assert cli("lab", "verify") == 1
    assert "stale" in cli.out
    assert "perfnotes lab record caches/rows" in cli.out


def test_verify_demands_the_recorded_count_of_the_same_versions(cli: Cli) -> None:
    # The seconds since the machine was started are the one thing that changes for a lab.
    text = "import json, time\nnow = time.monotonic() * 1000\n"
    text += "print(json.dumps({'slow': 8 + now, 'fast': 2}))\n"
    lab = write_lab(cli.folder, CLAIM, **{"rows.py": text})
    assert cli("lab", "record", "rows") == 0
    assert cli("lab", "verify") == 1
    assert re.search(r"holds, but [\d,.e+]+ × was recorded", cli.out)
    write_lab(cli.folder, CLAIM.replace("kind: count", "kind: count, tolerance: 100 %"))
    (lab / "rows.py").write_text(text)
    assert cli("lab", "verify") == 0


def test_verify_runs_no_timings_and_passes_nothing_that_was_not_run(cli: Cli) -> None:
    write_lab(cli.folder, CLAIM.replace("kind: count", "kind: timing") + "build: ['false']\n")
    assert cli("lab", "verify") == 0  # the build, which would fail, is not needed
    write_lab(cli.folder, CLAIM + "needs: {tools: [no-such-tool]}\n")
    assert cli("lab", "verify") == 0
    assert "not run: needs no-such-tool" in cli.out
    assert "count claims run: 0, not run: 1" in cli.out
    assert cli("lab", "verify", "--strict") == 1


def test_verify_judges_by_expectation_and_control(cli: Cli) -> None:
    write_lab(cli.folder, CLAIM.replace("> 2", "> 20"))
    assert cli("lab", "verify", "rows") == 1
    assert "more fails: 4 ×, expected > 20" in cli.out
    write_lab(cli.folder, CLAIM.replace("> 2", "> 0"))
    assert cli("lab", "verify", "rows") == 1
    assert "holds for the control too" in cli.out


def test_reproduce_answers_claim_by_claim(cli: Cli) -> None:
    write_lab(cli.folder, "reference: theirs\n" + CLAIM)
    assert cli("lab", "record", "rows", "--machine", "theirs") == 0
    assert cli("reproduce", "rows") == 0
    assert "run    time (json): python3 rows.py 4" in cli.out
    assert "published: theirs" in cli.out
    assert re.search(r"more +4 × +4 × +> 2 +holds", cli.out)
    assert "open a pull request" in cli.out
    assert len(cli.results) == 1
    assert cli("reproduce", "rows", "--save") == 0
    assert [file.stem for file in cli.results] == sorted([HERE, "theirs"])
    assert "git add" in cli.out


def test_yes_lets_no_code_run(cli: Cli) -> None:
    write_lab(cli.folder, CLAIM)
    for action in ("reproduce", "lab run", "lab verify"):
        with pytest.raises(SystemExit):
            cli(*action.split(), "rows", "--yes", trust=False)


def test_reproduce_prints_no_control_character_of_a_result(cli: Cli) -> None:
    write_lab(cli.folder, "reference: theirs\n" + CLAIM)
    assert cli("lab", "record", "rows", "--machine", "theirs") == 0
    data = json.loads(cli.results[0].read_text())
    data["machine"]["cpu"] = "x\x1b[2J\n\u202ey"
    cli.results[0].write_text(json.dumps(data))
    assert cli("reproduce", "rows") == 0
    assert r"published: theirs, x\x1b[2J\x0a\u202ey, 20" in cli.out


@pytest.mark.parametrize("words", [("lab", "record", "rows"), ("reproduce", "rows", "--save")])
def test_no_result_is_written_through_a_link(cli: Cli, words: tuple[str, ...]) -> None:
    lab = write_lab(cli.folder)
    elsewhere = cli.folder / "elsewhere"
    elsewhere.mkdir()
    (lab / "results").symlink_to(elsewhere)
    assert cli(*words) == 1
    assert "results is a symbolic link: nothing is written" in cli.err
    assert not list(elsewhere.iterdir())


def test_reproduce_says_what_fails_and_what_is_missing(cli: Cli) -> None:
    write_lab(cli.folder, CLAIM.replace("> 2", "> 20"))
    assert cli("reproduce", "rows") == 1
    assert "1 fails" in cli.out
    write_lab(cli.folder, CLAIM + "needs: {tools: [no-such-tool], debian: [pack]}\n")
    assert cli("reproduce", "rows") == 0
    assert "not run: needs no-such-tool (Debian: pack)" in cli.out


@pytest.mark.parametrize("line", ["build: [sudo make]\n", "build: [/usr/bin/sudo -n make]\n"])
def test_nothing_runs_as_another_user(cli: Cli, line: str) -> None:
    write_lab(cli.folder, CLAIM + line)
    assert cli("reproduce", "rows") == 2
    assert "never run as another user" in cli.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("action", ["record", "verify"])
def test_an_interrupt_leaves_no_process_no_folder_no_result(
    cli: Cli, number: signal.Signals, action: str
) -> None:
    mark = f"4711.{number}{len(action)}"
    run = CLAIM.replace("python3 rows.py {n}", f"sh -c 'sleep {mark} & sleep {mark}; wait'")
    write_lab(cli.folder, run)
    environment = {**os.environ, "PYTHONPATH": "tools", "TMPDIR": str(cli.folder / "tmp")}
    words = ["lab", action, "rows", "--trust", "--notes", str(cli.folder / "notes")]
    process = subprocess.Popen(
        [sys.executable, "-m", "perfnotes", *words], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    until = time.monotonic() + 30
    while len(living(mark)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=30)
    assert process.returncode == (130 if number == signal.SIGINT else 143)
    assert b"Traceback" not in said
    assert not living(mark)
    assert not list((cli.folder / "tmp").iterdir())
    assert not cli.results
