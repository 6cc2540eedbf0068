"""Counts by bpftrace, strace and top, of a program whose numbers of calls are known.

Usage: python3 count.py EXPERIMENT...

Prints a table for people and, in the last line, JSON. bpftrace needs root: for another user it is
started by ``sudo -n``. Ends with a message and status 1 where it may not trace.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator

CALLS, KEYS, BURST, INLINED, CHILDREN, PATH = 1000, 5000, 20_000, 1000, 400, 100
FIRST = 100_000  # of the descriptors that ./work closes
OURS = f"/pid == cpid && args->fd >= {FIRST}/"
ROOT = [] if os.geteuid() == 0 else ["sudo", "-n"]


def run(*command: str, **environment: str) -> str:
    """What a command prints, errors included."""
    variables = [f"{name}={value}" for name, value in environment.items()]
    done = subprocess.run(
        [*ROOT, "env", *variables, *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return done.stdout


def check_rights() -> None:
    """End if bpftrace cannot attach a tracepoint and a uprobe here.

    It prints "Attaching" before the kernel refuses, so its exit status is asked.
    """
    script = "tracepoint:syscalls:sys_enter_close { @n = count(); } uprobe:./work:step { exit(); }"
    command = [*ROOT, "bpftrace", "-e", script, "-c", "./work inline 10"]
    try:
        tried = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
        )
    except OSError:
        said = "no sudo here"
    else:
        if tried.returncode == 0:
            return
        lines = [line for line in tried.stderr.splitlines() if "RLIMIT_MEMLOCK" not in line]
        said = lines[0].removeprefix("ERROR: ") if lines else f"status {tried.returncode}"
    raise SystemExit(f"needs root with CAP_BPF and CAP_PERFMON, to trace with bpftrace: {said}")


def bpftrace(script: str, command: str, **environment: str) -> str:
    """What bpftrace and the command print; the command begins when the probes are attached."""
    printed = run("bpftrace", "-e", script, "-c", command, **environment)
    if "Attaching" not in printed:
        raise SystemExit(printed)
    return printed


def count(name: str, printed: str) -> int:
    """The value of the map ``@name``, 0 if it is empty."""
    found = re.search(rf"^@{name}: (\d+)", printed, re.MULTILINE)
    return int(found[1]) if found else 0


def voluntary(printed: str) -> int:
    """The voluntary switches that ./work reports of itself."""
    return int(re.search(r"voluntary (\d+)", printed)[1])


def calls() -> Iterator[tuple[str, int]]:
    """N each of read, openat and futex, by tracepoints and by strace."""
    points = {"read": "args->count == 1", "futex": "args->op == 129"}
    points["openat"] = 'str(args->filename) == "/nowhere/at/all"'
    script = "".join(
        f"tracepoint:syscalls:sys_enter_{name} /pid == cpid && {mine}/ {{ @{name} = count(); }}"
        for name, mine in points.items()
    )
    plain = run("./work", "calls", str(CALLS))
    traced = bpftrace(script, f"./work calls {CALLS}")
    slow = run("strace", "-f", "-o", "log", "./work", "calls", str(CALLS))
    with open("log", encoding="utf-8") as log:
        lines = log.read()
    patterns = {"read": r'read\(\d+, "\\0", 1\)', "openat": "/nowhere", "futex": r"futex\("}
    for name in points:
        yield f"bpftrace_{name}", count(name, traced)
        yield f"strace_{name}", len(re.findall(patterns[name], lines))
    yield "switches_alone", voluntary(plain)
    yield "switches_bpftrace", voluntary(traced)
    yield "switches_strace", voluntary(slow)


def keys() -> Iterator[tuple[str, int]]:
    """More keys than a map holds."""
    script = f"tracepoint:syscalls:sys_enter_close {OURS} {{ @[args->fd] = count(); @n = count(); }}"
    for name, room in ("default", "4096"), ("larger", "8192"):
        printed = bpftrace(script, f"./work keys {KEYS}", BPFTRACE_MAP_KEYS_MAX=room)
        yield f"events_{name}", count("n", printed)
        yield f"kept_{name}", len(re.findall(r"^@\[\d+\]: 1$", printed, re.MULTILINE))
        yield f"warned_{name}", int("full" in printed or "update" in printed)


def burst() -> Iterator[tuple[str, int]]:
    """Events that are printed, and counted, while the tracer gets no CPU."""
    script = (
        f"tracepoint:syscalls:sys_enter_close {OURS}"
        r'{ @n = count(); printf("closed %d\n", args->fd); }'
    )
    for name, last in ("with_last", " last"), ("without_last", ""):
        printed = bpftrace(script, f"./work burst {BURST}{last}")
        yield f"counted_{name}", count("n", printed)
        yield f"printed_{name}", len(re.findall(r"^closed \d+$", printed, re.MULTILINE))
        yield f"lost_{name}", sum(int(n) for n in re.findall(r"Lost (\d+) events", printed))


def path() -> Iterator[tuple[str, int]]:
    """How much of a long path is shown."""
    script = (
        "tracepoint:syscalls:sys_enter_openat /pid == cpid/"
        r'{ printf("<%s>\n", str(args->filename)); }'
    )
    for name, size in ("default", "64"), ("larger", "200"):
        printed = bpftrace(script, f"./work path {PATH}", BPFTRACE_STRLEN=size)
        yield f"shown_{name}", max(map(len, re.findall(r"^<(/aaa.*)>$", printed, re.MULTILINE)))


def inline() -> Iterator[tuple[str, int]]:
    """A function that the compiler inlines in one place of two, and the same without inlining."""
    for name, program in ("inlined", "work"), ("kept", "work-no-inline"):
        script = f"uprobe:./{program}:step {{ @step = count(); }}"
        yield name, count("step", bpftrace(script, f"./{program} inline {INLINED}"))


def namespace() -> Iterator[tuple[str, int]]:
    """The process id that a container knows, and the one that the tracer sees."""
    script = (
        'tracepoint:syscalls:sys_enter_close /comm == "work" && args->fd >= 100000/'
        "{ @all = count(); } "
        'tracepoint:syscalls:sys_enter_close /comm == "work" && args->fd >= 100000 && pid == 1/'
        "{ @inner = count(); }"
    )
    printed = bpftrace(script, f"/usr/bin/unshare -pf ./work keys {CALLS}")
    yield "own_pid", int(re.search(r"pid (\d+) voluntary", printed)[1])
    yield "by_name", count("all", printed)
    yield "by_own_pid", count("inner", printed)


def children() -> Iterator[tuple[str, int]]:
    """Short processes, one after another: each exec, and those that top shows."""
    script = 'tracepoint:sched:sched_process_exec /comm == "work"/ { @execs = count(); }'
    looks = subprocess.Popen(
        ["top", "-b", "-d", "0.2", "-n", "100", "-w", "200"], stdout=subprocess.PIPE, text=True
    )
    printed = bpftrace(script, f"./work children {CHILDREN}")
    looks.terminate()
    seen = looks.communicate()[0]
    parent = re.search(r"pid (\d+) voluntary", printed)[1]
    shown = set(re.findall(r"^ *(\d+) .* work$", seen, re.MULTILINE)) - {parent}
    with_work = [page for page in seen.split("top - ") if re.search(r" work$", page, re.MULTILINE)]
    yield "execs", count("execs", printed) - 1  # without the first, of the parent
    yield "looks", len(with_work)
    yield "shown", len(shown)


def main() -> None:
    """Run the experiments named on the command line."""
    check_rights()
    values: dict[str, int] = {}
    for name in sys.argv[1:]:
        print(name)
        for key, value in globals()[name]():
            values[f"{name}_{key}"] = value
            print(f"  {key:20} {value:8}")
    print(json.dumps(values))


main()
