"""``strace``: how many system calls a program and its children make.

Quantities, all counts: for each call in ``syscalls``, ``<call>`` (calls that succeeded) and
``<call>_failed``; and ``clones``, the processes and threads that were started. With ``marks: true``
only the calls between the program's ``write(-1, "perfnotes:begin", 15)`` and ``write(-1,
"perfnotes:end", 13)`` are counted. Without it, the calls at the program's start are included, so
``execve`` is at least 1. Use the kernel's names of the calls (``openat``, not ``open``).
"""

from __future__ import annotations

from perfnotes.labs.box import Box, CannotRunError, LabError
from perfnotes.labs.instruments import Measurement
from perfnotes.labs.instruments._call import (
    ANY_STATUS,
    command_of,
    count,
    execute,
    own_folder,
    quoted,
    read_untrusted,
)
from perfnotes.labs.instruments._schema import COMMAND, options
from perfnotes.labs.instruments._strace_log import read
from perfnotes.model.lab import Needs, Run

OPTIONS = options(
    "command",
    command=COMMAND,
    syscalls={
        "type": "array",
        "items": {"type": "string", "pattern": "^_?[a-z][a-z0-9_]*$", "maxLength": 50},
        "uniqueItems": True,
    },
    marks={"type": "boolean"},
)
_CLONES = ("clone", "clone3", "fork", "vfork")


def needs(_run: Run) -> Needs:
    """Strace; ``measure`` finds out whether tracing is allowed."""
    return Needs(tools=("strace",), debian=("strace",))


def measure(run: Run, box: Box) -> Measurement:
    """Trace one run of the command, after a trial with a program that does nothing."""
    syscalls: list[str] = run.options.get("syscalls", [])
    marks = bool(run.options.get("marks"))
    # Some calls do not exist on every architecture: with `?` strace ignores an unknown name.
    optional = [
        f"?{name}" for name in (*_CLONES, *(["write"] if marks else [])) if name not in syscalls
    ]
    trace = ["-e", f"trace={','.join([*syscalls, *optional])}", "-e", "signal=none"]
    with own_folder(box) as own:
        start = ["strace", "-f", "-qq", "-o", str(own / "log"), *trace, "--"]
        tried = execute(run, box, [*start, "true"], accept=ANY_STATUS)
        if problem := tracing_error(tried.stderr):
            raise problem
        done = execute(run, box, [*start, *command_of(run, box)])
        calls = read(read_untrusted(box, own / "log") or "", marks)
    quantities = {name: count(calls.done[name]) for name in syscalls}
    quantities |= {f"{name}_failed": count(calls.failed[name]) for name in syscalls}
    quantities["clones"] = count(sum(calls.done[name] for name in _CLONES))
    return Measurement(quantities, done.stdout)


def tracing_error(printed: str) -> Exception | None:
    """The error if strace cannot trace here, from what it printed in a trial; None if it can."""
    if "invalid system call" in printed:
        return LabError(f"syscalls: strace printed {quoted(printed)}")
    if "ptrace" in printed.lower() or "not permitted" in printed:
        return CannotRunError("needs ptrace, which is forbidden here")
    if printed.strip():
        return CannotRunError(f"needs a strace that works; this one printed {quoted(printed)}")
    return None
