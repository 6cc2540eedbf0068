"""A folder of small programs, and instruments that measure them there."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from perfnotes.labs.box import CannotRunError, Finished, LabError
from perfnotes.labs.instruments import Measurement, instruments
from perfnotes.model.lab import Limits, Run
from perfnotes.model.quantity.units import unit
from perfnotes.source.schema import Schema

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

    def arguments(self, command: str) -> list[str]:
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


@contextmanager
def box_with_programs(factory: pytest.TempPathFactory) -> Iterator[Box]:
    """Yield a box with the programs; fail if an instrument leaves files beside it."""
    path = factory.mktemp("scratch") / "lab"
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


def stand_in(box: Box, monkeypatch: pytest.MonkeyPatch, name: str, script: str) -> None:
    """Put a script in the place of the program of this name."""
    folder = box.path / "fake"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(script)
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
