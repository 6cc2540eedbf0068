"""Reading objdump's tables of symbols and its disassembly."""

from __future__ import annotations

import re

from msgspec import Struct

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments._call import quoted
from perfnotes.labs.instruments._pattern import LONGEST_LINE

# The fields: value, seven flags, section, size, then a visibility or a version, and the name.
_SYMBOL = r"([0-9a-f]+) (.{7}) (\S+)\t([0-9a-f]+) +%s(\S.*)"
_STATIC = re.compile(_SYMBOL % r"(?:0x[0-9a-f]+ )?(?:\.(?:hidden|protected|internal) )?")
_DYNAMIC = re.compile(_SYMBOL % r"(?:(?:Base|\(?[A-Za-z]\w*_[\w.]+\)?) +)?")
_INSTRUCTION = re.compile(r" *[0-9a-f]+:\t([0-9a-f]{2,8}(?: [0-9a-f]{2,8})*) *(?:\t(.*))?$")
_NOP = re.compile(r"(?:(?:data16|cs|ds|es|ss|addr32|rex\.?\w*) )*(?:nop[a-z]?\b|xchg %ax,%ax$)")


class Symbol(Struct, frozen=True):
    """A function in a file's table of symbols."""

    name: str
    section: str
    address: int
    size: int


class Instruction(Struct, frozen=True):
    """An instruction: ``text`` is mnemonic and operands without comments, ``size`` is in bytes."""

    text: str
    size: int

    @property
    def is_nop(self) -> bool:
        return _NOP.match(self.text) is not None


def functions(text: str, dynamic: bool = False) -> list[Symbol]:
    """The functions in the output of ``objdump -t``, or of ``objdump -T`` if ``dynamic``."""
    pattern = _DYNAMIC if dynamic else _STATIC
    found = []
    for line in text.splitlines():
        match = pattern.fullmatch(line)
        if match and "F" in match[2] and match[3] != "*UND*":
            found.append(Symbol(match[5], match[3], int(match[1], 16), int(match[4], 16)))
    return found


def instructions(text: str) -> list[Instruction]:
    """The instructions in the output of ``objdump -d -w``.

    ``LabError`` if objdump could not read one of them.
    """
    found = []
    for line in text.splitlines():
        match = _INSTRUCTION.match(line)
        if not match:
            continue
        words = " ".join((match[2] or "").partition(" # ")[0].partition("\t// ")[0].split())
        if words.startswith((".byte", "(bad)")) or not words:
            raise LabError(f"objdump could not read an instruction: {quoted(line)}")
        size = sum(len(group) for group in match[1].split()) // 2
        found.append(Instruction(words[:LONGEST_LINE], size))
    return found
