"""Reading what ``ptxas -v`` prints."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments._call import quoted
from perfnotes.labs.instruments._names import nearest

_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_PROPERTIES = re.compile(r"Function properties for '?([^\s']+)'?")
# A search for digits starts where a number does: from each of its digits it would take forever.
_N = r"(?<!\d)(\d{1,15})"
_SPILLS = re.compile(f"{_N} bytes stack frame, {_N} bytes spill stores, {_N} bytes spill loads")
_USED = re.compile(r"Used (\d{1,15}) registers(.*)")
_SHARED = re.compile(rf"{_N}(?:\+\d{{1,15}})? bytes smem")


@dataclass(frozen=True)
class Kernel:
    """What one function takes; ``registers`` is None for one that is no kernel."""

    registers: int | None = None
    stack_bytes: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    shared_bytes: int = 0


def read(text: str) -> dict[str, Kernel]:
    """By name all functions that ptxas told of; only kernels have registers."""
    found: dict[str, Kernel] = {}
    entry = named = ""
    for line in text.splitlines():
        if match := _ENTRY.search(line):
            entry = named = match[1]
        elif match := _PROPERTIES.search(line):
            named = match[1]
        elif (match := _SPILLS.search(line)) and named:
            stack, stores, loads = map(int, match.groups())
            found[named] = replace(
                found.get(named, Kernel()),
                stack_bytes=stack,
                spill_stores=stores,
                spill_loads=loads,
            )
        elif (match := _USED.search(line)) and (entry or named):
            shared = _SHARED.search(match[2])
            found[entry or named] = replace(
                found.get(entry or named, Kernel()),
                registers=int(match[1]),
                shared_bytes=int(shared[1]) if shared else 0,
            )
            entry = ""
    return found


def choose(text: str, function: str = "") -> Kernel:
    """The kernel that is meant: by its name in the source or in the object, or the only one."""
    kernels = {name: k for name, k in read(text).items() if k.registers is not None}
    if not kernels:
        raise LabError(f"ptxas told of no kernel; it printed {quoted(text)}")
    names = ", ".join(sorted(kernels))
    if not function:
        if len(kernels) > 1:
            raise LabError(f"there are {len(kernels)} kernels ({names}): say which with `function`")
        return next(iter(kernels.values()))
    # In a mangled name, a name stands behind its length; arguments and scopes stand around it.
    inner = re.compile(rf"_Z.*?(?<!\d){len(function)}{re.escape(function)}(?![a-z_]{{2}})")
    fitting = [name for name in kernels if name == function] or [
        name for name in kernels if inner.match(name)
    ]
    if len(fitting) > 1:
        raise LabError(f"{function!r} names {len(fitting)} kernels: {', '.join(fitting)}")
    if not fitting:
        near = ", ".join(nearest(function, kernels)) or names
        raise LabError(f"ptxas told of no kernel {function!r}. The nearest: {near}.")
    return kernels[fitting[0]]
