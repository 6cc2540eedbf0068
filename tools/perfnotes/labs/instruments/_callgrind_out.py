"""Reading callgrind's output file: costs of functions and of their callees, and calls."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct, field

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments._names import find

_NAMED = re.compile(r"(c?fn|fl|fi|fe|cfi|cfl|c?ob)=(?:\((\d+)\))?\s?(.*)")
_COST = re.compile(r"[-+]?\d|\*|0x")
_RECURSION = re.compile(r"'\d+$")


class _Function(Struct):
    file: str = ""
    name: str = ""
    own: list[int] = field(default_factory=list)
    callees: list[int] = field(default_factory=list)
    calls: int = 0


class Cost(Struct, frozen=True):
    """The cost of one or several functions.

    ``own`` are the counts per event without callees, ``calls`` the number of calls, ``inclusive``
    the instructions (Ir) with callees.
    """

    own: list[int]
    calls: int
    inclusive: int


class CallProfile(Struct, frozen=True):
    """The profile of a run.

    A recursive function has several entries: ``fib`` for the outermost call, ``fib'2`` for the
    calls inside it.
    """

    events: tuple[str, ...]
    functions: tuple[_Function, ...]

    def cost_of(self, wanted: Sequence[str]) -> Cost:
        """The cost of all wanted functions together.

        If one of them calls another, the callee's instructions count twice in ``inclusive``.
        """
        keys = [(f.file, _RECURSION.sub("", f.name)) for f in self.functions]
        chosen = {k for name in wanted for k in find(name, keys, "callgrind")}
        found = [f for f, k in zip(self.functions, keys, strict=True) if k in chosen]
        outer = [f for f in found if not _RECURSION.search(f.name)]
        ir = self.events.index("Ir")
        return Cost(
            own=[sum(column) for column in zip(*(f.own for f in found), strict=True)],
            calls=sum(f.calls for f in found),
            inclusive=sum(f.own[ir] + f.callees[ir] for f in outer),
        )


class _Reader:
    """Reads the file line by line.

    Callgrind writes a name once with a number in parentheses, and afterwards only the number.
    """

    def __init__(self) -> None:
        self.events: tuple[str, ...] = ()
        self.positions = 1
        self.functions: dict[str, _Function] = {}
        self._files: dict[str, str] = {}
        self._file = self._callee_file = ""
        self._current: _Function | None = None
        self._callee: _Function | None = None
        self._in_call = False

    def line(self, line: str) -> None:
        if named := _NAMED.match(line):
            self._name(named[1], named[2] or "", named[3])
        elif line.startswith("calls="):
            if self._callee:
                self._callee.calls += int(line[6:].split(maxsplit=1)[0])
            self._in_call = True
        elif line.startswith("events:"):
            self.events = tuple(line.split()[1:])
        elif line.startswith("positions:"):
            self.positions = len(line.split()) - 1
        elif _COST.match(line) and self._current and "=" not in line:
            numbers = [int(word) for word in line.split()[self.positions :]]
            to = self._current.callees if self._in_call else self._current.own
            for i, each in enumerate(numbers):
                to[i] += each
            self._in_call = False

    def _name(self, key: str, short: str, text: str) -> None:
        if key in ("fn", "cfn"):
            # The number identifies a function; static functions may share a name.
            file = self._callee_file if key == "cfn" and self._callee_file else self._file
            id = short or f"{file}:{text}"
            zeros = [0] * len(self.events)
            function = self.functions.setdefault(id, _Function(own=zeros, callees=[*zeros]))
            function.name = text or function.name
            if key == "fn":
                self._current, function.file = function, self._file
            else:
                self._callee, self._callee_file = function, ""
        elif "ob" not in key:
            if short and text:
                self._files[short] = text
            file = self._files.get(short, text)
            if key == "fl":
                self._file = file
            elif key in ("cfi", "cfl"):
                self._callee_file = file


def read(text: str) -> CallProfile:
    """The profile in an output file; ``LabError`` if it cannot be read."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.line(line)
        except (ValueError, IndexError) as error:
            raise LabError(f"callgrind's out file, line {number}: {error}: {line[:80]}") from error
    if "Ir" not in reader.events or not reader.functions:
        raise LabError("callgrind's out file holds no counts: did the program end by itself?")
    return CallProfile(reader.events, tuple(reader.functions.values()))
