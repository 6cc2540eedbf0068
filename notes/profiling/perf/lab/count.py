"""Samples and counts programs whose answers are known, and prints what perf says of each."""

import json
import re
import subprocess

RATE = 997
ROUNDS = 3
CALLS = 1200
out = {}


def keep(name, value):
    out.setdefault(name, []).append(round(value, 6))


def told(*call):
    """What a command prints; its messages are dropped."""
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode()


def record(options, *program):
    """The numbers that the recorded program printed."""
    printed = told("perf", "record", "-q", *options, "-o", "perf.data", "--", *program)
    return [float(number) for number in printed.split()]


def script(fields):
    """Lines of the samples with these fields."""
    lines = told("perf", "script", "-i", "perf.data", "-F", fields).splitlines()
    return [line.strip() for line in lines if line.strip()]


def rate():
    """Samples for each second of CPU time, and for each second of the clock, with pauses."""
    for frequency in (99, RATE, 4000):
        cpu, _ = record(["-e", "cpu-clock:u", "-F", str(frequency)], "./work", "calls", str(CALLS))
        keep(f"rate_{frequency}", len(script("ip")) / cpu)
    cpu, wall = record(["-e", "cpu-clock:u", "-F", str(RATE)], "./work", "naps", "400")
    samples = len(script("ip"))
    keep("naps_cpu", samples / cpu)
    keep("naps_wall", samples / wall)


def shares():
    """Samples in two functions and calls of them: by the clock and by a breakpoint."""
    record(["-e", "cpu-clock:u", "-F", str(RATE)], "./work", "calls", str(CALLS))
    names = [line.split()[-1] for line in script("ip,sym")]
    keep("share_samples", names.count("busy") / names.count("light"))
    symbols = {}
    for line in told("nm", "work").splitlines():
        fields = line.split()
        symbols[fields[-1]] = fields[0]
    events = [f"mem:0x{symbols[name]}:x:u" for name in ("busy", "light")]
    call = ["perf", "stat", "-x|", "--log-fd", "1", "-e", ",".join(events), "./work", "calls"]
    lines = [line for line in told(*call, str(CALLS)).splitlines() if "mem:" in line]
    for name, line in zip(("busy", "light"), lines, strict=True):
        keep(f"calls_{name}", int(line.split("|")[0]))


def children():
    """Stacks that have main, and samples in main itself."""
    options = ["-e", "cpu-clock:u", "-F", "199", "--call-graph", "dwarf"]
    record(options, "./work", "calls", str(CALLS))
    text = told("perf", "script", "-i", "perf.data", "-F", "ip,sym")
    stacks = [re.findall(r"^\s*[0-9a-f]+ (\S+)", part, re.MULTILINE) for part in text.split("\n\n")]
    stacks = [stack for stack in stacks if stack]
    keep("main_children", sum("main" in stack for stack in stacks) / len(stacks))
    keep("main_self", sum(stack[0] == "main" for stack in stacks) / len(stacks))


def skid():
    """Samples of the ring on the slow load, and on the instruction behind it."""
    lines = told("objdump", "-d", "--no-show-raw-insn", "--disassemble=chase", "work").splitlines()
    code = [line.split(":\t") for line in lines if ":\t" in line]
    at = next(i for i, line in enumerate(code) if re.match(r"mov +\(%(\w+)\),%\1", line[1]))
    load, behind = (int(code[i][0], 16) for i in (at, at + 1))
    record(["-e", "cpu-clock:u", "-F", str(RATE)], "./work", "chase", "4000000")
    found = [line.split() for line in script("ip,sym")]
    places = [int(ip, 16) for ip, name in found if name == "chase"]
    keep("on_load", places.count(load) / len(places))
    keep("behind_load", places.count(behind) / len(places))


def periods():
    """Samples of page faults: each one, one in a hundred, and 99 a second."""
    for name, how in (("each", ["-c", "1"]), ("hundred", ["-c", "100"]), ("rate", ["-F", "99"])):
        record(["-e", "page-faults:u", *how], "./events", "touch", "20000")
        taken = [int(line) for line in script("period")]
        keep(f"faults_{name}_samples", len(taken))
        keep(f"faults_{name}_sum", sum(taken))


def precise():
    """What perf recorded when asked for precise cycles without a counter."""
    record(["-e", "cycles:upp"], "true")
    keep("precise_is_clock", float("cpu-clock" in told("perf", "evlist", "-i", "perf.data")))


for _ in range(ROUNDS):
    rate()
    shares()
    children()
    skid()
    for _ in range(ROUNDS):
        periods()
precise()
print(json.dumps(out))
