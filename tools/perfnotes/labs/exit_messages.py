"""Says in a message how the process of a lab ended, if that is an error."""

from __future__ import annotations

import re
import signal
from collections.abc import Mapping, Sequence
from typing import Any

from perfnotes.model.lab import Limits

LARGEST_OUTPUT = 16 << 20  # bytes on standard output or standard error
LARGEST_FILE = 4 << 30  # bytes of a file that a lab writes
_LONGEST = 2000  # characters of a failed process's output that a message shows
_ENDS = {
    "time": "did not end within {seconds:g} s (limits: seconds)",
    "memory": "took more than {memory:.4g} GiB of memory (limits: memory)",
    "output": f"printed more than {LARGEST_OUTPUT >> 20} MiB",
    "stopped": "was stopped",
    "lost": "ended, but the supervisor could not read its exit status: run it again",
}


def problem(answer: Mapping[str, Any], limits: Limits, accept: Sequence[int]) -> str:
    """Why the end of a process is an error, or "" if the process ended as it should.

    ``answer`` is what ``supervisor.main`` answers, ``accept`` the exit statuses of a success.
    """
    end = answer["end"]
    if end == "refused":
        return f"cannot be started: {answer['what']}"
    if not answer["gone"]:
        return "left a process behind that cannot be ended"
    if end == "signal":
        return f"crashed: {_signal(answer['status'])}"
    if end in _ENDS:
        return _ENDS[end].format(seconds=limits.seconds, memory=limits.memory / (1 << 30))
    if answer["status"] not in accept:
        return f"ended with status {answer['status']}"
    if answer["left"]:
        left = answer["left"]
        names = ", ".join(dict.fromkeys(left))
        what = "a process" if len(left) == 1 else f"{len(left)} processes"
        return f"left {what} behind ({names}): wait for every child before the end"
    return ""


def _signal(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    words = (signal.strsignal(number) or "").lower()
    more = f"; it wrote a file beyond {LARGEST_FILE >> 30} GiB" if name == "SIGXFSZ" else ""
    return f"{name} ({words}){more}"


def last_lines(text: str) -> str:
    """The last lines that a process printed, at most eight, each indented below a message."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.strip())[-_LONGEST:]
    lines = ("".join(c if c.isprintable() else " " for c in line) for line in text.splitlines())
    return "".join(f"\n  | {line.rstrip()}" for line in list(lines)[-8:])
