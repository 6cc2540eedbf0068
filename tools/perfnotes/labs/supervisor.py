"""Supervises one process of a lab: starts it, enforces its limits, ends all its descendants.

This is a program of its own, started for each process (``python -I -S supervisor.py``); it uses
only the standard library. It is a child subreaper: processes that lose their parent become its
children, so that none can escape. In a sandbox it is process 1, which no other process there can
kill.

Standard input holds one line of JSON, which says what to run, and then stays open. When it
closes, perfnotes has ended or asks for a stop, and the supervisor ends everything. The answer is
one line of JSON on standard output.

The process is started through ``setsid --fork``, because Linux keeps a process's peak memory when
it executes another program. A child of this process would begin with the peak of Python.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_PR_SET_DUMPABLE = 4
_PR_SET_CHILD_SUBREAPER = 36
_KEYCTL_JOIN_SESSION_KEYRING = 1
_KEYCTL = {"x86_64": 250, "aarch64": 219}  # the number of the system call
_IN_MEMORY = ("/dev/shm", "/tmp")  # as in sandbox_tree.py, which this program cannot import
_GRACE = 0.5  # seconds that descendants may take to end after the lab's process
_KILL_TIMEOUT = 10.0  # seconds that killed processes may take to disappear
_PAGE = os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Run what the line of JSON says and answer how it ended.

    ``end`` of the answer is ``exit``, ``signal``, ``time``, ``memory``, ``output``, ``stopped``,
    ``lost`` or ``refused`` (not started; ``what`` says why). ``seconds`` and ``cpu`` are in
    seconds, ``max_rss`` in bytes.
    """
    spec = json.loads(_read_line())
    if ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        _answer(end="refused", what="this system has no child subreapers")
        return
    is_sandboxed = os.getpid() == 1
    if is_sandboxed:
        _protect(spec["processes"])
    os.chdir(spec["cwd"])
    _no_core_files()
    _lower(resource.RLIMIT_FSIZE, spec["largest_file"])
    wakeup = _wakeup_pipe()
    started = time.monotonic()
    try:
        target = _start(spec)
    except OSError as error:
        _answer(end="refused", what=f"{error.filename}: {error.strerror}")
        return
    end, status, usage = _watch(spec, target, wakeup, started, is_sandboxed)
    seconds = time.monotonic() - started
    left = _left_behind() if end == "exit" else []
    gone = _kill_all()
    if usage is None:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    _answer(
        end=end,
        status=status,
        left=left,
        gone=gone,
        seconds=seconds,
        cpu=usage.ru_utime + usage.ru_stime,
        max_rss=usage.ru_maxrss * 1024,
        minor_faults=usage.ru_minflt,
        major_faults=usage.ru_majflt,
    )


def _protect(processes: int) -> None:
    """Keep the lab away from this process's memory and the user's keys, and limit its processes."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if (call := _KEYCTL.get(os.uname().machine)) is not None:
        libc.syscall(call, _KEYCTL_JOIN_SESSION_KEYRING, None)
    _lower(resource.RLIMIT_NPROC, processes)


def _read_line() -> bytes:
    data = b""
    while not data.endswith(b"\n"):
        more = os.read(0, 65536)
        if not more:
            raise SystemExit(1)
        data += more
    return data


def _answer(**answer: Any) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _lower(which: int, limit: int) -> None:
    _, hard = resource.getrlimit(which)
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(which, (limit, limit))  # the hard limit too: a process may raise a soft one


def _no_core_files() -> None:
    """A crash leaves no core file; a lab about them may raise its own limit again."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, hard))


def _wakeup_pipe() -> int:
    """A descriptor that becomes readable when a child ends or a signal asks to stop."""
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    return reader


def _start(spec: dict[str, Any]) -> int:
    """Start the process and return its id; ``OSError`` if it cannot be started."""
    for stream in spec["streams"]:
        os.set_inheritable(stream, False)
    streams = [(os.POSIX_SPAWN_DUP2, stream, i) for i, stream in enumerate(spec["streams"])]
    launcher = os.posix_spawn(
        spec["setsid"],
        ["setsid", "--fork", *spec["arguments"]],
        spec["env"],
        file_actions=streams,
        setsigmask=[],
        setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
    )
    _, status = os.waitpid(launcher, 0)
    found = [(_start_time(pid), pid) for pid in _children(os.getpid())]
    if status or not found:
        raise OSError(0, "cannot start a process", spec["setsid"])
    # Orphans of the lab's process become children of this process too, but they started later.
    return min(found)[1]


def _watch(
    spec: dict[str, Any], target: int, wakeup: int, started: float, is_sandboxed: bool
) -> tuple[str, int, resource.struct_rusage | None]:
    """Wait until the process ends or exceeds a limit.

    Returns ``end`` as in the answer, the exit status or signal number, and the resource usage,
    which is None if the process had not ended yet.
    """
    pause = 0.01
    outputs = spec["streams"][1:]
    while True:
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return "lost", 0, None
            if pid == 0:
                break
            if pid == target:
                code = os.waitstatus_to_exitcode(status)
                return ("exit" if code >= 0 else "signal"), abs(code), usage
        if time.monotonic() - started > spec["seconds"]:
            return "time", 0, None
        if _memory(is_sandboxed) > spec["memory"]:
            return "memory", 0, None
        if any(os.fstat(file).st_size > spec["largest_output"] for file in outputs):
            return "output", 0, None
        rest = spec["seconds"] - (time.monotonic() - started)
        ready, _, _ = select.select([0, wakeup], [], [], max(0.0, min(pause, rest)))
        pause = min(pause * 1.5, 0.05)
        if 0 in ready:
            return "stopped", 0, None
        if wakeup in ready:
            signals = os.read(wakeup, 4096)
            if set(signals) - {signal.SIGCHLD}:
                return "stopped", 0, None


def _left_behind() -> list[str]:
    """Names of processes that still run ``_GRACE`` seconds after the process ended."""
    until = time.monotonic() + _GRACE
    while True:
        _reap()
        names = sorted(_name(pid) for pid in _descendants() if not _is_dead(pid))
        if not names or time.monotonic() > until:
            return names
        time.sleep(0.02)


def _kill_all() -> bool:
    """Kill every descendant; return whether all of them have ended."""
    until = time.monotonic() + _KILL_TIMEOUT
    while time.monotonic() < until:
        if not _reap():
            return True
        for pid in _descendants():
            _kill(pid)
        time.sleep(0.005)
    return False


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):  # gone, or of another user
        os.kill(pid, signal.SIGKILL)


def _reap() -> bool:
    """Collect children that have ended; return whether any child remains."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True


def _descendants() -> Iterator[int]:
    todo = _children(os.getpid())
    while todo:
        pid = todo.pop()
        yield pid
        todo += _children(pid)


def _children(pid: int) -> list[int]:
    """The present children of ``pid``."""
    found: list[int] = []
    try:
        for task in os.scandir(f"/proc/{pid}/task"):
            try:
                found += map(int, Path(task.path, "children").read_text().split())
            except FileNotFoundError:
                if Path(task.path).is_dir():  # this kernel has no lists of children
                    return _children_by_parent(pid)
    except OSError:
        pass
    return found


def _children_by_parent(pid: int) -> list[int]:
    numbers = [int(e.name) for e in os.scandir("/proc") if e.name.isdigit()]
    return [each for each in numbers if _stat(each)[1:2] == [str(pid)]]


def _stat(pid: int) -> list[str]:
    """The fields after the name in ``/proc/<pid>/stat``: state, parent ...; [] if it has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return []


def _start_time(pid: int) -> int:
    """When a process started, in clock ticks after the machine; 0 if it is gone."""
    stat = _stat(pid)
    return int(stat[19]) if stat else 0


def _is_dead(pid: int) -> bool:
    return _stat(pid)[:1] in ([], ["Z"], ["X"])


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text("utf-8", "replace").strip()
    except OSError:
        return "?"


def _memory(is_sandboxed: bool) -> int:
    """Bytes of memory that the descendants use.

    This is the sum of their private memory, and the shared memory of the process that has most of
    it. In a sandbox the folders in memory belong to the lab alone, so their files are counted as
    shared memory.
    """
    own, shared = 0, 0
    for pid in _descendants():
        try:
            fields = Path(f"/proc/{pid}/statm").read_text().split()
        except OSError:
            continue
        own += int(fields[1]) - int(fields[2])
        shared = max(shared, int(fields[2]))
    if is_sandboxed:
        folders = map(os.statvfs, _IN_MEMORY)
        files = sum((f.f_blocks - f.f_bfree) * f.f_frsize for f in folders) // _PAGE
        shared = max(shared, files)
    return (own + shared) * _PAGE


if __name__ == "__main__":
    main()
