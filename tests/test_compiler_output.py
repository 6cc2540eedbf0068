"""What is read from ptxas, llvm-mca and the tools that show object files."""

from __future__ import annotations

import pytest

from perfnotes.labs.box import LabError
from perfnotes.labs.instruments import (
    _disassembly,
    _mca_report,
    _ptxas_log,
    size,
)

# Recorded of ptxas 11.8, 12.9 and 13.0.
PTXAS_11 = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'plain' for 'sm_70'
ptxas info    : Function properties for plain
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, 1024 bytes smem, 360 bytes cmem[0]
ptxas info    : Function properties for helper
    16 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
"""
PTXAS_12 = PTXAS_11.replace("10 registers,", "10 registers, used 1 barriers,").replace(
    "cmem[0]\n", "cmem[0]\nptxas info    : Compile time = 21.807 ms\n"
)
PTXAS_13 = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN1n5spillEPf' for 'sm_90'
ptxas info    : Function properties for _ZN1n5spillEPf
    608 bytes stack frame, 664 bytes spill stores, 704 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 608 bytes cumulative stack size
ptxas info    : Compile time = 59.006 ms
ptxas info    : Compiling entry function '_Z4tileIdEvPT_' for 'sm_90'
ptxas info    : Function properties for _Z4tileIdEvPT_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 2048 bytes smem
ptxas info    : Compile time = 5.688 ms
ptxas info    : Compiling entry function '_Z4tileIfEvPT_' for 'sm_90'
ptxas info    : Function properties for _Z4tileIfEvPT_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compiling entry function '_Z9transposePf' for 'sm_90'
ptxas info    : Function properties for _Z9transposePf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
"""


@pytest.mark.parametrize("text", [PTXAS_11, PTXAS_12])
def test_ptxas_of_one_kernel(text: str) -> None:
    kernel = _ptxas_log.choose(text)
    assert kernel == _ptxas_log.Kernel(registers=10, shared_bytes=1024)
    assert _ptxas_log.choose(text, "plain") == kernel
    assert _ptxas_log.read(text)["helper"].spill_stores == 8
    with pytest.raises(LabError, match="no kernel 'helper'"):
        _ptxas_log.choose(text, "helper")


def test_ptxas_of_several_kernels() -> None:
    spill = _ptxas_log.Kernel(32, 608, 664, 704, 0)
    assert _ptxas_log.choose(PTXAS_13, "spill") == spill
    assert _ptxas_log.choose(PTXAS_13, "_ZN1n5spillEPf") == spill
    assert _ptxas_log.choose(PTXAS_13, "_Z4tileIfEvPT_").shared_bytes == 1024
    assert _ptxas_log.choose(PTXAS_13, "transpose").registers == 8
    with pytest.raises(LabError, match="'tile' names 2 kernels: _Z4tileIdEvPT_, _Z4tileIfEvPT_"):
        _ptxas_log.choose(PTXAS_13, "tile")
    with pytest.raises(LabError, match=r"there are 4 kernels .* say which"):
        _ptxas_log.choose(PTXAS_13)
    with pytest.raises(LabError, match="no kernel 'pose'"):
        _ptxas_log.choose(PTXAS_13, "pose")
    with pytest.raises(LabError, match="reported no kernel; it printed `nothing here`"):
        _ptxas_log.choose("nothing here")


# Recorded of llvm-mca 14 and 19, which print the same.
MCA = """\

[0] Code Region - sum

Iterations:        100
Instructions:      300
Total Cycles:      303
Total uOps:        300

Dispatch Width:    6
uOps Per Cycle:    0.99
IPC:               0.99
Block RThroughput: 0.5

[1] Code Region - other

Iterations:        100
Instructions:      100
Total Cycles:      303
Total uOps:        100

Dispatch Width:    6
uOps Per Cycle:    0.33
IPC:               0.33
Block RThroughput: 1.0
"""


def test_mca() -> None:
    assert _mca_report.choose(MCA, "sum") == _mca_report.Summary(100, 300, 303, 300, 0.5)
    assert _mca_report.choose(MCA, "other").instructions == 100
    unmarked = MCA.split("[1]", maxsplit=1)[0].replace("[0] Code Region - sum\n", "")
    assert _mca_report.choose(unmarked).cycles == 303
    with pytest.raises(LabError, match=r"2 regions \(other, sum\)"):
        _mca_report.choose(MCA)
    with pytest.raises(LabError, match=r"no region 'some' \(there: other, sum\)"):
        _mca_report.choose(MCA, "some")
    for text in ("", "Iterations: many\n"):
        with pytest.raises(LabError, match="printed no summary"):
            _mca_report.choose(text)
    with pytest.raises(LabError, match="printed a summary of unknown form"):
        _mca_report.choose("Iterations:        100\nInstructions:      5\n")


# Recorded of binutils 2.40.
SYMBOLS = """\
0000000000001170 g     F .text\t0000000000000004              n::S::operator()(int) const
000000000000128c g     F .fini\t0000000000000000              .hidden _fini
0000000000000000       F *UND*\t0000000000000000              puts@GLIBC_2.2.5
0000000000001180  w    F .text\t000000000000009f              int n::f<int>(int, int const*)
0000000000000000 l    d  .text\t0000000000000000 .text
0000000000004040 g     O .bss\t0000000000000004              counter
0000000000000000 g     F .text.f\t0000000000000004 f
"""
EXPORTS = """\
0000000000023910 g    DF .text\t00000000000000d6  Base        malloc
0000000000000000      DF *UND*\t0000000000000000 (GLIBC_2.2.5) puts
0000000000098660  w   DF .text\t0000000000000c5d  GLIBC_2.2.5 my malloc(int)
"""
CODE = """\
0000000000001180 <f>:
    1180:\tf3 0f 1e fa          \tendbr64
    1184:\t0f 8e 86 00 00 00    \tjle    1210 <f+0x90>
    118a:\t66 2e 0f 1f 84 00 00 00 00 00 \tcs nopw 0x0(%rax,%rax,1)
    1194:\t0f 1f 40 00          \tnopl   0x0(%rax)
    1198:\t66 90                \txchg   %ax,%ax
    119a:\tf3 48 ab             \trep stos %rax,%es:(%rdi)
    119d:\t48 8d 05 5c 2e 00 00 \tlea    0x2e5c(%rip),%rax        # 4000 <x>
    11a4:\tc3                   \tret
"""
CODE_ARM = """\
   0:\t8b010000 \tadd\tx0, x0, x1
   4:\td503201f \tnop
   8:\td65f03c0 \tret
"""


def test_symbols() -> None:
    names = {each.name: each for each in _disassembly.functions(SYMBOLS)}
    assert set(names) == {
        "n::S::operator()(int) const",
        "_fini",
        "int n::f<int>(int, int const*)",
        "f",
    }
    assert (names["f"].section, names["f"].size) == (".text.f", 4)
    exports = {each.name: each for each in _disassembly.functions(EXPORTS, dynamic=True)}
    assert set(exports) == {"malloc", "my malloc(int)"}
    assert exports["malloc"].address == 0x23910


def test_disassembly() -> None:
    code = _disassembly.instructions(CODE)
    assert sum(each.size for each in code) == 0x11A5 - 0x1180
    assert [each.text for each in code if not each.is_nop] == [
        "endbr64",
        "jle 1210 <f+0x90>",
        "rep stos %rax,%es:(%rdi)",
        "lea 0x2e5c(%rip),%rax",
        "ret",
    ]
    arm = _disassembly.instructions(CODE_ARM)
    assert [(each.text, each.size, each.is_nop) for each in arm] == [
        ("add x0, x0, x1", 4, False),
        ("nop", 4, True),
        ("ret", 4, False),
    ]
    with pytest.raises(LabError, match="could not read an instruction"):
        _disassembly.instructions("  10:\t06                   \t(bad)\n")


def test_size_table() -> None:
    table = "   text\t   data\t    bss\t    dec\t    hex\tfilename\n"
    row = "   1595\t    592\t 262176\t 264363\t  408ab\ta\n"
    assert size.sections(table + row) == {
        "text": 1595,
        "data": 592,
        "bss": 262176,
        "total": 264363,
    }
    assert size.sections(table + row + row)["text"] == 3190
    for text in ("", table, "size: no\n", table + "a b c d e f\n"):
        with pytest.raises(LabError, match="size printed"):
            size.sections(text)
    assert size.symbols("\na.o:\n0000 T main\n\nb.o:\n0000 t f\n") == 2
