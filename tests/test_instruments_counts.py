"""Instruments that count events of real programs: every exact count follows from arithmetic."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterator

import pytest

from perfnotes.labs.box import CannotRunError, LabError
from perfnotes.labs.instruments._perf import stat
from tests.instrument_box import Box, box_with_programs, measure, run, stand_in, values

pytestmark = pytest.mark.slow
CACHES = {"I1": "32768,8,64", "D1": "32768,8,64", "LL": "8388608,16,64"}


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    with box_with_programs(tmp_path_factory) as box:
        yield box


def test_cachegrind_counts_loads_and_misses(box: Box) -> None:
    def load(command: str) -> dict[str, float]:
        return values(box, "cachegrind", command=command, function="load", caches=CACHES)

    few, many = load("./p load 1024"), load("./p load 2048")
    assert many["Dr"] - few["Dr"] == 1024
    # An array aligned to a line, 16 numbers to the line; the return address is one line more.
    assert many["D1mr"] - few["D1mr"] == 1024 / 16
    assert many["D1m"] == many["D1mr"] + many["D1mw"]
    assert many["Ir"] > few["Ir"]
    # One number in each line; 2048 lines do not fit into 512.
    apart = load("./p load 2048 16")
    assert 2048 <= apart["D1mr"] <= 2048 + 2
    stores = values(box, "cachegrind", command="./p store 1600", function=["store"], caches=CACHES)
    assert 1600 <= stores["Dw"] <= 1602
    assert 100 <= stores["D1mw"] <= 102


def test_cachegrind_sums_functions_and_files(box: Box) -> None:
    def count(function: str | list[str]) -> dict[str, float]:
        options = {"command": "./p fib 10", "function": function, "caches": CACHES}
        return values(box, "cachegrind", branches=True, **options)

    both, fib, outer = count(["fib", "outer"]), count("p.c:fib"), count("outer")
    assert both == {name: fib[name] + outer[name] for name in fib}
    assert fib["Bc"] >= 177  # fib(10) is 177 calls, each of which compares once
    whole = values(box, "cachegrind", command="./p fib 10", caches=CACHES)
    assert whole["Ir"] > both["Ir"]
    assert "Bc" not in whole


def test_cachegrind_absent_function(box: Box) -> None:
    options = {"command": "./p load 1", "caches": CACHES}
    with pytest.raises(LabError, match=r"saw no function 'laod'.* The nearest: .*load"):
        measure(box, "cachegrind", function="laod", **options)
    with pytest.raises(LabError, match=r"saw no function 'other.c:load'"):
        measure(box, "cachegrind", function="other.c:load", **options)
    with pytest.raises(LabError, match="power of two"):
        measure(box, "cachegrind", command="./p", caches={**CACHES, "D1": "3,2,1"})


@pytest.mark.skipif(platform.machine() != "x86_64", reason="AVX-512 is of x86-64")
def test_cachegrind_unknown_instruction(box: Box) -> None:
    # What valgrind does not know is refused before the processor would refuse it.
    code = 'int main(void){__asm__ volatile(".byte 0x62,0xf1,0x7d,0x48,0xfe,0xc0");return 0;}'
    (box.path / "wide.c").write_text(code)
    subprocess.run("gcc -o wide wide.c".split(), cwd=box.path, check=True)
    with pytest.raises(LabError, match="build with -march=x86-64-v3"):
        measure(box, "cachegrind", command="./wide", caches=CACHES)


def test_callgrind_counts_calls(box: Box) -> None:
    def fib(n: int, function: str) -> dict[str, float]:
        command = f"./p fib {n}"
        return values(box, "callgrind", command=command, function=function, caches=CACHES)

    ten, outer = fib(10, "fib"), fib(10, "outer")
    assert ten["calls"] == 177  # 2 * fib(11) - 1
    assert outer["calls"] == 1
    assert ten["Ir_inclusive"] == ten["Ir"]  # it calls nothing but itself
    assert outer["Ir_inclusive"] == outer["Ir"] + ten["Ir"]
    same = values(box, "cachegrind", command="./p fib 10", function="fib", caches=CACHES)
    assert ten["Ir"] == same["Ir"]
    with pytest.raises(LabError, match="callgrind saw no function 'fibb'"):
        fib(3, "fibb")


def test_strace_counts_between_marks(box: Box) -> None:
    options = {"command": "./p calls 5", "syscalls": ["getppid", "openat", "write"]}
    between = values(box, "strace", marks=True, **options)
    assert between == {
        "getppid": 6,  # one of them in the child
        "getppid_failed": 0,
        "openat": 0,
        "openat_failed": 5,
        "write": 0,
        "write_failed": 0,  # the marks themselves are not counted
        "clones": 1,
    }
    whole = values(box, "strace", **options)
    assert whole["getppid"] == 7
    assert whole["openat"] > 0  # the C library
    assert whole["write_failed"] == 0 or whole["write_failed"] == 2
    assert values(box, "strace", command="./p") == {"clones": 0}


def test_strace_refuses(box: Box) -> None:
    with pytest.raises(LabError, match="invalid system call 'no_such_call'"):
        measure(box, "strace", command="./p", syscalls=["no_such_call"])
    with pytest.raises(LabError, match="never marked perfnotes:begin"):
        measure(box, "strace", command="./p", marks=True)


def test_software_events(box: Box) -> None:
    events = ["page-faults", "task-clock", "context-switches"]
    few = measure(box, "software", command="./p touch 0", events=events)
    many = measure(box, "software", command="./p touch {n}", events=events)
    faults = [found.quantities["page_faults"].samples[0] for found in (few, many)]
    assert abs(faults[1] - faults[0] - 4096) <= 32
    assert many.quantities["task_clock"].unit == "s"
    assert 0 < many.quantities["task_clock"].samples[0] < 10
    assert many.quantities["context_switches"].unit == ""


FAKE_PERF = """#!/bin/sh
# perf stat -x| -o FILE -e EVENTS -- COMMAND
file=$4; events=$6; shift 7
case $events in *{unknown}*) echo "event syntax error: '$events'" >&2; exit 129 ;; esac
{{ echo "# started on Thu Jan  1 00:00:00 1970"; echo; {lines} }} > "$file"
exec "$@"
"""


def test_perf_counts_or_says_what_is_missing(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "echo '1234|' '|cycles:u|1000|100.00||' | tr -d ' '; "
    lines += "echo '<not supported>||L1-dcache-loads:u|0|100.00||';"
    stand_in(box, monkeypatch, "perf", FAKE_PERF.format(lines=lines, unknown="nosuch"))
    with pytest.raises(CannotRunError) as error:
        measure(box, "perf", command="./p", events=["cycles", "L1-dcache-loads"])
    assert str(error.value) == (
        "needs the hardware event L1-dcache-loads, which this machine does not count"
    )
    with pytest.raises(CannotRunError, match=r"the hardware event nosuch, .* does not know"):
        measure(box, "perf", command="./p", events=["cycles", "nosuch"])
    lines = "echo '1234||cycles:u|1000|100.00||'; echo '5||L1-dcache-loads:u|1000|100.00||';"
    stand_in(box, monkeypatch, "perf", FAKE_PERF.format(lines=lines, unknown="nosuch"))
    found = values(box, "perf", command="./p", events=["cycles", "L1-dcache-loads"])
    assert found == {"cycles": 1234, "L1_dcache_loads": 5}


def test_real_perf_counts_cycles_or_says_so(box: Box) -> None:
    said, found = "", {"instructions": 0.0}
    try:
        found = values(box, "perf", command="./p spin 1000000", events=["instructions"])
    except CannotRunError as error:
        said = str(error)
    there = found["instructions"] >= 1_000_000
    assert there or "event instructions, which" in said or "perf events" in said
    with pytest.raises(CannotRunError, match="no_such_event, which this machine or its perf"):
        measure(box, "perf", command="./p", events=["no_such_event"])


def test_forbidden_perf(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "echo 'Access to performance monitoring and observability operations is limited.' >&2"
    stand_in(box, monkeypatch, "perf", f"#!/bin/sh\n{said}\nexit 255\n")
    for tool, event in (("perf", "cycles"), ("software", "task-clock")):
        with pytest.raises(CannotRunError, match="forbidden here"):
            measure(box, tool, command="./p", events=[event])
    stand_in(box, monkeypatch, "perf", "#!/bin/sh\necho 'WARNING: perf not found' >&2\nexit 2\n")
    with pytest.raises(CannotRunError, match="this one printed `WARNING: perf not found`"):
        stat(run("perf", command="./p", events=["x"]), box, ["x"], lambda _: {})


def test_forbidden_ptrace(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "strace: test_ptrace_get_syscall_info: PTRACE_TRACEME: Operation not permitted"
    stand_in(box, monkeypatch, "strace", f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    with pytest.raises(CannotRunError, match="needs ptrace, which is forbidden here"):
        measure(box, "strace", command="./p", syscalls=["brk"])
