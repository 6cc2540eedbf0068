"""Runs of whole labs, from what they need to what is recorded: what goes wrong is said clearly."""

from __future__ import annotations

import os
import platform
import resource
from pathlib import Path

import pytest
from msgspec.structs import replace

from perfnotes.labs import needs, privacy, run
from perfnotes.labs.box import LabError
from perfnotes.labs.find import find_labs
from perfnotes.labs.fingerprint import _id, fingerprint
from perfnotes.labs.load import LoadClock, share_of_others
from perfnotes.labs.record import result_of
from perfnotes.labs.report import verdicts
from perfnotes.labs.run import RunOutcome, run_lab
from perfnotes.labs.verify import differs
from perfnotes.model.lab import Needs
from perfnotes.model.result import Measured, Result, Samples
from perfnotes.site.pages._results import doubts
from perfnotes.site.render.markup import escape
from tests.lab_notes import CLAIM, _temporary_folder, lab_of, write_lab

__all__ = ["_temporary_folder"]  # the fixture

pytestmark = pytest.mark.slow


def test_needs_are_named_with_their_packages() -> None:
    assert needs.missing(Needs(tools=("sh", "python3"), cores=1)) == ""
    lacking = Needs(tools=("sh", "no-such-tool"), debian=("tool-pack",))
    assert needs.missing(lacking) == "needs no-such-tool (Debian: tool-pack)"
    assert needs.missing(Needs(cores=100_000)) == "needs 100000 cores"
    assert needs.missing(Needs(arch=("pdp11",))) == "needs pdp11"
    assert needs.missing(Needs(cpu=("no-such-flag",))) == "needs a CPU with no-such-flag"
    assert (
        needs.missing(Needs(python=("json", "no_such_module"))) == "needs Python's no_such_module"
    )
    assert needs.missing(Needs(python=("xml.dom",))) == ""
    assert needs.missing(Needs(arch=(platform.machine(),))) == ""
    installer = Needs(files=("/no/such/kernel", "/"), debian=("an-installer",))
    assert needs.missing(installer) == "needs /no/such/kernel (Debian: an-installer)"


@pytest.mark.parametrize(("user", "sudo", "may"), [(0, 1, True), (1000, 0, True), (1000, 1, False)])
def test_root_may_be_reached_by_sudo(
    user: int, sudo: int, may: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "sudo"
    program.write_text(f"#!/bin/sh\nexit {sudo}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(os, "geteuid", lambda: user)
    needs.may_be_root.cache_clear()
    lacks = needs.missing(Needs(root=True))
    needs.may_be_root.cache_clear()
    assert lacks == ("" if may else "needs root, or sudo without a password")


@pytest.mark.parametrize(
    ("pattern", "here"),
    [
        ("core\n", True),
        ("core.%p", False),
        ("%e.core", False),
        ("|/bin/helper %P", False),
        ("/var/crash/%e", False),
        ("", False),
    ],
)
def test_core_files_are_needed_in_the_working_folder(
    pattern: str, here: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "core_pattern"
    place.write_text(pattern)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, resource.RLIM_INFINITY))
    assert needs.has_core_files(place) is here
    assert not needs.has_core_files(tmp_path / "absent")
    place.with_name("core_uses_pid").write_text("1\n")
    assert not needs.has_core_files(place)
    place.with_name("core_uses_pid").write_text("0\n")
    assert needs.has_core_files(place) is here
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, 0))
    assert not needs.has_core_files(place)
    monkeypatch.setattr(needs, "has_core_files", lambda: here)
    assert bool(needs.missing(Needs(core_files=True))) is not here
    assert not needs.missing(Needs())


def test_a_module_is_looked_up_without_importing_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad_module.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert needs.missing(Needs(python=("bad_module.part",))) == ""


def test_a_lab_without_its_tools_is_not_run_and_not_passed(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, CLAIM + "needs: {tools: [no-such-tool]}\n")
    outcome = run_lab(lab, tmp_path / "notes", lambda _: None)
    assert outcome.not_run == "needs no-such-tool"
    assert {v.state for v in verdicts(outcome).values()} == {"not run"}


def test_one_run_may_lack_what_the_others_have(tmp_path: Path) -> None:
    more = "  gone: {tool: output, command: 'true', needs: {tools: [no-such-tool]}}\nclaims:"
    lab = lab_of(tmp_path, CLAIM.replace("claims:", more))
    outcome = run_lab(lab, tmp_path / "notes", lambda _: None)
    assert outcome.runs["gone"].not_run == "needs no-such-tool"
    assert verdicts(outcome)["more"].state == "holds"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("print('no json')", "JSON"),
        ('print(\'{"slow": "fast"}\')', "slow"),
        ("import os; os.kill(os.getpid(), 11)", "SIGSEGV"),
        ("import sys; sys.exit('wrong use')", "wrong use"),
    ],
)
def test_a_run_that_fails_breaks_its_claims_and_nothing_else(
    tmp_path: Path, program: str, said: str
) -> None:
    more = "  bad: {tool: json, command: python3 bad.py}\nclaims:"
    claim = (
        "  broken: {what: w, expression: bad.slow, unit: '', expect: '> 1', because: b,"
        " kind: count, control: time.fast}\n"
    )
    lab = lab_of(tmp_path, CLAIM.replace("claims:", more) + claim, **{"bad.py": program + "\n"})
    outcome = run_lab(lab, tmp_path / "notes", lambda _: None)
    found = verdicts(outcome)
    assert said in outcome.failed["bad"]
    assert found["broken"].state == "broken"
    assert "the run bad failed" in found["broken"].why
    assert found["more"].state == "holds"


def test_a_build_error_says_what_the_compiler_said(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, CLAIM + "build: [sh -c 'echo rows.c:1 >&2; exit 1']\n")
    with pytest.raises(LabError, match=r"(?s)the build failed: .*status 1.*rows\.c:1"):
        run_lab(lab, tmp_path / "notes", lambda _: None)


def test_a_build_with_a_tool_that_is_no_need_says_so(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, CLAIM + "build: [no-such-tool -O2]\n")
    with pytest.raises(LabError, match="needs no-such-tool, which is not among the lab's needs"):
        run_lab(lab, tmp_path / "notes", lambda _: None)


def test_repetitions_append_their_samples(tmp_path: Path) -> None:
    text = CLAIM.replace("tool: json,", "tool: json, repeat: 3,")
    outcome = run_lab(lab_of(tmp_path, text), tmp_path / "notes", lambda _: None)
    assert outcome.runs["time"].quantities["slow"] == Samples((8, 8, 8), "")
    assert all(isinstance(s, int) for s in outcome.runs["time"].quantities["slow"].samples)


def test_output_is_kept_without_the_box_path_and_capped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show = "sh -c 'pwd; echo $TMPDIR/x; yes | head -5000'"
    more = f'  show: {{tool: output, command: "{show}"}}\nclaims:'
    monkeypatch.setattr(run, "MOST_OUTPUT_KEPT", 100)
    outcome = run_lab(lab_of(tmp_path, CLAIM.replace("claims:", more)), tmp_path / "notes", print)
    output = outcome.runs["show"].output or ""
    assert output.startswith(".\n/tmp/x\ny\n")
    assert output.endswith("\n…\n")
    assert len(output.encode()) < 120


def test_a_control_that_holds_breaks_the_claim(tmp_path: Path) -> None:
    text = CLAIM.replace("control: time.fast / time.fast", "control: time.slow / time.fast + 0")
    found = verdicts(run_lab(lab_of(tmp_path, text), tmp_path / "notes", lambda _: None))
    assert found["more"].state == "broken"
    assert "holds for the control too" in found["more"].why


@pytest.mark.parametrize(
    ("change", "message", "hint"),
    [
        (("tool: json", "tool: jason"), "no instrument is called 'jason'", "did you mean 'json'?"),
        (("{n}", "{m}"), "no parameter is called 'm' (there: n)", ""),
        (("python3 rows", "sudo python3 rows"), "never run as another user", ""),
        (("tool: json,", "tool: json, unit: s,"), "no option 'unit'", "did you mean 'units'?"),
    ],
)
def test_what_is_wrong_in_a_run_is_found_without_running(
    tmp_path: Path, change: tuple[str, str], message: str, hint: str
) -> None:
    write_lab(tmp_path, CLAIM.replace(*change))
    [finding] = find_labs(tmp_path / "notes", "notes").broken["caches/rows"]
    assert finding.path == "notes/caches/rows/lab/lab.yml"
    assert finding.line == 7
    assert message in finding.message
    assert hint in finding.hint


def test_the_load_is_the_share_that_others_took() -> None:
    before = LoadClock(total=100.0, busy=40.0, ours=5.0)
    assert share_of_others(before, LoadClock(110.0, 47.0, 7.0)) == 0.5
    assert share_of_others(before, LoadClock(110.0, 42.0, 7.5)) == 0.0
    assert share_of_others(before, LoadClock(100.1, 40.1, 5.0)) is None
    assert share_of_others(None, before) is None


def test_load_makes_timings_unfit_and_says_so(tmp_path: Path) -> None:
    lab = lab_of(tmp_path, CLAIM.replace("kind: count", "kind: timing"))
    busy = {"time": Measured("json", {}, seconds=1.0, load=0.4)}
    assert "time: others took 40 % of the machine's CPU time" in run.unfit(lab, busy)
    counts = replace(lab, claims={i: replace(c, kind="count") for i, c in lab.claims.items()})
    assert not run.unfit(counts, busy)


def test_chinese_pages_say_in_chinese_why_timings_are_unfit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other sentences, such as those of a later version, are shown as English."""
    lab = lab_of(tmp_path, CLAIM.replace("kind: count", "kind: timing"))
    slow = replace(fingerprint(), governor="powersave")
    monkeypatch.setattr(run, "fingerprint", lambda: slow)
    monkeypatch.setattr(run, "scaling_driver", lambda: "acpi-cpufreq")
    found = run.unfit(lab, {"time": Measured("json", {}, seconds=1.0, load=0.4)})
    result = Result("a", slow, "", "", "", {}, (), {}, (*found, "it <was> hot"))
    assert doubts(result, "en") == [*map(escape, found), "it &lt;was&gt; hot"]
    load, clock, other = doubts(result, "zh")
    assert load == "time：其他进程占用了机器 40 % 的 CPU 时间"
    assert clock.startswith("调速器 powersave")
    assert other == '<span lang="en">it &lt;was&gt; hot</span>'


def test_a_machine_is_its_hardware() -> None:
    machine = fingerprint()
    assert machine.cores >= 1
    assert machine.threads >= 1
    assert machine.memory > 0
    assert machine.arch == platform.machine()
    assert machine.id.endswith("c")
    assert ("-vm-" in machine.id) == machine.is_virtual
    assert all(cache["size"] > 0 for cache in machine.caches.values())


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz", "intel-xeon-platinum-8375c-f6m106-8c"),
        ("Intel Core Processor (Skylake, IBRS)", "intel-core-skylake-ibrs-f6m106-8c"),
        ("Intel", "intel-f6m106-8c"),
    ],
)
def test_ids_come_from_the_name_of_the_cpu(name: str, id: str) -> None:
    assert _id("intel", name, {"cpu family": "6", "model": "106"}, 8, virtual=False) == id


def test_no_host_user_or_path_enters_a_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "node", lambda: "bigbox.example")
    monkeypatch.setenv("LOGNAME", "jane.roe")
    labs_root = tmp_path / "notes"
    lab = lab_of(tmp_path)
    labs = find_labs(labs_root, "notes")
    good = RunOutcome(lab, runs={"time": Measured("json", output="bigboxes, janet\n")})
    text = str(result_of(labs, good, fingerprint()))
    assert not any(word in text for word in ("bigbox.example", "jane.roe", str(tmp_path)))
    leaks = (
        "on BigBox now",
        "/home/jane.roe/x",
        f"cc: {labs_root}/caches/x.c",
        "host bigbox.example",
    )
    for leak in leaks:
        bad = replace(good, runs={"time": Measured("json", output=leak)})
        with pytest.raises(LabError, match="is in the output of time"):
            result_of(labs, bad, fingerprint())
        with pytest.raises(LabError, match="is in the version of cc"):
            result_of(labs, replace(good, versions={"cc": leak}), fingerprint())


def test_names_that_everybody_has_are_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "node", lambda: "localhost")
    monkeypatch.setenv("LOGNAME", "root")
    assert not {"localhost", "root"} & set(privacy.private_words())


def test_counts_may_differ_by_their_tolerance() -> None:
    assert not differs(100.0, 100.0, 0.0)
    assert differs(101.0, 100.0, 0.0)
    assert not differs(101.0, 100.0, 0.02)
    assert not differs(1 / 3 * 3, 1.0, 0.0)
