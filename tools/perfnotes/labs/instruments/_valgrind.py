"""The common part of cachegrind and callgrind: their options, running them, and their errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from perfnotes.labs.box import Box, Finished, LabError
from perfnotes.labs.instruments._call import command_of, execute, own_folder, quoted, read_untrusted
from perfnotes.labs.instruments._schema import COMMAND, FUNCTION, options
from perfnotes.model.lab import Needs, Run
from perfnotes.model.result import Samples

_LEVEL = {
    "type": "string",
    "pattern": r"^[1-9]\d{0,11},[1-9]\d{0,5},[1-9]\d{0,5}$",
    "description": 'bytes, ways, and bytes of a line: "32768,8,64"',
}
# All sizes are required, because valgrind's defaults come from the CPU and differ per machine.
CACHES = {
    "type": "object",
    "properties": {"I1": _LEVEL, "D1": _LEVEL, "LL": _LEVEL},
    "required": ["I1", "D1", "LL"],
    "description": "the sizes of all three: I1, D1, LL",
    "additionalProperties": False,
}
OPTIONS = options(
    "command",
    "caches",
    command=COMMAND,
    function=FUNCTION,
    caches=CACHES,
    branches={"type": "boolean"},
)
NEEDS = Needs(tools=("valgrind",), debian=("valgrind",))
_PROCESS = re.compile(r"^==(\d+)==", re.MULTILINE)
_UNKNOWN = ("unhandled instruction bytes", "Unrecognised instruction", "unimplemented instruction")


def simulate(run: Run, box: Box, tool: str) -> tuple[str, Finished]:
    """Run the command under a tool of valgrind; return the text of its output file and the process.

    If the program forks, only the first process is counted.
    """
    with own_folder(box) as own:
        log = own / "log"
        arguments = [
            "valgrind",
            f"--tool={tool}",
            "--cache-sim=yes",
            f"--branch-sim={'yes' if run.options.get('branches') else 'no'}",
            *(f"--{level}={size}" for level, size in sorted(run.options["caches"].items())),
            f"--{tool}-out-file={own}/out.%p",
            f"--log-file={log}",
            *command_of(run, box),
        ]
        try:
            done = execute(run, box, arguments)
        except LabError as error:
            messages = read_untrusted(box, log) or ""
            if any(text in messages for text in _UNKNOWN):
                hint = "valgrind does not know an instruction: build with -march=x86-64-v3 or less"
                raise LabError(f"{error}\n{hint}") from error
            raise
        messages = read_untrusted(box, log) or ""
        process = _PROCESS.search(messages)
        out = read_untrusted(box, own / f"out.{process[1]}") if process else None
        if out is None:
            raise LabError(f"{tool} wrote no counts; it printed {quoted(messages + done.stderr)}")
        return out, done


def counts(events: Iterable[str], numbers: Iterable[int]) -> dict[str, Samples]:
    """The quantities of the events, and D1m, the sum of read and write misses of the data cache."""
    found: Mapping[str, int] = dict(zip(events, numbers, strict=True))
    both = {"D1m": found["D1mr"] + found["D1mw"]} if {"D1mr", "D1mw"} <= found.keys() else {}
    return {name: Samples((number,)) for name, number in {**found, **both}.items()}
