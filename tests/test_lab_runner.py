"""Labs run in a scratch folder: every way in which one may go wrong gives a clear error."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from perfnotes.labs import needs, privacy, run
from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.find import find_labs
from perfnotes.labs.fingerprint import _id, fingerprint
from perfnotes.labs.load import LoadClock, share_of_others
from perfnotes.labs.record import result_of
from perfnotes.labs.report import verdicts
from perfnotes.labs.run import RunOutcome, run_lab
from perfnotes.labs.scratch import Scratch
from perfnotes.labs.verify import differs
from perfnotes.model.lab import Lab, Limits, Needs
from perfnotes.model.result import Measured, Samples
from tests.lab_notes import CLAIM, write_lab

pytestmark = pytest.mark.slow

LIMITS = Limits(20.0, 512 << 20)


@pytest.fixture(autouse=True)
def _temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scratch folders lie here, so that a test sees what is left of them."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))


def lab_of(folder: Path, yaml: str = CLAIM, **files: str) -> Lab:
    write_lab(folder, yaml, **files)
    return find_labs(folder / "notes", "notes").labs["caches/rows"]


def box_of(folder: Path, **files: str) -> Scratch:
    return Scratch(lab_of(folder, **files), folder / "notes")


def living(mark: str) -> list[str]:
    """Processes with a word among their arguments."""
    found = []
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = each.read_bytes().split(b"\0")
        except OSError:
            continue
        if mark.encode() in words:
            found.append(each.parent.name)
    return found


def fails(box: Scratch, command: str, limits: Limits = LIMITS) -> str:
    with pytest.raises(LabError) as error:
        box.execute(box.words(command), limits)
    return str(error.value)


def test_a_box_holds_the_sources_and_a_clean_environment(tmp_path: Path) -> None:
    with box_of(
        tmp_path, **{"show.sh": "#!/bin/sh\nenv; pwd; cat data\n", "data": "4 rows"}
    ) as box:
        (tmp_path / "notes/caches/rows/lab/show.sh").chmod(0o755)
    with Scratch(box._lab, tmp_path / "notes") as box:
        done = box.execute(["./show.sh"], LIMITS, env={"MORE": "yes"}, stdin="unused")
        base = box.path.parent
        said = done.stdout.splitlines()
        names = {line.partition("=")[0] for line in said if "=" in line}
        assert names - {"PWD", "SHLVL", "_", "OLDPWD"} == {
            "LC_ALL", "PATH", "HOME", "TMPDIR", "PYTHONHASHSEED", "MORE",
        }  # fmt: skip
        assert f"HOME={base}/home" in said
        assert f"TMPDIR={base}/tmp" in said
        assert str(box.path) in said
        assert said[-1] == "4 rows"
        assert str(tmp_path) not in box.clean(done.stdout)
        assert not (box.path / "results").exists()
    assert not base.exists()


def test_stdin_is_given_or_empty(tmp_path: Path) -> None:
    with box_of(tmp_path) as box:
        assert box.execute(["cat"], LIMITS, stdin="héllo\n").stdout == "héllo\n"
        assert box.execute(["cat"], LIMITS).stdout == ""


def test_a_box_tells_what_a_process_used_and_not_what_python_did(tmp_path: Path) -> None:
    with box_of(tmp_path) as box:
        small = box.execute(["true"], LIMITS)
        code = "x = bytearray(100 << 20); x[::4096] = b'1' * len(x[::4096])"
        large = box.execute(["python3", "-c", code], LIMITS)
    assert small.max_rss < 6 << 20  # far less than a Python
    assert large.max_rss > 100 << 20
    assert large.minor_faults > small.minor_faults
    assert large.cpu > 0


def test_what_hangs_is_ended(tmp_path: Path) -> None:
    with box_of(tmp_path) as box:
        said = fails(box, "sleep 4711.01", Limits(0.2, 1 << 30))
    assert "did not end within 0.2 s" in said
    assert "limits: seconds" in said
    assert not living("4711.01")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("sh -c 'kill -SEGV $$'", "crashed: SIGSEGV (segmentation fault)"),
        ("sh -c 'kill -ABRT $$'", "crashed: SIGABRT (aborted)"),
        ("sh -c 'echo why >&2; exit 3'", "ended with status 3\n  | why"),
        ("./nothing", "there is no ./nothing"),
        ("./rows.py", "may not be executed"),
        ("yes", "printed more than 16 MiB"),
        ("sudo true", "never run as another user"),
        ("/usr/bin/sudo true", "never run as another user"),
        ("echo 'open", "quotes come in pairs"),
        ("echo {size}", "no parameter is called 'size' (there: n)"),
    ],
)
def test_what_goes_wrong_is_said(tmp_path: Path, command: str, said: str) -> None:
    with box_of(tmp_path) as box:
        assert said in fails(box, command)


def test_a_memory_hog_is_ended(tmp_path: Path) -> None:
    code = "x = bytearray(1 << 30); x[::4096] = b'1' * len(x[::4096]); import time; time.sleep(60)"
    with box_of(tmp_path) as box, pytest.raises(LabError, match=r"more than 0\.125 GiB of memory"):
        box.execute(["python3", "-c", code], Limits(60.0, 128 << 20))


def test_memory_is_that_of_all_children(tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "for _ in range(4):\n"
        "    if os.fork() == 0:\n"
        "        x = bytearray(60 << 20); x[::4096] = b'1' * len(x[::4096]); time.sleep(60)\n"
        "time.sleep(60)\n"
    )
    with box_of(tmp_path) as box, pytest.raises(LabError, match="of memory"):
        box.execute(["python3", "-c", code], Limits(60.0, 128 << 20))


def test_a_large_address_space_alone_is_no_matter(tmp_path: Path) -> None:
    code = "import mmap; mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | 0x4000)"
    with box_of(tmp_path) as box:
        box.execute(["python3", "-c", code], LIMITS)


@pytest.mark.parametrize("start", ["sleep 4711.02 &", "setsid --fork sleep 4711.02;"])
def test_children_left_behind_are_found_and_ended(tmp_path: Path, start: str) -> None:
    with box_of(tmp_path) as box:
        said = fails(box, f"sh -c '{start} exit 0'")
    assert "left a process behind (sleep)" in said
    assert not living("4711.02")


def test_a_missing_program_is_a_need(tmp_path: Path) -> None:
    with box_of(tmp_path) as box, pytest.raises(CannotRunError, match="needs no-such-tool"):
        box.execute(["no-such-tool"], LIMITS)


def test_words_are_split_without_a_shell(tmp_path: Path) -> None:
    with box_of(tmp_path) as box:
        assert box.words("./rows '{n} $HOME' ${n} ; *") == ["./rows", "4 $HOME", "${n}", ";", "*"]


def test_a_stopped_box_runs_nothing_more(tmp_path: Path) -> None:
    with box_of(tmp_path) as box:
        timer = threading.Timer(0.3, box.stop)
        timer.start()
        assert "was stopped" in fails(box, "sleep 4711.03")
        assert "stopped" in fails(box, "true")
    assert not living("4711.03")


def test_a_folder_closed_to_writing_goes_too(tmp_path: Path) -> None:
    with box_of(tmp_path) as box:
        box.execute(["sh", "-c", "mkdir -p a/b; touch a/b/c; chmod 500 a/b a"], LIMITS)
    assert not list((tmp_path / "tmp").iterdir())


def test_what_a_killed_run_left_is_swept_away_later(tmp_path: Path) -> None:
    base = tmp_path / "tmp"
    old, new, foreign = (base / n for n in ("perfnotes-lab-old", "perfnotes-lab-new", "other"))
    for folder in (old, new, foreign):
        (folder / "lab").mkdir(parents=True)
    day = time.time() - 2 * 24 * 3600
    os.utime(old, (day, day))
    os.utime(foreign, (day, day))
    with box_of(tmp_path):
        assert not old.exists()
        assert new.exists()
        assert foreign.exists()


def test_sigkill_leaves_no_process(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from types import SimpleNamespace as S\n"
        "from perfnotes.model.lab import Limits; from perfnotes.labs.scratch import Scratch\n"
        "lab = S(id='', parameters={}, files={}, folder='', permissions=(), runs={},\n"
        "        needs=S(gpu=''))\n"
        "with Scratch(lab) as box: box.execute(['sleep', '4711.04'], Limits())\n"
    )
    environment = {**os.environ, "PYTHONPATH": "tools", "TMPDIR": str(tmp_path / "tmp")}
    process = subprocess.Popen([sys.executable, "-c", code], env=environment)
    until = time.monotonic() + 20
    while not living("4711.04") and time.monotonic() < until:
        time.sleep(0.05)
    assert living("4711.04")
    process.kill()
    process.wait()
    while living("4711.04") and time.monotonic() < until:
        time.sleep(0.05)
    assert not living("4711.04")


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
    monkeypatch.setattr(run, "LARGEST_OUTPUT", 100)
    outcome = run_lab(lab_of(tmp_path, CLAIM.replace("claims:", more)), tmp_path / "notes", print)
    output = outcome.runs["show"].output or ""
    assert output.startswith(".\n/tmp/x\ny\n")
    assert output.endswith("\n…\n")
    assert len(output.encode()) < 120


def test_a_control_that_holds_breaks_the_claim(tmp_path: Path) -> None:
    text = CLAIM.replace("control: time.fast / time.fast", "control: time.slow / time.fast + 0")
    found = verdicts(run_lab(lab_of(tmp_path, text), tmp_path / "notes", lambda _: None))
    assert found["more"].state == "broken"
    assert "its control holds too" in found["more"].why


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


def test_setsid_is_a_need_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    which = shutil.which
    monkeypatch.setattr(
        "perfnotes.labs.scratch.shutil.which",
        lambda n, path=None: None if n == "setsid" else which(n, path=path),
    )
    with box_of(tmp_path) as box, pytest.raises(CannotRunError, match="util-linux"):
        box.execute(["true"], LIMITS)
