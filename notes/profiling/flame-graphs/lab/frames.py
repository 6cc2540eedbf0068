"""Samples programs with perf and counts the samples whose stack has a function."""

import json
import os
import subprocess
import sys

FREQUENCY = 997
ROUNDS = 2
TURNS = 5


def record(command, graph="fp", frequency=FREQUENCY):
    call = ["perf", "record", "-q", "-e", "cpu-clock:u", "-F", str(frequency)]
    call += ["--call-graph", graph, "-o", "perf.data", "--", *command]
    subprocess.run(call, check=True)


def stacks(*options):
    """The stack of each sample, from the sampled function to its callers."""
    call = ["perf", "script", "-i", "perf.data", "-F", "ip,sym", *options]
    text = subprocess.run(call, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    found = [[]]
    for line in text.decode().splitlines():
        if line.strip():
            found[-1].append(line.split(None, 1)[-1].strip().removesuffix(" (inlined)"))
        elif found[-1]:
            found.append([])
    return [stack for stack in found if stack]


def share(samples, name):
    """The share of the samples that have the function, in per cent."""
    return 100 * sum(name in stack for stack in samples) / len(samples)


def median(numbers):
    return sorted(numbers)[len(numbers) // 2]


class Kept(dict):
    """The shares of all rounds by name, rounded to two decimals."""

    def keep(self, name, value):
        self.setdefault(name, []).append(round(value, 2))


def callers(out):
    """A chain of small functions, in programs built in five ways."""
    for build in ("without", "with"):
        record([f"./{build}", "chain"])
        samples = stacks()
        out.keep(f"{build}_fp_walk", share(samples, "walk"))
        out.keep(f"{build}_fp_visit", share(samples, "visit"))
        out.keep(f"{build}_fp_size", os.path.getsize("perf.data") / len(samples))
    record(["./leaves", "chain"])
    out.keep("leaves_fp_visit", share(stacks(), "visit"))
    record(["./stripped", "chain"])
    samples = stacks()
    out.keep("stripped_walk", share(samples, "walk"))
    out.keep("stripped_deep", 100 * sum(len(s) >= 5 for s in samples) / len(samples))
    record(["./without", "chain"], "dwarf")
    samples = stacks()
    out.keep("dwarf_walk", share(samples, "walk"))
    out.keep("dwarf_visit", share(samples, "visit"))
    out.keep("dwarf_mix", share(samples, "mix"))
    out.keep("dwarf_size", os.path.getsize("perf.data") / len(samples))
    record(["./nodebug", "chain"], "dwarf")
    out.keep("nodebug_mix", share(stacks(), "mix"))


def library(out):
    """Functions of the C library: one that calls nothing, and one that calls back."""
    record(["./with", "strlen"])
    samples = stacks()
    out.keep("strlen_fp_measure", share(samples, "measure"))
    out.keep("strlen_fp_scan", share(samples, "scan"))
    record(["./with", "strlen"], "dwarf")
    out.keep("strlen_dwarf_measure", share(stacks(), "measure"))
    record(["./with", "sort"])
    out.keep("sort_fp", share(stacks(), "sort_all"))
    record(["./with", "sort"], "dwarf")
    out.keep("sort_dwarf", share(stacks("--no-inline"), "sort_all"))


def depth(out):
    """Recursions deeper than a copy of the stack, and than the kernel's list of frames."""
    for name, graph in (("deep_small", "dwarf"), ("deep_large", "dwarf,65528")):
        record(["./without", "deep"], graph)
        samples = stacks("--no-inline")
        out.keep(f"{name}_main", share(samples, "main"))
        out.keep(f"{name}_size", os.path.getsize("perf.data") / len(samples))
        out.keep(f"{name}_frames", median([len(s) for s in samples]))
    record(["./with", "deeper"])
    out.keep("deeper_frames", median([len(s) for s in stacks()]))


def hidden(out):
    """A program that sleeps half of the time, and code that was made at run time."""
    record(["./without", "wait"], "dwarf")
    samples = stacks("--no-inline")
    out.keep("wait_waiting", share(samples, "wait_for_it"))
    out.keep("wait_computing", share(samples, "compute_it"))
    record(["./jit", "map"])
    out.keep("jit_map", share(stacks(), "made_at_run_time"))
    record(["./jit"])
    out.keep("jit_none", share(stacks(), "made_at_run_time"))


def turns(out):
    """Two equal halves that take turns, sampled in step with them and not in step."""
    for name, frequency in (("lockstep", 100), ("off_beat", 99)):
        record(["./with", "turns"], frequency=frequency)
        samples = stacks()
        first, other = share(samples, "first_half"), share(samples, "other_half")
        out.keep(name, max(first, other) / (first + other) * 100)


def main():
    out = Kept()
    for _ in range(ROUNDS):
        callers(out)
        library(out)
        depth(out)
        hidden(out)
    for _ in range(TURNS):
        turns(out)
    json.dump(out, sys.stdout)


main()
