"""What is read from the output of cachegrind, callgrind and perf."""

from __future__ import annotations

import pytest

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.instruments import (
    _cachegrind_out,
    _callgrind_out,
    _perf,
    perf,
    software,
)

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
    assert profile.sum_of(["main"]) == [111, 1, 1, 53, 6, 0, 4, 0, 0]
    assert profile.sum_of(["inline.h:main"]) == [100, 0, 0, 50, 5, 0, 0, 0, 0]
    assert profile.sum_of(["main", "helper"])[0] == 118
    assert profile.sum_of(["main", "inline.h:main"]) == profile.sum_of(["main"])
    assert profile.sum_of(["n::sum"])[0] == 20
    assert profile.sum_of(["n::sum(int, long)"])[:2] == [20, 0]
    assert profile.total[0] == 141


def test_cachegrind_refuses() -> None:
    profile = _cachegrind_out.read(CACHEGRIND)
    with pytest.raises(LabError, match=r"saw no function 'mian': .* The nearest: main\."):
        profile.sum_of(["mian"])
    with pytest.raises(LabError, match=r"'n::min' names 2 functions: n::min\(int\); n::min\(long"):
        profile.sum_of(["n::min"])
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
    fib = profile.cost_of(["fib"])
    assert fib.own == [13 + 3 + 2 + 166 + 18 + 12, 0]
    assert fib.calls == 15  # 2 * fib(6) - 1
    assert fib.inclusive == 214  # what main says that it cost
    even = profile.cost_of(["fb.c:even"])
    assert even.own == [6 + 5 + 2 + 2 + 28 + 8, 7]
    assert even.calls == 2
    assert even.inclusive == 158
    assert profile.cost_of(["main"]).inclusive == 4 + 2 + 3 + 5 + 214 + 158
    with pytest.raises(LabError, match="callgrind saw no function 'fob'"):
        profile.cost_of(["fob"])


def test_callgrind_without_short_names() -> None:
    profile = _callgrind_out.read(CALLGRIND_LONG)
    assert profile.cost_of(["outer"]).inclusive == 6 + 5 + 1 + 30 + 12
    assert profile.cost_of(["inner"]).calls == 2
    assert profile.cost_of(["own"]).calls == 3
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
