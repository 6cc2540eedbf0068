"""Processes that share a GPU in three ways, each way a rule. A model: nothing is measured.

    python3 turns.py    a table, then the same as JSON

A process repeats one step: a kernel that needs one unit of time when it is alone and fills the share
`fills` of the multiprocessors, then work on the host of `gap` units on average. Left out: the cost of
a switch, caches, memory bandwidth and clocks.
"""

import json
from dataclasses import dataclass
from math import factorial, log
from random import Random

STEPS, WARM_UP, SLICE, TINY = 4000, 100, 0.1, 1e-9  # steps of each process; a time slice
FEW = 200  # steps of each process where nothing is random
RULES = ("turns", "together", "parts")
# name: (what it is, processes, share of the multiprocessors that a kernel fills, work on the host)
CASES = {
    "full_2": ("2, each fills the GPU", 2, 1, 0),
    "full_4": ("4, each fills the GPU", 4, 1, 0),
    "small_2": ("2, each fills a quarter", 2, 1 / 4, 0),
    "small_4": ("4, each fills a quarter", 4, 1 / 4, 0),
    "waits_2": ("2 fill it, half of the time on the host", 2, 1, 1),
    "waits_4": ("4 fill it, 3/4 of the time on the host", 4, 1, 3),
}


@dataclass
class Job:
    """One process: what is left of its kernel, when its host work ends, and its steps so far."""

    left: float
    ready: float
    steps: int = 0


def speeds(rule, active, fills, processes, owner):
    """How fast each active kernel proceeds; 1 is its speed alone on the GPU."""
    if rule == "turns":  # time slices: all multiprocessors belong to one process at a time
        return {job: float(job == owner) for job in active}
    if rule == "together":  # the kernels run at once and share what there is
        return {job: min(1, 1 / (fills * len(active))) for job in active}
    return {job: min(1, 1 / (fills * processes)) for job in active}  # parts: 1/n for each, used or not


def share(rule, processes, fills, gap):
    """Steps per unit of time of all processes, and the shares of time and multiprocessors in use."""
    random = Random(1)

    def host():
        return -gap * log(1 - random.random())

    jobs = [Job(1.0, host()) for _ in range(processes)]
    now = slice_end = since = in_use = filled = 0.0
    owner, steps, wanted = -1, 0, STEPS if gap else FEW
    while steps < (wanted + WARM_UP) * processes:
        active = [i for i, job in enumerate(jobs) if job.ready <= now]
        if active and (owner not in active or now + TINY > slice_end):
            owner = next((i for i in active if i > owner), active[0])
            slice_end = now + SLICE
        rate = speeds(rule, active, fills, processes, owner)
        events = [job.ready for job in jobs if job.ready > now]
        events += [now + jobs[i].left / rate[i] for i in active if rate[i]]
        if rule == "turns" and active:
            events.append(slice_end)
        step = min(events) - now
        in_use += step * any(rate.values())
        filled += step * min(1, sum(fills * each for each in rate.values()))
        now += step
        for i in active:
            jobs[i].left -= step * rate[i]
            if jobs[i].left < TINY:
                jobs[i].left, jobs[i].ready = 1.0, now + host()
                steps += 1
                if steps == WARM_UP * processes:
                    since, in_use, filled = now, 0.0, 0.0
    time = now - since
    return wanted * processes / time, in_use / time, filled / time


def in_theory(processes, gap):
    """Steps per unit of time if kernels share one server equally: the machine repairman's formula."""
    terms = [factorial(processes) / factorial(processes - k) / gap**k for k in range(processes + 1)]
    return 1 - 1 / sum(terms)


def main():
    result = {}
    print(f"{'steps per unit of time':<39} {'alone':>5} {'turns':>6} {'together':>9} {'parts':>6}")
    for name, (what, processes, fills, gap) in CASES.items():
        alone = 1 / (1 + gap)
        row = []
        for rule in RULES:
            total, in_use, filled = share(rule, processes, fills, gap)
            row.append(total)
            result[f"{name}_{rule}_gain"] = round(total / alone, 4)
            result[f"{name}_{rule}_slowdown"] = round(alone * processes / total, 4)
            result[f"{name}_{rule}_in_use"] = round(in_use, 4)
            result[f"{name}_{rule}_filled"] = round(filled, 4)
        print(f"{what:<39} {alone:5.2f} {row[0]:6.2f} {row[1]:9.2f} {row[2]:6.2f}")
        if gap:
            result[f"{name}_theory"] = round(in_theory(processes, gap) / alone, 4)
            result[f"{name}_no_collisions"] = round(min(1, processes * alone) / alone, 4)
    print(json.dumps(result))


main()
