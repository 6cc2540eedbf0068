"""What profiles say of programs whose work is known, as JSON.

count.py rate      samples for each second of CPU time, by the frequency asked for
count.py threads   which threads are sampled, and whom a blocked signal is charged to
count.py unwind    stacks that have main() and middle(), by way to unwind and by build
count.py perl      what google-pprof shows of them
count.py go        what github.com/google/pprof shows of them
count.py nothing   two ways to get no profile
count.py heap      blocks that the heap profiler records
count.py sampled   blocks that tcmalloc samples, and pprof's estimate from them
"""

import bisect
import json
import os
import re
import signal
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 3
PRELOAD = {"LD_PRELOAD": "libprofiler.so.0"}
out = {}


def keep(name, value):
    out.setdefault(name, []).append(round(value, 6))


def told(*call, **environment):
    """What a command prints; its messages are dropped."""
    done = subprocess.run(
        call,
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    return done.stdout.decode()


def samples(path="cpu.prof"):
    """Each sample's stack, innermost address first: the format of cpuprofile-fileformat.html."""
    data = Path(path).read_bytes()
    slots = struct.unpack(f"<{len(data) // 8}Q", data[: len(data) // 8 * 8])
    at, found = 2 + slots[1], []
    while slots[at]:
        count, depth = slots[at : at + 2]
        found += [slots[at + 2 : at + 2 + depth]] * count
        at += 2 + depth
    return found


def profile(work, *environment, program="./work", turns=100_000_000, preload=True):
    """CPU seconds of a profiled run, and its samples."""
    settings = dict(pair.split("=") for pair in environment)
    before = PRELOAD if preload else {}
    cpu = told(program, work, str(turns), CPUPROFILE="cpu.prof", **before, **settings)
    return float(cpu), samples()


class Names:
    """Functions of a program that was linked with -no-pie, by address."""

    def __init__(self, program):
        lines = [line.split() for line in told("nm", "-n", program).splitlines()]
        self.table = [(int(line[0], 16), line[2]) for line in lines if line[1] in "Tt"]

    def of(self, stack):
        """Names along a stack; a return address belongs to the call before it."""
        names = []
        for depth, address in enumerate(stack):
            if address < 1 << 24:
                place = bisect.bisect(self.table, (address - bool(depth), "~")) - 1
                names.append(self.table[place][1])
        return names


def share(stacks, name, names):
    return sum(name in names.of(stack) for stack in stacks) / len(stacks)


def rate():
    names = Names("./work")
    for _ in range(ROUNDS):
        for frequency in (50, 100, 250, 500, 1000, 4000):
            cpu, stacks = profile("shares", f"CPUPROFILE_FREQUENCY={frequency}")
            keep(f"at_{frequency}", len(stacks) / cpu)
        cpu, stacks = profile("shares", "CPUPROFILE_FREQUENCY=4000", "CPUPROFILE_REALTIME=1")
        keep("real_4000", len(stacks) / cpu)
        cpu, stacks = profile("shares", "CPUPROFILE_FREQUENCY=250", turns=300_000_000)
        keep("busy_over_light", share(stacks, "busy", names) / share(stacks, "light", names))
        _, stacks = profile("open", "CPUPROFILE_FREQUENCY=250", turns=300_000_000)
        keep("open_ratio", share(stacks, "first", names) / share(stacks, "second", names))


def threads():
    each = "CPUPROFILE_PER_THREAD_TIMERS=1"
    names = Names("./work")
    for _ in range(ROUNDS):
        cpu, stacks = profile("threads")
        keep("all_rate", len(stacks) / cpu)
        keep("third_share", share(stacks, "third", names))
        keep("all_main", share(stacks, "main", names))
        _, stacks = profile("threads", "CPUPROFILE_REALTIME=1")
        keep("real_main", share(stacks, "main", names))
        cpu, stacks = profile("threads", each)
        keep("each_rate", len(stacks) / cpu)
        cpu, stacks = profile("threads", each, program="./registered", preload=False)
        keep("registered_rate", len(stacks) / cpu)
        for work in ("open", "blocked"):
            _, stacks = profile(work)
            keep(f"{work}_main", share(stacks, "main", names))


def unwind():
    for program in ("work", "framed"):
        names = Names(f"./{program}")
        for method in ("libunwind", "generic_fp"):
            setting = f"TCMALLOC_STACKTRACE_METHOD={method}"
            _, stacks = profile("chain", setting, program=f"./{program}")
            for name in ("main", "middle"):
                keep(f"{program}_{method}_{name}", share(stacks, name, names))


def report(text, name):
    """The number before the function's name that counts it with what it called."""
    found = re.search(rf"([\d.]+)\S* +[\d.]+% +{name}$", text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def perl():
    for work in ("chain", "shares"):
        _, stacks = profile(work)
        text = told("google-pprof", "--text", "./work", "cpu.prof")
        whole = told("google-pprof", "--text", "--no-auto-signal-frm", "./work", "cpu.prof")
        keep(f"{work}_main_kept", report(whole, "main") / len(stacks))
        keep(f"{work}_depth", statistics.median_low(map(len, stacks)))
        keep(f"{work}_total", int(re.search(r"Total: (\d+) samples", text)[1]) / len(stacks))
        keep(f"{work}_main", report(text, "main") / len(stacks))


def build_pprof():
    told("go", "build", "-o", "pprof", "github.com/google/pprof", **GO)


GO = {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode"}


def go():
    build_pprof()
    for work in ("chain", "shares"):
        _, stacks = profile(work)
        text = told("./pprof", "-text", "-sample_index=samples", "./work", "cpu.prof")
        for name in ("main", "outer", "middle"):
            keep(f"{work}_{name}", report(text, name) / len(stacks))
    for _ in range(ROUNDS):
        for frequency in (100, 4000):
            cpu, _ = profile("shares", f"CPUPROFILE_FREQUENCY={frequency}")
            text = told("./pprof", "-text", "-unit=s", "./work", "cpu.prof")
            keep(f"time_{frequency}", float(re.search(r"of ([\d.]+)s total", text)[1]) / cpu)


def nothing():
    for option in ("as-needed", "no-as-needed"):
        told("gcc", f"-Wl,--{option}", "-O2", "-o", "linked", "work.c", "-lprofiler")
        keep(option.replace("-", "_"), told("readelf", "-d", "linked").count("libprofiler"))
    told("gcc", "-O2", "-o", "linked", "work.c", "-lprofiler")
    keep("default", told("readelf", "-d", "linked").count("libprofiler"))

    ends = {"killed": (), "toggled": (signal.SIGUSR2, signal.SIGUSR2)}
    for name, signals in ends.items():
        extra = {"CPUPROFILESIGNAL": str(int(signal.SIGUSR2))} if signals else {}
        environment = {**os.environ, **PRELOAD, "CPUPROFILE": f"{name}.prof", **extra}
        call = ["./work", "shares", "20000000000"]
        process = subprocess.Popen(call, env=environment, stderr=subprocess.DEVNULL)
        for number in signals:
            time.sleep(1)
            process.send_signal(number)
        time.sleep(1)
        process.terminate()
        process.wait()
    keep("killed_bytes", Path("killed.prof").stat().st_size)
    keep("toggled_samples", len(samples("toggled.prof.0")))
    profile("shares")
    keep("ended_bytes", Path("cpu.prof").stat().st_size)


def blocks(path, *options):
    """Numbers of google-pprof's first column by function."""
    text = told("google-pprof", "--text", *options, "./heap", path)
    return {line.split()[-1]: int(line.split()[0]) for line in text.splitlines()[1:]}


def heap():
    told("./heap", "100000", HEAPPROFILE="./h")
    for option in ("inuse_objects", "alloc_objects", "inuse_space", "alloc_space"):
        extra = ["--show_bytes"] if option.endswith("space") else []
        found = blocks("h.0001.heap", f"--{option}", *extra)
        for name in ("keep_small", "take_briefly", "keep_large"):
            keep(f"{option}_{name}", found.get(name, 0))


def sampled():
    def take(name, kept, *thread, every="524288", size="64"):
        setting = {"TCMALLOC_SAMPLE_PARAMETER": every} if every else {}
        told("./heap", str(kept), "s.heap", *thread, **setting)
        sizes = re.findall(r"^ +1: +(\d+) ", Path("s.heap").read_text(), re.MULTILINE)
        keep(f"{name}_small", sizes.count(size))
        keep(f"{name}_large", sizes.count(str(4 << 20)))

    take("off", 1_000_000, every=None)
    take("each", 300_000, every="1")
    take("each_thread", 300_000, "thread", every="1")
    for _ in range(11):
        take("main", 200_000)
        take("thread", 200_000, "thread")
        take("million", 1_000_000, "thread")
        keep("estimate", blocks("s.heap", "--inuse_objects").get("keep_small", 0))
        take("odd", 1_000_000, "thread", "odd", size="65")
        keep("odd_estimate", blocks("s.heap", "--inuse_objects").get("keep_odd", 0))
        take("first", 1_000_000)
        keep("first_estimate", blocks("s.heap", "--inuse_objects").get("keep_small", 0))


MODES = {f.__name__: f for f in (rate, threads, unwind, perl, go, nothing, heap, sampled)}
if len(sys.argv) != 2 or sys.argv[1] not in MODES:
    sys.exit(__doc__)
MODES[sys.argv[1]]()
print(json.dumps(out))
