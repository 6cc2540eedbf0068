"""Reading the disassembly of ``nvdisasm -c``: kernels, their instructions and their loops."""

from __future__ import annotations

import re

from msgspec import Struct, field

from perfnotes.labs.instruments._pattern import LONGEST_LINE

_SECTION = re.compile(r"\s*\.section\s+\.text\.([^\s,]+)")
_LABEL = re.compile(r"(\.L_[\w.]+):")
_INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+([^;]+?)\s*;")
_BRANCH = re.compile(r"\bBRA\b.*`\((\.L_[\w.]+)\)")
_IDLE = re.compile(r"(?:@!PT |NOP$)")


class Code(Struct):
    """The instructions of one kernel in their order, and where its labels stand.

    An instruction is its text: ``@P0 FFMA R1, R2, R3, R1``.
    """

    instructions: list[str] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    def working(self, begin: int = 0, end: int | None = None) -> list[str]:
        """The instructions from ``begin`` to ``end`` that do something.

        No-ops are left out, and instructions under the predicate ``!PT``, which never run.
        """
        return [text for text in self.instructions[begin:end] if not _IDLE.match(text)]

    def inner_loops(self) -> list[list[str]]:
        """The working instructions of each loop that holds no other loop.

        A loop goes from the target of a backward branch to the branch. The branch to itself that
        stands after the last instruction of a kernel is not counted as a loop.
        """
        found = []
        for end, text in enumerate(self.instructions):
            branch = _BRANCH.search(text)
            begin = self.labels.get(branch[1], end) if branch else end
            if begin < end:
                found.append((begin, end))
        return [
            self.working(begin, end + 1)
            for begin, end in found
            if not any(begin <= b and e <= end and (b, e) != (begin, end) for b, e in found)
        ]


def read(listing: str) -> dict[str, Code]:
    """All kernels of a listing, by their mangled names."""
    found: dict[str, Code] = {}
    code = Code()
    for line in listing.splitlines():
        if match := _SECTION.match(line):
            code = found.setdefault(match[1], Code())
        elif match := _LABEL.match(line):
            code.labels[match[1]] = len(code.instructions)
        elif match := _INSTRUCTION.match(line):
            code.instructions.append(" ".join(match[1].split())[:LONGEST_LINE])
    return found
