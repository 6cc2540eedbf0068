"""Instruments on real programs: every exact count expected here follows from arithmetic."""

from __future__ import annotations

import os
import platform
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import jsonschema_rs
import pytest

from perfnotes.labs.box import CannotRunError, Finished, LabError
from perfnotes.labs.instruments import Measurement, _preload, instruments
from perfnotes.labs.instruments._perf import stat
from perfnotes.labs.instruments.mca import find as find_mca
from perfnotes.model.lab import Limits, Run
from perfnotes.model.quantity.units import unit
from perfnotes.source.schema import Schema

pytestmark = pytest.mark.slow
CACHES = {"I1": "32768,8,64", "D1": "32768,8,64", "LL": "8388608,16,64"}
PROGRAM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#define PLAIN __attribute__((noinline, noclone))
static int cells[65536] __attribute__((aligned(64)));
PLAIN int load(volatile int *p, int n, int step) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += p[i * step];
    return sum;
}
PLAIN void store(volatile int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
PLAIN int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
PLAIN int outer(int n) { return fib(n) + 1; }
static void calls(int n) {
    write(-1, "perfnotes:begin", 15);
    for (int i = 0; i < n; i++) { getppid(); open("/nonexistent/x", O_RDONLY); }
    if (fork() == 0) { getppid(); _exit(0); }
    wait(NULL);
    write(-1, "perfnotes:end", 13);
    getppid();
}
static void touch(int pages) {
    long size = sysconf(_SC_PAGESIZE);
    char *p = mmap(NULL, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(p, pages * size, MADV_NOHUGEPAGE);
    for (int i = 0; i < pages; i++) ((volatile char *)p)[i * size] = 1;
}
static void spin(int n) { for (volatile int i = 0; i < n; i++) {} }
static void hold(int n) {
    static void *volatile kept[100000];
    for (int i = 0; i < n; i++) kept[i] = malloc(64);
    printf("held %d\n{\"held\": %d,\n \"each\": [64, 64]}\n", n, n);
}
int main(int c, char **v) {
    const char *what = c > 1 ? v[1] : "nothing";
    int n = c > 2 ? atoi(v[2]) : 0;
    volatile int sink = 0;
    if (!strcmp(what, "load")) sink = load(cells, n, c > 3 ? atoi(v[3]) : 1);
    if (!strcmp(what, "store")) store(cells, n);
    if (!strcmp(what, "fib")) sink = outer(n);
    if (!strcmp(what, "calls")) calls(n);
    if (!strcmp(what, "touch")) touch(n);
    if (!strcmp(what, "spin")) spin(n);
    if (!strcmp(what, "hold")) hold(n);
    if (!strcmp(what, "exit")) { printf("one\ntwo\nthree"); return n; }
    return sink & 0;
}
"""
# Ten instructions of known length: 1+3+2 (no-op)+3+5+2+4+1 (no-op)+1+1 (ret) bytes.
ASSEMBLY = r"""
    .text
    .globl known
    .type known, @function
known:
    push %rbx
    mov %rdi, %rbx
    xchg %ax, %ax
    add %rsi, %rbx
    call known@PLT
    jmp 1f
    paddd %xmm1, %xmm2
1:  nop
    pop %rbx
    ret
    .size known, .-known
    .p2align 6
    .globl alias
    .set alias, known
    .type alias, @function
    .size alias, 23
    .section .note.GNU-stack,"",@progbits
"""


class Box:
    """A folder in which processes run; enough of a box for the instruments."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parameters: Mapping[str, float] = {"n": 4096}

    def words(self, command: str) -> list[str]:
        return command.format(n=4096).split()

    def execute(
        self,
        arguments: Sequence[str],
        limits: Limits,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        accept: Sequence[int] = (0,),
    ) -> Finished:
        if not shutil.which(arguments[0]) and not (self.path / arguments[0]).exists():
            raise CannotRunError(f"needs {arguments[0]}")
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(
            list(arguments),
            cwd=self.path,
            env={**os.environ, "LC_ALL": "C", **(env or {})},
            input=stdin,
            capture_output=True,
            text=True,
            timeout=limits.seconds,
            check=False,
        )
        seconds = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in accept:
            raise LabError(f"{arguments}: status {done.returncode}\n{done.stderr}")
        return Finished(
            stdout=done.stdout,
            stderr=done.stderr,
            seconds=seconds,
            cpu=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            max_rss=after.ru_maxrss * 1024,
            minor_faults=after.ru_minflt - before.ru_minflt,
            major_faults=after.ru_majflt - before.ru_majflt,
        )


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Box]:
    path = tmp_path_factory.mktemp("scratch") / "lab"
    path.mkdir()
    (path / "p.c").write_text(PROGRAM)
    (path / "known.s").write_text(ASSEMBLY)
    build = "gcc -O1 -g -march=x86-64 -Wall -Wno-unused-result -o p p.c"
    subprocess.run(build.split(), cwd=path, check=True)
    subprocess.run([*build.split()[:-2], "static", "-static", "p.c"], cwd=path, check=True)
    subprocess.run("gcc -c -o known.o known.s".split(), cwd=path, check=True)
    yield Box(path)
    assert {p.name for p in path.parent.iterdir()} == {"lab"}, "an instrument left files behind"


def run(tool: str, **options: Any) -> Run:
    """A run whose options the instrument's schema accepts."""
    env = options.pop("env", {})
    for error in Schema(instruments()[tool].OPTIONS).errors(options):
        raise error
    return Run("r", tool, MappingProxyType(options), env=env, limits=Limits(seconds=60))


def measure(box: Box, tool: str, **options: Any) -> Measurement:
    found = instruments()[tool].measure(run(tool, **options), box)
    for samples in found.quantities.values():
        unit(samples.unit)
        assert samples.samples
    return found


def values(box: Box, tool: str, **options: Any) -> dict[str, float]:
    """Each quantity's only sample."""
    found = measure(box, tool, **options).quantities
    assert all(len(samples.samples) == 1 for samples in found.values())
    return {name: samples.samples[0] for name, samples in found.items()}


def test_every_instrument_keeps_the_contract() -> None:
    names = "allocator cachegrind callgrind json mca memory objdump output pairs perf ptxas size"
    assert sorted(instruments()) == sorted([*names.split(), "sass", "software", "strace"])
    for module in instruments().values():
        schema = module.OPTIONS
        assert schema["type"] == "object"
        assert schema["additionalProperties"] is False
        assert schema["required"]
        jsonschema_rs.meta.validate(dict(schema))
        assert "uantit" in (module.__doc__ or "")


def test_json(box: Box) -> None:
    found = measure(box, "json", command="./p hold 3", units={"each": "B"})
    assert list(found.quantities["held"].samples) == [
        3,
    ]
    assert list(found.quantities["each"].samples) == [64, 64]
    assert found.quantities["each"].unit == "B"
    assert found.output.startswith("held 3\n")
    with pytest.raises(LabError, match=r"printed `one two three`"):
        measure(box, "json", command="./p exit 0")


def test_pairs_interleave_and_alternate(box: Box) -> None:
    note = "import sys; print(sys.argv[1], file=open('order', 'a')); print('said', sys.argv[1])"
    (box.path / "note.py").write_text(note)
    commands = {"a": f"{sys.executable} note.py a", "b": f"{sys.executable} note.py b"}
    found = measure(box, "pairs", commands=commands, pairs=3)
    assert (box.path / "order").read_text().split() == "a b  a b  b a  a b".split()
    assert found.output == "said a\nsaid b\n"
    assert set(found.quantities) == {"a", "b", "a_wall", "b_wall"}
    assert all(len(q.samples) == 3 and q.unit == "s" for q in found.quantities.values())
    with pytest.raises(LabError, match="a_wall is the wall time of a"):
        measure(box, "pairs", commands={"a": "true", "a_wall": "true"})


def test_pairs_see_a_difference(box: Box) -> None:
    commands = {"more": "./p spin 40000000", "less": "./p spin 10000000"}
    found = measure(box, "pairs", commands=commands, pairs=3).quantities
    pairs = zip(found["more"].samples, found["less"].samples, strict=True)
    assert sorted(more / less for more, less in pairs)[1] > 2


def test_memory_counts_touched_pages(box: Box) -> None:
    few = values(box, "memory", command="./p touch 0")
    many = values(box, "memory", command="./p touch {n}")
    # A few pages more or less: where the stack and the libraries lie differs from run to run.
    assert abs(many["minor_faults"] - few["minor_faults"] - 4096) <= 32
    assert measure(box, "memory", command="./p").quantities["max_rss"].unit == "B"
    assert many["max_rss"] >= 4096 * resource.getpagesize()


def test_output(box: Box) -> None:
    found = measure(box, "output", command="./p exit 3", status=3)
    assert found.output == "one\ntwo\nthree"
    assert list(found.quantities["lines"].samples) == [
        3,
    ]
    assert list(found.quantities["exit_status"].samples) == [
        3,
    ]
    with pytest.raises(LabError, match="status 3"):
        measure(box, "output", command="./p exit 3")


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


def _fake(box: Box, monkeypatch: pytest.MonkeyPatch, name: str, script: str) -> None:
    folder = box.path / "fake"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(script)
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_perf_counts_or_says_what_is_missing(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "echo '1234|' '|cycles:u|1000|100.00||' | tr -d ' '; "
    lines += "echo '<not supported>||L1-dcache-loads:u|0|100.00||';"
    _fake(box, monkeypatch, "perf", FAKE_PERF.format(lines=lines, unknown="nosuch"))
    with pytest.raises(CannotRunError) as error:
        measure(box, "perf", command="./p", events=["cycles", "L1-dcache-loads"])
    assert str(error.value) == (
        "needs the hardware event L1-dcache-loads, which this machine does not count"
    )
    with pytest.raises(CannotRunError, match=r"the hardware event nosuch, .* does not know"):
        measure(box, "perf", command="./p", events=["cycles", "nosuch"])
    lines = "echo '1234||cycles:u|1000|100.00||'; echo '5||L1-dcache-loads:u|1000|100.00||';"
    _fake(box, monkeypatch, "perf", FAKE_PERF.format(lines=lines, unknown="nosuch"))
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
    _fake(box, monkeypatch, "perf", f"#!/bin/sh\n{said}\nexit 255\n")
    for tool, event in (("perf", "cycles"), ("software", "task-clock")):
        with pytest.raises(CannotRunError, match="forbidden here"):
            measure(box, tool, command="./p", events=[event])
    _fake(box, monkeypatch, "perf", "#!/bin/sh\necho 'WARNING: perf not found' >&2\nexit 2\n")
    with pytest.raises(CannotRunError, match="this one printed `WARNING: perf not found`"):
        stat(run("perf", command="./p", events=["x"]), box, ["x"], lambda _: {})


def test_forbidden_ptrace(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "strace: test_ptrace_get_syscall_info: PTRACE_TRACEME: Operation not permitted"
    _fake(box, monkeypatch, "strace", f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    with pytest.raises(CannotRunError, match="needs ptrace, which is forbidden here"):
        measure(box, "strace", command="./p", syscalls=["brk"])


ALL = ["glibc", "tcmalloc", "jemalloc", "mimalloc"]


def test_allocators_are_used_and_told_apart(box: Box) -> None:
    found = measure(box, "allocator", command="./p hold {n}", allocators=ALL, statistics=True)
    quantities = {name: samples.samples for name, samples in found.quantities.items()}
    for allocator in ALL:
        assert quantities[f"{allocator}_held"] == (4096,)
        assert quantities[f"{allocator}_each"] == (64, 64)
        assert quantities[f"{allocator}_max_rss"][0] > 4096 * 64
        assert quantities[f"{allocator}_system"][0] >= 4096 * 64
    for allocator in ALL[:3]:
        in_use = quantities[f"{allocator}_in_use"][0]
        assert 4096 * 64 <= in_use <= quantities[f"{allocator}_system"][0]
    assert found.quantities["glibc_in_use"].unit == "B"
    assert "mimalloc_in_use" not in quantities


def test_allocator_statistics_follow_the_program(box: Box) -> None:
    def in_use(n: int) -> dict[str, float]:
        command = f"./p hold {n}"
        found = measure(box, "allocator", command=command, allocators=ALL[:3], statistics=True)
        return {a: found.quantities[f"{a}_in_use"].samples[0] for a in ALL[:3]}

    few, many = in_use(10_000), in_use(20_000)
    # glibc: 64 bytes and a header of 8, rounded up to 80; the others have a class of 64, and
    # fetch some objects ahead.
    assert many["glibc"] - few["glibc"] == 10_000 * 80
    assert many["tcmalloc"] - few["tcmalloc"] == pytest.approx(10_000 * 64, rel=0.05)
    assert many["jemalloc"] - few["jemalloc"] == pytest.approx(10_000 * 64, rel=0.05)


def test_allocator_that_is_not_loaded(box: Box) -> None:
    with pytest.raises(LabError, match=r"jemalloc was not loaded: .* linked statically"):
        measure(box, "allocator", command="./static hold 9", allocators=["jemalloc"])
    other = run("allocator", command="./p hold 9", allocators=["tcmalloc"])
    library = _preload.find("jemalloc", other, box)
    subprocess.run(
        ["gcc", "-o", "linked", "p.c", "-w", "-Wl,--no-as-needed", library],
        cwd=box.path,
        check=True,
    )
    with pytest.raises(LabError, match=r"glibc was not used: malloc of .* is from .*libjemalloc"):
        measure(box, "allocator", command="./linked hold 9", allocators=["glibc"])
    with pytest.raises(LabError, match="this instrument sets LD_PRELOAD"):
        measure(box, "allocator", command="./p", env={"LD_PRELOAD": "x.so"})


def test_allocator_of_any_program(box: Box) -> None:
    found = measure(box, "allocator", command="./p touch 1", allocators=["mimalloc"])
    assert set(found.quantities) == {"mimalloc_max_rss"}
    needed = instruments()["allocator"].needs(run("allocator", command="x", allocators=ALL))
    assert needed.debian == ("libtcmalloc-minimal4", "libjemalloc2", "libmimalloc2.0")


def test_allocator_without_its_library(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_preload, "LIBRARIES", {"jemalloc": (r"libnosuch\.so",)})
    with pytest.raises(CannotRunError, match=r"the library of jemalloc \(Debian: libjemalloc2\)"):
        measure(box, "allocator", command="./p", allocators=["jemalloc"])


def test_size(box: Box) -> None:
    def size(code: str) -> dict[str, float]:
        (box.path / "s.c").write_text(code)
        subprocess.run("gcc -shared -fPIC -o s.so s.c".split(), cwd=box.path, check=True)
        found = measure(box, "size", file="s.so")
        assert found.quantities["text"].unit == "B"
        return {name: samples.samples[0] for name, samples in found.quantities.items()}

    before = size("int a[1000] = {1}; int one(void) { return a[0]; }")
    more = "static int hidden[1]; int *more(void) { return hidden; }"
    after = size("int a[2000] = {1}; int one(void) { return a[0]; }" + more)
    assert after["data"] - before["data"] == 4000
    assert after["dynamic_symbols"] - before["dynamic_symbols"] == 1
    assert after["symbols"] - before["symbols"] == 2
    assert after["total"] == after["text"] + after["data"] + after["bss"]
    assert after["file_bytes"] == (box.path / "s.so").stat().st_size
    stripped = box.path / "stripped"
    subprocess.run(["strip", "-o", stripped, "p"], cwd=box.path, check=True)
    assert values(box, "size", file="stripped")["symbols"] == 0
    with pytest.raises(LabError, match=r"there is no nosuch: is it built\? \(there: "):
        measure(box, "size", file="nosuch")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the sample is in x86-64 assembly")
def test_objdump_counts_known_code(box: Box) -> None:
    match = {"calls": "^call", "vector": "xmm", "jumps": "^j", "rbx": r"%rbx\b"}
    for name in ("known", "alias"):
        found = values(box, "objdump", file="known.o", function=name, match=match)
        assert found["instructions"] == 8
        assert found["nops"] == 2
        assert found["bytes"] == 23
        assert (found["calls"], found["vector"], found["jumps"], found["rbx"]) == (1, 1, 1, 4)
    both = values(box, "objdump", file="p", function=["load", "store"])
    apart = [values(box, "objdump", file="p", function=name) for name in ("load", "store")]
    assert both == {name: apart[0][name] + apart[1][name] for name in both}


def test_objdump_refuses(box: Box) -> None:
    with pytest.raises(LabError, match=r"objdump saw no function 'stoer'.* nearest: .*store"):
        measure(box, "objdump", file="p", function="stoer")
    with pytest.raises(LabError, match="could take forever"):
        measure(box, "objdump", file="p", function="load", match={"x": "(a+)+b"})
    with pytest.raises(jsonschema_rs.ValidationError):
        run("objdump", file="p", function="load", match={"bytes": "x"})


def test_objdump_of_cxx_and_of_stripped_libraries(box: Box) -> None:
    code = """namespace n { int f(int a) { return a * 3; } int f(long a) { return a > 4; }
    struct S { int operator()(int) const; }; int S::operator()(int a) const { return a + 1; } }
    extern "C" int plain(int a) { return a; }"""
    (box.path / "c.cc").write_text(code)
    build = "g++ -O1 -shared -fPIC -o c.so c.cc"
    subprocess.run(build.split(), cwd=box.path, check=True)
    names = ["n::f(int)", "_ZN1n1fEi", "n::S::operator()", "n::S::operator()(int) const", "plain"]
    whole = [values(box, "objdump", file="c.so", function=name) for name in names]
    assert whole[0] == whole[1]
    assert whole[2] == whole[3]
    assert all(each["instructions"] >= 2 for each in whole)
    with pytest.raises(LabError, match=r"'n::f' names 2 functions: n::f\(int\); n::f\(long\)"):
        measure(box, "objdump", file="c.so", function="n::f")
    subprocess.run("strip c.so".split(), cwd=box.path, check=True)
    assert [values(box, "objdump", file="c.so", function=name) for name in names] == whole


LOOP = """
    .text
# LLVM-MCA-BEGIN chain
    imulq %rax, %rbx
    imulq %rax, %rbx
# LLVM-MCA-END
# LLVM-MCA-BEGIN apart
    addq $1, %rax
# LLVM-MCA-END
"""


def test_mca(box: Box) -> None:
    (box.path / "loop.s").write_text(LOOP)
    options = {"file": "loop.s", "cpu": "skylake", "triple": "x86_64-unknown-linux-gnu"}
    found = values(box, "mca", region="chain", iterations=200, **options)
    assert found["instructions"] == 400
    # Each multiplication waits three cycles for the one before.
    assert 1200 <= found["cycles"] <= 1210
    assert found["ipc"] == found["instructions"] / found["cycles"]
    assert found["block_rthroughput"] == 2.0
    assert values(box, "mca", region="apart", **options)["instructions"] == 100
    with pytest.raises(LabError, match=r"2 regions \(apart, chain\): say which"):
        measure(box, "mca", **options)
    with pytest.raises(CannotRunError, match="needs an llvm-mca that knows pentium99"):
        measure(box, "mca", **{**options, "cpu": "pentium99"})
    (box.path / "wrong.s").write_text("frobnicate %rax\n")
    with pytest.raises(LabError, match="invalid instruction mnemonic 'frobnicate'"):
        measure(box, "mca", **{**options, "file": "wrong.s"})


def test_mca_finds_any_version(tmp_path: Path) -> None:
    with pytest.raises(CannotRunError, match="needs llvm-mca"):
        find_mca(str(tmp_path))
    for name in ("llvm-mca-9", "llvm-mca-14", "llvm-mca-x"):
        (tmp_path / name).touch()
    assert find_mca(f"/nonexistent::{tmp_path}") == "llvm-mca-14"
    (tmp_path / "llvm-mca").touch()
    assert find_mca(str(tmp_path)) == "llvm-mca"
    needed = instruments()["mca"].needs(run("mca", file="x", cpu="znver3", llvm=14))
    assert needed.tools == ("llvm-mca-14",)


FAKE_PTXAS = """#!/bin/sh
case $* in *sm_30*)
    echo "ptxas fatal   : Value 'sm_30' is not defined for option 'gpu-name'" >&2; exit 1 ;;
esac
cat >&2 <<'END'
ptxas info    : Compiling entry function 'plain' for 'sm_90'
ptxas info    : Function properties for plain
    608 bytes stack frame, 664 bytes spill stores, 704 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 608 bytes cumulative stack size, 2048 bytes smem
END
"""


def test_ptxas(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    _fake(box, monkeypatch, "ptxas", FAKE_PTXAS)
    (box.path / "k.ptx").write_text("// any\n")
    found = measure(box, "ptxas", source="k.ptx", arch="sm_90").quantities
    assert {name: (samples.samples[0], samples.unit) for name, samples in found.items()} == {
        "registers": (32, ""),
        "spill_stores": (664, "B"),
        "spill_loads": (704, "B"),
        "stack_bytes": (608, "B"),
        "shared_bytes": (2048, "B"),
    }
    with pytest.raises(CannotRunError, match="a CUDA compiler that knows sm_30"):
        measure(box, "ptxas", source="k.ptx", arch="sm_30")
    with pytest.raises(LabError, match=r"no kernel 'plane'. The nearest: plain"):
        measure(box, "ptxas", source="k.ptx", arch="sm_90", function="plane")
    tools = [
        instruments()["ptxas"].needs(run("ptxas", source=s, arch="sm_90")).tools
        for s in ("k.ptx", "k.cu")
    ]
    assert tools == [("ptxas",), ("nvcc", "ptxas", "gcc")]


def test_real_nvcc_or_not_run(box: Box) -> None:
    (box.path / "k.cu").write_text(
        "__global__ void tile(int *a) { __shared__ int s[256]; s[threadIdx.x] = *a;"
        " __syncthreads(); *a = s[255 - threadIdx.x]; }"
    )
    if shutil.which("nvcc"):
        found = values(box, "ptxas", source="k.cu", arch="sm_90", function="tile")
        assert found["shared_bytes"] == 1024
        assert found["spill_loads"] == 0
        assert 2 <= found["registers"] <= 32
    else:
        with pytest.raises(CannotRunError, match="needs nvcc"):
            measure(box, "ptxas", source="k.cu", arch="sm_90", function="tile")
