"""What instruments read from tools' output: samples of several versions, and of what goes wrong."""

from __future__ import annotations

import time

import pytest

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.instruments import (
    _cachegrind_out,
    _callgrind_out,
    _disassembly,
    _malloc_statistics,
    _mca_report,
    _perf,
    _preload,
    _printed,
    _ptxas_log,
    _strace_log,
    perf,
    size,
    software,
    strace,
)
from perfnotes.labs.instruments._names import find, nearest
from perfnotes.labs.instruments._pattern import compiled

CACHEGRIND = """\
desc: I1 cache:         32768 B, 64 B, 8-way associative
cmd: ./a 5
events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
fl=/lib/main.c
fn=main
7 10 1 1 3 1 0 4 0 0
8 1 0 0 0 0 0 0 0 0
fn=n::sum(int, long)
9 20
fl=/src/inline.h
fn=main
3 100 0 0 50 5 0 . . .
fl=/src/other.c
fn=helper
1 7 0 0 0 0 0 2 1 0
fn=n::min(int)
1 1 0 0 0 0 0 0 0 0
fn=n::min(long)
1 2 0 0 0 0 0 0 0 0
summary: 141 1 1 53 6 0 6 1 0
"""


def test_cachegrind_sums_the_files_of_a_function() -> None:
    profile = _cachegrind_out.read(CACHEGRIND)
    assert profile.of(["main"]) == [111, 1, 1, 53, 6, 0, 4, 0, 0]
    assert profile.of(["inline.h:main"]) == [100, 0, 0, 50, 5, 0, 0, 0, 0]
    assert profile.of(["main", "helper"])[0] == 118
    assert profile.of(["main", "inline.h:main"]) == profile.of(["main"])
    assert profile.of(["n::sum"])[0] == 20
    assert profile.of(["n::sum(int, long)"])[:2] == [20, 0]
    assert profile.total[0] == 141


def test_cachegrind_refuses() -> None:
    profile = _cachegrind_out.read(CACHEGRIND)
    with pytest.raises(LabError, match=r"saw no function 'mian': .* The nearest: main\."):
        profile.of(["mian"])
    with pytest.raises(LabError, match=r"'n::min' names 2 functions: n::min\(int\); n::min\(long"):
        profile.of(["n::min"])
    for text in ("", "garbage\n", "events: Ir\nfl=a\nfn=b\n1 2\n"):
        with pytest.raises(LabError, match="no counts"):
            _cachegrind_out.read(text)
    for text in ("events: Ir\nfl=a\nfn=b\n1 x\n", "events: Ir\n1 2\n", "events: Ir\nfn=b\n1 2 3\n"):
        with pytest.raises(LabError, match=r"out file, line \d"):
            _cachegrind_out.read(text)


# Recorded of callgrind 3.19; fib calls itself, even and odd call each other.
CALLGRIND = """\
# callgrind format
version: 1
creator: callgrind-3.19.0
positions: line
events: Ir Dr
summary: 1029 0

ob=(5) /lab/fb
fl=(146) /lab/fb.c
fn=(552) even
7 6
cob=(3) /lib/libc.so.6
cfi=(150) ./posix/../sysdeps/unix/syscall-template.S
cfn=(558) getppid
calls=1 +84
* 3
* 5 7
* 2
cfn=(560) odd
calls=1 +1
* 140
* 2

fn=(553) even'2
7 28
cfn=(561) odd'2
calls=4 +1
* 260
* 8

fn=(550) fib
5 13
cfn=(551) fib'2
calls=1 *
* 127
* 3
cfn=(551)
calls=1 *
* 69
* 2

fn=(551)
5 166
cfn=(551)
calls=6 *
* 182
* 18
cfn=(551)
calls=6 *
* 95
* 12

fn=(536) main
fi=(147) /usr/include/stdlib.h
364 4
fe=(146)
9 2
cfn=(550)
calls=1 -4
* 214
* 3
cfn=(552)
calls=1 -2
* 158
+16 5

fn=(560)
8 8
cfn=(553)
calls=1 -1
* 124
* 2
"""
# Likewise without short names.
CALLGRIND_LONG = """\
positions: line
events: Ir

fl=/lab/fb.c
fn=outer
7 6
cfi=/lab/other.c
cfn=inner
calls=2 +84
* 30
* 5
cfn=own
calls=3 +1
* 12
* 1

fn=own
1 12

fl=/lab/other.c
fn=inner
+5 30
"""


def test_callgrind_recursion() -> None:
    profile = _callgrind_out.read(CALLGRIND)
    fib = profile.of(["fib"])
    assert fib.own == [13 + 3 + 2 + 166 + 18 + 12, 0]
    assert fib.calls == 15  # 2 * fib(6) - 1
    assert fib.inclusive == 214  # what main says that it cost
    even = profile.of(["fb.c:even"])
    assert even.own == [6 + 5 + 2 + 2 + 28 + 8, 7]
    assert even.calls == 2
    assert even.inclusive == 158
    assert profile.of(["main"]).inclusive == 4 + 2 + 3 + 5 + 214 + 158
    with pytest.raises(LabError, match="callgrind saw no function 'fob'"):
        profile.of(["fob"])


def test_callgrind_without_short_names() -> None:
    profile = _callgrind_out.read(CALLGRIND_LONG)
    assert profile.of(["outer"]).inclusive == 6 + 5 + 1 + 30 + 12
    assert profile.of(["inner"]).calls == 2
    assert profile.of(["own"]).calls == 3
    with pytest.raises(LabError, match="no counts"):
        _callgrind_out.read("# callgrind format\n")
    with pytest.raises(LabError, match="line 4"):
        _callgrind_out.read("events: Ir\nfl=a\nfn=b\n1 2 3\n")


# Recorded of perf 6.1; the events of hardware are in the same form.
PERF = """\
# started on Fri Nov 20 13:05:24 2026

0.97|msec|task-clock|968332|100.00|0.566|CPUs utilized
3991945|ns|duration_time|3991945|100.00|4.408|G/sec
<not counted>|ns|system_time|0|100.00||
120||page-faults|690048|100.00|173.901|K/sec
0||context-switches|905558|100.00|0.000|/sec
||||||0.33|stalled cycles per insn
"""


def test_software_events() -> None:
    found = software.quantities(["page-faults", "task-clock"], _perf.read(PERF))
    assert list(found["page_faults"].samples) == [
        120,
    ]
    assert list(found["task_clock"].samples) == [pytest.approx(0.00097)]
    assert found["task_clock"].unit == "s"
    comma = _perf.read("0,97|msec|task-clock|968332|100,00|0,566|CPUs utilized\n")
    assert software.quantities(["task-clock"], comma)["task_clock"].samples[0] < 0.001
    with pytest.raises(LabError, match="no count of cpu-clock; it wrote `task-clock, duration"):
        software.quantities(["cpu-clock"], _perf.read(PERF))
    user_only = _perf.read("0||context-switches:u|675115|100.00|0.000|/sec\n")
    with pytest.raises(CannotRunError, match="perf_event_paranoid of 1 or less"):
        software.quantities(["context-switches"], user_only)


def test_hardware_events() -> None:
    lines = "1234567||cycles:u|1000|100.00||\n89||L1-dcache-load-misses:u|1000|100.00|1.0|of all\n"
    lines += "7||cpu/event=0xb1,umask=1/u|1000|100.00||\n12.5|Joules|power/energy-pkg/|9|100.00||\n"
    events = ["cycles", "L1-dcache-load-misses", "cpu/event=0xb1,umask=1/", "power/energy-pkg/"]
    found = perf.quantities(events, _perf.read(lines))
    assert list(found["cycles"].samples) == [
        1234567,
    ]
    assert list(found["L1_dcache_load_misses"].samples) == [
        89,
    ]
    assert list(found["cpu_event_0xb1_umask_1"].samples) == [
        7,
    ]
    assert (found["power_energy_pkg"].samples, found["power_energy_pkg"].unit) == ((12.5,), "J")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("<not supported>||cycles:u|0|100.00||", "hardware event cycles, which this machine does"),
        ("<not counted>||cycles:u|0|0.00||", "hardware event cycles, which this machine did not"),
        ("5||cycles:u|400|40.00||", "cycles was counted 40 % of the time"),
        (
            "5||cpu_core/cycles/u|9|63.00||\n6||cpu_atom/cycles/u|9|37.00||",
            "cycles was counted 37 % of the time, or on cores of more than one kind",
        ),
    ],
)
def test_hardware_events_that_are_not_there(lines: str, message: str) -> None:
    with pytest.raises(CannotRunError, match=message):
        perf.quantities(["cycles"], _perf.read(lines))


def test_one_kind_of_core_is_enough() -> None:
    lines = "5||cpu_core/cycles/u|9|100.00||\n<not counted>||cpu_atom/cycles/u|0|0.00||"
    assert list(perf.quantities(["cycles"], _perf.read(lines))["cycles"].samples) == [
        5,
    ]


def test_perf_that_says_something_else() -> None:
    with pytest.raises(LabError, match=r"perf wrote `many\|\|cycles:u\|9\|100\|\|`, not a count"):
        _perf.read("many||cycles:u|9|100||")
    with pytest.raises(LabError, match="no count of cycles; it wrote nothing"):
        perf.quantities(["cycles"], [])


# Recorded of strace 6.1 with -f -o; the first lines as older versions write them.
STRACE = """\
28670 openat(AT_FDCWD, "/lib/libc.so.6", O_RDONLY <unfinished ...>
28671 getppid( <unfinished ...>
28670 <... openat resumed> )              = 3
28671 <... getppid resumed> )             = 28670
28684 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD, child_tidptr=0x7f2a) = 28685
28685 openat(AT_FDCWD, "/nonexistent) = 3\\n/q", O_RDONLY) = -1 ENOENT (No such file or directory)
28685 +++ exited with 0 +++
28684 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=28685, si_uid=0} ---
28684 wait4(-1, 0x7ffd, 0, NULL)        = ? ERESTARTSYS (To be restarted if SA_RESTART is set)
28684 write(-1, "perfnotes:begin", 15 <unfinished ...>
28690 getppid()                         = 28681
28684 <... write resumed>)              = -1 EBADF (Bad file descriptor)
28684 mmap(NULL, 4096, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f2a3781d000
28684 lseek(3, -1, SEEK_CUR)            = -1 EINVAL (Invalid argument)
28684 poll([{fd=3, events=POLLIN}], 1, 0) = 1 ([{fd=3, revents=POLLIN}])
28684 vfork( <unfinished ...>
28686 write(1, "perfnotes:end", 13)     = 13
28684 <... vfork resumed>)              = 28686
28684 write(-1, "perfnotes:end", 13)    = -1 EBADF (Bad file descriptor)
28684 getppid()                         = 28681
28684 exit_group(0)                     = ?
28684 +++ exited with 0 +++
"""


def test_strace_counts() -> None:
    calls = _strace_log.read(STRACE)
    assert calls.done["openat"] == 1
    assert calls.failed["openat"] == 1
    assert calls.done["getppid"] == 3
    assert calls.done["clone"] + calls.done["vfork"] == 2
    assert calls.done["wait4"] + calls.failed["wait4"] == 0
    assert calls.done["exit_group"] == 1


def test_strace_counts_between_marks() -> None:
    calls = _strace_log.read(STRACE, marks=True)
    assert calls.done == {"getppid": 1, "mmap": 1, "poll": 1, "vfork": 1, "write": 1}
    assert calls.failed == {"lseek": 1}


def test_strace_marks_that_are_wrong() -> None:
    begin = 'write(-1, "perfnotes:begin", 15) = -1 EBADF (Bad file descriptor)\n'
    end = 'write(-1, "perfnotes:end", 13) = -1 EBADF (Bad file descriptor)\n'
    with pytest.raises(LabError, match="never marked perfnotes:begin"):
        _strace_log.read("getppid() = 1\n", marks=True)
    with pytest.raises(LabError, match="never marked perfnotes:end"):
        _strace_log.read(begin, marks=True)
    with pytest.raises(LabError, match=r"twice in a row \(line 2"):
        _strace_log.read(begin + begin, marks=True)
    with pytest.raises(LabError, match="perfnotes:end without perfnotes:begin before it"):
        _strace_log.read(end, marks=True)
    twice = begin + "brk(0) = 0x5\n" + end + "brk(0) = 0x5\n" + begin + "brk(0) = 0x5\n" + end
    assert _strace_log.read(twice, marks=True).done == {"brk": 2}


def test_strace_refusals() -> None:
    assert isinstance(strace.refusal("strace: ptrace(PTRACE_SEIZE, 9): Operation not"), Exception)
    assert strace.refusal("") is None
    other = strace.refusal("strace: cannot open x")
    assert isinstance(other, CannotRunError)
    assert "this one printed `strace: cannot open x`" in str(other)


@pytest.mark.parametrize(
    ("stdout", "message"),
    [
        ("", r"ends? .*one JSON object .*it printed nothing"),
        ("12 ms\n", "it printed `12 ms`"),
        ("x {}", "on a line of its own"),
        ("{}", "without quantities"),
        ('{"a": 1} tail', "it printed `.*tail`"),
        ('{"a": }', "Expecting value"),
        ('{"a": 1, "a": 2}', "printed 'a' twice"),
        ('{"a": []}', "no samples of 'a'"),
        ('{"a": true}', "printed true for 'a'"),
        ('{"a": "1"}', "not a number or list of numbers"),
        ('{"a": [1, null]}', "printed null for 'a'"),
        ('{"a": NaN}', "'a' that is not finite"),
        ('{"a": [1e999]}', "'a' that is not finite"),
        ('{"a": 1%s}' % ("0" * 400), "'a' that is not finite"),
        ('{"a-b": 1}', "'a-b', which is no name"),
        ('{"a": {"b": 1}}', "not a number or list of numbers"),
        ("{" * 20000 + "}", "must end its output"),
    ],
)
def test_json_that_is_wrong(stdout: str, message: str) -> None:
    with pytest.raises(LabError, match=message):
        _printed.quantities(stdout)


def test_json_that_is_right() -> None:
    found = _printed.quantities(
        'note {\n{"x": 1}\n{"a": [1, 2.5],\n "b": 109482240}\n\n', {"a": "s"}
    )
    assert list(found["a"].samples) == [1, 2.5]
    assert found["a"].unit == "s"
    assert repr(list(found["b"].samples)) == "[109482240]"
    assert set(found) == {"a", "b"}
    with pytest.raises(LabError, match="units: the program printed no 'c'; it printed a"):
        _printed.quantities('{"a": 1}', {"c": "s"})
    with pytest.raises(LabError, match="units: a: 'parsecks' is no unit"):
        _printed.quantities('{"a": 1}', {"a": "parsecks"})


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


# Recorded of jemalloc 5.3.0, gperftools 2.10 and mimalloc 2.0.9; the last is another order of its
# columns, written for this test.
JEMALLOC = (
    'before {"jemalloc":{"stats":{"allocated":860160,"active":872448,"metadata":2755440,'
    '"resident":3538944,"mapped":7163904,"retained":1224704}}}after\n'
)
TCMALLOC = """\
------------------------------------------------
MALLOC:         734232 (    0.7 MiB) Bytes in use by application
MALLOC: +       278528 (    0.3 MiB) Bytes in page heap freelist
MALLOC:   ------------
MALLOC: =      3538944 (    3.4 MiB) Actual memory used (physical + swap)
MALLOC: +            0 (    0.0 MiB) Bytes released to OS (aka unmapped)
"""
MIMALLOC = """\
heap stats:    peak      total      freed    current       unit      count
  reserved:   32.0 MiB   32.0 MiB      0       64.5 MiB
 committed:   32.0 MiB   32.0 MiB      0       32.5 MiB
     reset:      0          0          0          0                            ok
"""
MIMALLOC_NEW = """\
heap stats:     peak       total     current       block      total#
  reserved:    1.0 GiB     1.0 GiB     1.0 GiB
 committed:    4.2 MiB     4.2 MiB   512.0 KiB
"""


def test_allocators_statistics() -> None:
    read = _malloc_statistics.read
    assert read("jemalloc", JEMALLOC) == {"in_use": 860160, "from_system": 7163904}
    assert read("tcmalloc", TCMALLOC) == {"in_use": 734232, "from_system": 3538944}
    assert read("mimalloc", MIMALLOC) == {"from_system": int(32.5 * 2**20)}
    assert read("mimalloc", MIMALLOC_NEW) == {"from_system": 512 * 2**10}
    glibc = "x\nperfnotes: glibc in_use 81616 from_system 135168\n"
    assert read("glibc", glibc) == {"in_use": 81616, "from_system": 135168}
    for allocator in ("glibc", "tcmalloc", "jemalloc", "mimalloc"):
        with pytest.raises(LabError, match=f"{allocator} printed no statistics.*has `said`"):
            read(allocator, "said")
    with pytest.raises(LabError, match="2 processes printed jemalloc's statistics"):
        read("jemalloc", JEMALLOC * 2)


LDCONFIG = """\
4 libs found in cache `/etc/ld.so.cache'
\tlibtcmalloc_minimal.so.4 (libc6) => /lib/i386-linux-gnu/libtcmalloc_minimal.so.4
\tlibtcmalloc_minimal.so.4 (libc6,x86-64) => /lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4
\tlibtcmalloc_minimal.so (libc6,x86-64) => /lib/x86_64-linux-gnu/libtcmalloc_minimal.so
\tlibtcmalloc_minimal_debug.so.4 (libc6,x86-64) => /lib/x86_64-linux-gnu/libtcmalloc_minimal_d
\tlibtcmalloc.so.4 (libc6,x86-64, OS ABI: Linux 3.2.0) => /lib/x86_64-linux-gnu/libtcmalloc.so.4
"""


def test_libraries() -> None:
    listed = _preload.in_cache(LDCONFIG, "x86_64")
    assert len(listed) == 4
    patterns = _preload.LIBRARIES["tcmalloc"]
    assert _preload.choose(patterns, listed) == "/lib/x86_64-linux-gnu/libtcmalloc_minimal.so.4"
    assert _preload.choose(patterns, listed[3:]) == "/lib/x86_64-linux-gnu/libtcmalloc.so.4"
    assert _preload.choose(_preload.LIBRARIES["jemalloc"], listed) is None
    assert len(_preload.in_cache(LDCONFIG, "riscv64")) == 5


def test_names() -> None:
    keys = [("/a/x.c", "sum"), ("/b/x.c", "sum"), ("/b/y.c", "sum.constprop.0"), ("", "n::f(int)")]
    assert find("sum", keys, "tool") == keys[:2]
    assert find("b/x.c:sum", keys, "tool") == keys[1:2]
    assert find("n::f", keys, "tool") == keys[3:]
    assert nearest("sum", ["sum.constprop.0", "main"]) == ["sum.constprop.0"]
    with pytest.raises(LabError, match=r"The nearest: sum\.constprop\.0, sum\."):
        find("y.c:sum", keys, "tool")


@pytest.mark.parametrize(
    "pattern",
    ["^call", "[yz]mm", r"%[re]?bx\b", "mul[sp][sd]", "(add|sub)q? ", "a.*b", r"\(\+", "[(*]+"],
)
def test_patterns_that_are_fine(pattern: str) -> None:
    compiled(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+b",
        "(a|a)*b",
        "(a*)*",
        "((ab)?c)+d",
        "(?:x+)*y",
        r"(a)\1",
        "(?P<q>a)(?P=q)",
        "a*b*c*d*",
    ],
)
def test_patterns_that_could_take_forever(pattern: str) -> None:
    with pytest.raises(LabError, match="could take forever"):
        compiled(pattern)


@pytest.mark.parametrize("pattern", ["(", "*a", "a{2,1}", "[", "x" * 201])
def test_patterns_that_are_wrong(pattern: str) -> None:
    with pytest.raises(LabError, match=r"no regular expression|a pattern of 201"):
        compiled(pattern)


@pytest.mark.parametrize("text", ["a" * 300_000, "\t" + "0" * 20_000, "0:\t" + "ab" * 100_000])
def test_hostile_output_is_read_in_time(text: str) -> None:
    begun = time.process_time()
    _disassembly.functions(text)
    _disassembly.instructions(text)
    _strace_log.read(text)
    _perf.read(text)
    _ptxas_log.read(text)
    _mca_report.read(text)
    for allocator in ("glibc", "tcmalloc", "jemalloc", "mimalloc"):
        with pytest.raises(LabError, match="printed no statistics"):
            _malloc_statistics.read(allocator, text)
    with pytest.raises(LabError, match="must end its output"):
        _printed.quantities(text)
    assert time.process_time() - begun < 5
