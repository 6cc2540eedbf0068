"""What happens at a limit, and whom the OOM killer takes."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path

from groups import (
    DISK,
    MIB,
    SHM,
    Group,
    Numbers,
    eaten,
    end,
    forget,
    of,
    prepare,
    ready,
    run,
)

LOGS: list[str] = []  # lines of the kernel that say which limit it was


def limit() -> Numbers:
    """Four times as much as memory.max allows, of each kind."""
    numbers: Numbers = {}
    eaten(f"write:{DISK}/data:32")
    forget()
    print(f"{'memory.max is 8 MiB':<36}{'$?':>4}{'max':>6}{'oom':>5}{'oom_kill':>10}", flush=True)
    groups = {}
    for key, what, action in (
        ("read", "a file of 32 MiB is read", f"read:{DISK}/data"),
        ("write", "a file of 32 MiB is written", f"write:{DISK}/new:32"),
        ("anon", "32 MiB of memory are written", "anon:32"),
        ("shm", "32 MiB are written into a tmpfs", f"write:{SHM}/data:32"),
    ):
        groups[key] = group = Group(key, max=8 * MIB)
        row(numbers, key, what, eaten(action, group=group), group)
        if key == "anon":
            numbers["available"] = round(of("/proc/meminfo", "MemAvailable") / 1024)
    group = Group("next", max=8 * MIB)
    eaten(f"write:{SHM}/more:7", group=group)
    what = "then 2 MiB, after 7 in a tmpfs"
    row(numbers, "next", what, eaten("anon:2", group=group), group)
    run(f"rm {SHM}/*")
    row(numbers, "removed", "the same, once its file is removed", eaten("anon:2", group=group), group)
    print("MemAvailable of the machine after a kill, MiB", numbers["available"], flush=True)
    return numbers | again()


def row(numbers: Numbers, key: str, what: str, status: int, group: Group) -> None:
    counts = {name: group.events(name) for name in ("max", "oom", "oom_kill")}
    print(
        f"{what:<36}{status:>4}{'>0' if counts['max'] else 0:>6}{counts['oom']:>5}"
        f"{counts['oom_kill']:>10}",
        flush=True,
    )
    numbers[f"{key}_status"] = status
    numbers |= {f"{key}_{name}": count for name, count in counts.items()}


def again() -> Numbers:
    """A file of 16 MiB, read ten times: what comes from the disk."""
    numbers: Numbers = {}
    run(f"rm {DISK}/*")
    eaten(f"write:{DISK}/data:16")
    what = "a file of 16 MiB, read ten times"
    print(f"{what:<36}{'MiB from disk':>13}{'refaults':>10}", flush=True)
    for key, mib in (("fits", 32), ("tight", 8)):
        forget()
        group = Group(key, max=mib * MIB)
        before = of("/proc/vmstat", "pgpgin")
        eaten(*[f"read:{DISK}/data"] * 10, group=group)
        numbers[key] = round((of("/proc/vmstat", "pgpgin") - before) / 1024)
        numbers[f"{key}_refaults"] = group.stat("workingset_refault_file")
        what = f"memory.max {mib} MiB"
        print(f"{what:<36}{numbers[key]:>13}{numbers[f'{key}_refaults']:>10}", flush=True)
    return numbers


def who() -> Numbers:
    """16 MiB and 8 MiB wait; a third process asks for 12 MiB in a group of 32 MiB."""
    numbers: Numbers = {}
    print(f"{'killed':<38}{'16 MiB':>7}{'8 MiB':>6}{'asks 12':>9}", flush=True)
    for key, what, together, adjust in (
        ("plain", "no adjustment", 0, (0, 0)),
        ("spared", "oom_score_adj -1000 of the largest", 0, (-1000, 0)),
        ("volunteer", "oom_score_adj 500 of the second", 0, (0, 500)),
        ("together", "memory.oom.group=1", 1, (0, 0)),
        ("guarded", "memory.oom.group=1, -1000 as above", 1, (-1000, 0)),
    ):
        group = Group(key, max=32 * MIB, oom_group=together)
        waiting = []
        for mib, value in zip((16, 8), adjust, strict=True):
            waiting.append(group.eat(f"anon:{mib}", "say", "wait", adjust=value))
            ready(waiting[-1])
        scores = [int(Path(f"/proc/{p.pid}/oom_score").read_text()) for p in waiting]
        asks = group.eat("anon:12", "say", "wait")
        ready(asks)
        time.sleep(0.2)
        ends = [int(end(p) == 137) for p in (*waiting, asks)]
        numbers |= {f"{key}_{n}": e for n, e in zip(("large", "small", "asks"), ends, strict=True)}
        numbers |= {f"{key}_{n}_score": s for n, s in zip(("large", "small"), scores, strict=True)}
        print(f"{what:<38}{ends[0]:>7}{ends[1]:>6}{ends[2]:>9}", flush=True)
    scores = [numbers[f"{n}_score"] for n in ("plain_large", "plain_small", "volunteer_small")]
    print("oom_score: {}, {}, with 500: {}".format(*scores), flush=True)
    return numbers


def traces() -> Numbers:
    """What each kind of death leaves in the group of the dead process, and in the kernel's log."""
    numbers: Numbers = {}
    print(f"{'death by':<37}{'$?':>4}{'oom':>5}{'oom_kill':>10}{'log':>5}", flush=True)
    inner = Group("own", max=8 * MIB)
    report(numbers, "own", "the group's own limit", inner, [inner.eat("anon:32", "say")])
    outer = Group("outer", max=8 * MIB)
    outer.set("cgroup.subtree_control", "+memory")
    inner = Group("outer/inner")
    report(numbers, "outer", "the limit of a group above it", inner, [inner.eat("anon:32", "say")])
    numbers["outer_parent_oom"] = outer.events("oom")
    machine = Group("machine")
    three = [machine.eat("map:100", "again:1", "say", "wait") for _ in range(3)]
    report(numbers, "machine", "the machine is full, three of 100 MiB", machine, three)
    killed = Group("killed")
    process = killed.eat("say", "wait")
    ready(process)
    process.kill()
    report(numbers, "killed", "kill -9", killed, [process])
    for which, log in zip(("second", "third"), LOGS, strict=False):
        constraint, where = re.findall(r"constraint=(\w+).*null.,(.*),task=", log)[0]
        print(f"log of the {which}: {constraint},", f"    {where}", sep="\n", flush=True)
    return numbers


def report(numbers: Numbers, key: str, what: str, group: Group, processes: list) -> None:
    for process in processes:
        ready(process)
    ends = [end(process) for process in processes]
    status = 137 if 137 in ends else ends[0]
    lines = [x.split("] ", 1)[-1] for x in run("dmesg -c").splitlines()]
    log = [x for x in lines if "Killed" in x]
    LOGS.extend(x for x in lines if x.startswith("oom-kill:") and key in ("outer", "machine"))
    oom, kills = group.events("oom"), group.events("oom_kill")
    print(f"{what:<37}{status:>4}{oom:>5}{kills:>10}{len(log):>5}", flush=True)
    numbers[f"{key}_status"], numbers[f"{key}_log"] = status, len(log)
    numbers[f"{key}_oom"], numbers[f"{key}_oom_kill"] = oom, kills


def throttle() -> Numbers:
    """A program writes 32 MiB, under memory.high and under memory.max."""
    numbers: Numbers = {}
    print(f"{'32 MiB are to be written':<28}{'MiB':>5}{'high':>6}{'oom_kill':>10}  state", flush=True)
    for key, what, limits in (
        ("none", "no limit", {}),
        ("high", "memory.high 8 MiB, after 6 s", {"high": 8 * MIB}),
        ("max", "memory.max 8 MiB", {"max": 8 * MIB}),
    ):
        group = Group(key, **limits)
        process = group.eat("anon:32", "say", "wait")
        states: list[str] = []
        if key == "high":
            began = time.time()
            while time.time() < began + 6:
                time.sleep(0.1)
                states.append(state(process.pid))
        else:
            ready(process)
            time.sleep(0.1)
            states.append(state(process.pid))
        common = max(states, key=states.count)
        numbers[f"{key}_mib"], numbers[f"{key}_events"] = round(group.mib()), group.events("high")
        numbers[f"{key}_kills"], numbers[f"{key}_waits"] = group.events("oom_kill"), common == "D"
        end(process)
        print(
            f"{what:<28}{numbers[f'{key}_mib']:>5}{'>0' if numbers[f'{key}_events'] else 0:>6}"
            f"{numbers[f'{key}_kills']:>10}  {'killed' if common == 'Z' else common}",
            flush=True,
        )
    return {key: int(value) for key, value in numbers.items()}


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().split()[2]


if __name__ == "__main__":
    prepare()
    print(json.dumps(globals()[sys.argv[1]]()))
