"""The scratch folder in which the commands of a lab run: its bounds, and what is left behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.scratch import Scratch
from perfnotes.model.lab import Limits
from tests.lab_notes import _temporary_folder, lab_of, living

__all__ = ["_temporary_folder"]  # the fixture

pytestmark = pytest.mark.slow

LIMITS = Limits(20.0, 512 << 20)


def box_of(folder: Path, **files: str) -> Scratch:
    return Scratch(lab_of(folder, **files), folder / "notes")


def fails(box: Scratch, command: str, limits: Limits = LIMITS) -> str:
    with pytest.raises(LabError) as error:
        box.execute(box.arguments(command), limits)
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
        assert box.arguments("./rows '{n} $HOME' ${n} ; *") == [
            "./rows",
            "4 $HOME",
            "${n}",
            ";",
            "*",
        ]


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


def test_setsid_is_a_need_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    which = shutil.which
    monkeypatch.setattr(
        "perfnotes.labs.scratch.shutil.which",
        lambda n, path=None: None if n == "setsid" else which(n, path=path),
    )
    with box_of(tmp_path) as box, pytest.raises(CannotRunError, match="util-linux"):
        box.execute(["true"], LIMITS)
