"""The process that builds for ``perfnotes serve`` pauses while somebody waits for a page."""

from __future__ import annotations

import queue
import subprocess
import sys
import time
from pathlib import Path

from perfnotes.serve.builder import Builder

# Begins a builder, stops it, says which process it is, and is killed.
KILLED = """\
import os, queue, signal, sys
from pathlib import Path
from perfnotes.serve.builder import Builder

folder = Path(sys.argv[1])
builder = Builder(folder, folder / "site", None, queue.SimpleQueue())
builder.busy = True
builder.pause()
print(builder.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def state(pid: int) -> str:
    """``T`` for a process that is stopped; nothing for one that has ended."""
    try:
        found = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if found == "Z" else found


def wait_until(pid: int, *, stopped: bool) -> None:
    deadline = time.monotonic() + 30
    while (state(pid) == "T") is not stopped:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_build_pauses_and_goes_on(tmp_path: Path) -> None:
    builder = Builder(tmp_path, tmp_path / "site", None, queue.SimpleQueue())
    try:
        builder.pause()
        assert state(builder.pid) != "T", "it builds nothing that could wait"
        builder.busy = True
        builder.pause()
        wait_until(builder.pid, stopped=True)
        builder.go_on()
        wait_until(builder.pid, stopped=False)
        builder.pause()
        wait_until(builder.pid, stopped=True)
        wait_until(builder.pid, stopped=False)  # by itself
        builder.go_on()
        builder.pause()
        wait_until(builder.pid, stopped=True)
    finally:
        builder.end()
    assert state(builder.pid) == ""


def test_a_build_that_pauses_ends_with_the_server(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    pid = int(done.stdout)
    deadline = time.monotonic() + 30
    while state(pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)
