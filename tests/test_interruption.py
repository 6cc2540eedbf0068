"""Ctrl-C and SIGTERM from the first moment on; what killed commands leave goes with the next.

`python -m benchmarks.hostile.kills` does the same at random moments.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from perfnotes.storage.signal_guard import SignalGuard
from perfnotes.storage.temporary import temporary_folder
from perfnotes.storage.write import NewFolder, write_atomically

BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])


def ran(code: str) -> subprocess.CompletedProcess[str]:
    """A Python of its own, in which Ctrl-C is not switched off."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


@BOTH
@pytest.mark.parametrize(
    "module", ["signal", "argparse", "perfnotes.cli.main", "perfnotes.storage.interruption"]
)
def test_a_signal_while_modules_load_ends_the_program_without_a_word(
    number: signal.Signals, module: str
) -> None:
    done = ran(f"""
        import os, sys
        from perfnotes.cli.start import main

        sys.modules.pop({module!r}, None)

        class Signal:
            def find_spec(self, name, path, target=None):
                if name == {module!r}:
                    os.kill(os.getpid(), {int(number)})

        sys.meta_path.insert(0, Signal())
        sys.argv = ["perfnotes", "completion", "bash"]
        sys.exit(main())
    """)
    assert (done.returncode, done.stdout, done.stderr) == (-number, "", "")


# What Python does with an exception in each of these: it says so, swallows it, or makes another.
SWALLOWING = {
    "nothing": "os.kill(os.getpid(), N)",
    "finalizer": "class A:\n    def __del__(self): os.kill(os.getpid(), N)\nA()",
    "weak reference": "import weakref\nclass A: pass\na = A()\n"
    "b = weakref.ref(a, lambda _: os.kill(os.getpid(), N))\ndel a",
    "descriptor": "class A:\n    def __set_name__(self, *_): os.kill(os.getpid(), N)\n"
    "class B:\n    a = A()",
}


@BOTH
@pytest.mark.parametrize("place", SWALLOWING)
def test_an_interruption_is_not_swallowed(number: signal.Signals, place: str) -> None:
    body = textwrap.indent(SWALLOWING[place].replace("N", str(int(number))), " " * 12)
    done = ran(f"""
        import os, sys, time
        import perfnotes.cli.main
        from perfnotes.cli.start import main

        def run():
{body}
            time.sleep(20)
            print("went on")

        perfnotes.cli.main.main = run
        sys.exit(main())
    """)
    said = "perfnotes: interrupted; what was there before is still there\n"
    assert done.stdout == ""
    assert done.stderr == (said if number == signal.SIGINT else "")
    assert done.returncode == 128 + number


def test_what_must_be_whole_is_done_though_a_signal_came_just_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin, done = SignalGuard._begin, []

    def interrupted(self: SignalGuard) -> None:
        del self
        monkeypatch.setattr(SignalGuard, "_begin", begin)
        raise KeyboardInterrupt

    monkeypatch.setattr(SignalGuard, "_begin", interrupted)
    with pytest.raises(KeyboardInterrupt), SignalGuard():
        done.append(1)
    assert done == [1]


def test_folders_and_files_of_killed_processes_go(tmp_path: Path) -> None:
    code = f"""
        import os
        from pathlib import Path
        from perfnotes.storage import write
        from perfnotes.storage.temporary import temporary_folder

        base = Path({str(tmp_path)!r})
        with temporary_folder(base) as folder:
            (folder / "a").touch()
            write.NewFolder(base / "site").make()
            Path.replace = lambda *_: os.kill(os.getpid(), 9)
            write.write_atomically(base / "file", b"half")
    """
    mine = tmp_path / ".file.mine.tmp"
    mine.touch()
    assert ran(code).returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 4
    with temporary_folder(tmp_path) as living:
        with temporary_folder(tmp_path):
            assert living.is_dir()
        write_atomically(tmp_path / "file", b"whole")
        NewFolder(tmp_path / "site").remove_abandoned()
        assert set(tmp_path.iterdir()) == {mine, tmp_path / "file", living}
    assert not living.exists()


def test_a_folder_that_cannot_be_made_is_an_error_and_no_endless_loop() -> None:
    new = NewFolder(Path("/proc/nosuch"))
    with pytest.raises(OSError, match=os.strerror(2)):
        new.make()


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_the_caller_has_closed(closed: str) -> None:
    command = f"{sys.executable} -m perfnotes check --explain PN301 {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
