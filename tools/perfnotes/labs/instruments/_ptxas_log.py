"""Reading what ``ptxas -v`` prints."""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments._call import quoted
from perfnotes.labs.instruments._names import nearest

_ENTRY = re.compile(r"Compiling entry function '([^']+)'")
_PROPERTIES = re.compile(r"Function properties for '?([^\s']+)'?")
# A match starts only at the first digit of a number and takes at most 15 digits, so that a long run
# of digits is searched in linear time.
_N = r"(?<!\d)(\d{1,15})"
_SPILLS = re.compile(f"{_N} bytes stack frame, {_N} bytes spill stores, {_N} bytes spill loads")
_USED = re.compile(r"Used (\d{1,15}) registers(.*)")
_SHARED = re.compile(rf"{_N}(?:\+\d{{1,15}})? bytes smem")


class Kernel(Struct, frozen=True):
    """The resources of one function, in bytes; ``registers`` is None if it is not a kernel."""

    registers: int | None = None
    stack_bytes: int = 0
    spill_stores: int = 0
    spill_loads: int = 0
    shared_bytes: int = 0


def read(text: str) -> dict[str, Kernel]:
    """All functions in ptxas's output, by their mangled name."""
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
    """The kernel with the name ``function``, mangled or as in the source.

    Without a name, the only kernel. ``LabError`` if there is no such kernel, or several.
    """
    kernels = {name: k for name, k in read(text).items() if k.registers is not None}
    if not kernels:
        raise LabError(f"ptxas reported no kernel; it printed {quoted(text)}")
    return kernels[kernel_name(kernels, function, "ptxas")]


def kernel_name(kernels: Collection[str], function: str, tool: str) -> str:
    """The mangled name, one of ``kernels``, of the kernel ``function``.

    If ``function`` is empty, the only name. ``tool`` is the program that listed the names.
    ``LabError`` if there is no such kernel, or several.
    """
    names = ", ".join(sorted(kernels))
    if not function:
        if len(kernels) > 1:
            raise LabError(f"there are {len(kernels)} kernels ({names}): say which with `function`")
        return next(iter(kernels))
    # In a mangled name, the name follows its length; scopes come before, argument types after it.
    inner = re.compile(rf"_Z.*?(?<!\d){len(function)}{re.escape(function)}")
    fitting = [name for name in kernels if name == function] or [
        name for name in kernels if inner.match(name)
    ]
    if len(fitting) > 1:
        raise LabError(f"{function!r} names {len(fitting)} kernels: {', '.join(fitting)}")
    if not fitting:
        near = ", ".join(nearest(function, kernels)) or names
        raise LabError(f"{tool} reported no kernel {function!r}. The nearest: {near}.")
    return fitting[0]
