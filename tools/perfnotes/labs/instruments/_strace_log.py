"""Reading strace's log: counting system calls that succeeded and that failed."""

from __future__ import annotations

import re
from collections import Counter

from msgspec import Struct, field

from perfnotes.labs.box import LabError

BEGIN, END = "perfnotes:begin", "perfnotes:end"
_STARTED = re.compile(r"(?:(\d+)\s+)?(\w+)\((.*)")
_RESUMED = re.compile(r"(?:(\d+)\s+)?<\.\.\. (\w+) resumed>(.*)")
_RESULT = re.compile(r".*\)\s*= (\?|-?\d+|0x[0-9a-f]+)(?: (E[A-Z0-9]+))?")
_MARK = re.compile(r'-1, "(perfnotes:(?:begin|end))", \d+')
_NO_RETURN = ("exit", "exit_group")


class Calls(Struct, frozen=True):
    """For each system call, by name, how many succeeded and how many failed."""

    done: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)


def read(text: str, marks: bool = False) -> Calls:
    """Count the calls of all processes; with ``marks`` only those that return between the marks.

    ``LabError`` if the marks are missing or in a wrong order.
    """
    calls = Calls()
    counting, seen = not marks, 0
    marking: set[str] = set()  # processes that are inside a `write` which sets a mark
    for number, line in enumerate(text.splitlines(), 1):
        resumed = _RESUMED.match(line)
        found = resumed or _STARTED.match(line)
        if not found:
            continue
        process, call, rest = found[1] or "", found[2], found[3]
        mark = _MARK.match(rest) if call == "write" and not resumed else None
        if mark and marks:
            if counting == (mark[1] == BEGIN):
                what = "twice in a row" if counting else f"without {BEGIN} before it"
                raise LabError(f"the program marked {mark[1]} {what} (line {number} of the log)")
            counting, seen = not counting, seen + 1
        if mark or (resumed and call == "write" and process in marking):
            marking = (
                marking | {process} if rest.endswith("unfinished ...>") else marking - {process}
            )
            continue
        result = _RESULT.match(rest)
        if counting and result:
            _count(calls, call, result[1], result[2])
    if marks and (counting or not seen):
        missing = END if counting else BEGIN
        raise LabError(
            f'the program never marked {missing}: write(-1, "{missing}", {len(missing)})'
        )
    return calls


def _count(calls: Calls, call: str, value: str, error: str | None) -> None:
    if value == "-1" and error:
        calls.failed[call] += 1
    elif value != "?" or (call in _NO_RETURN and not error):
        # Other calls with the result `?` were interrupted by a signal and are made again.
        calls.done[call] += 1
