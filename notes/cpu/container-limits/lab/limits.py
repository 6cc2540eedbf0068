"""What a CPU limit does: each experiment counts periods, throttled periods and waiting.

    limits.py steady     one busy process, by quota
    limits.py request    a request of 50 ms under a limit of 0.3 CPUs, by where it begins
    limits.py weights    two busy groups, by weight, and alone
    limits.py parent     the limit stands on the group above
    limits.py unseen     what the machine's own figures say of a throttled process

Run each as root in a kernel of its own: bash own-kernel.sh python3 limits.py steady
All but the last line are for the reader; the last line is JSON.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from groups import PERIOD, Group, burn, spin, stop, wait_for_phase
from model import simulate

Numbers = dict[str, float]
SECONDS = 3


def busy(group: Group, processes: int, seconds: float = SECONDS) -> dict[str, int]:
    """What cpu.stat counts while so many processes are busy."""
    pids = [group.start(spin) for _ in range(processes)]
    time.sleep(0.5)
    wait_for_phase(50)
    before = group.stat()
    time.sleep(seconds)
    counted = group.since(before)
    stop(pids)
    return counted


def steady() -> Numbers:
    numbers: Numbers = {}
    print(f"{'cpu.max':<14}{'nr_periods':>10}{'nr_throttled':>14}{'used':>8}{'waits':>9}")
    for quota in (20, 50, 80, 0):
        group = Group(f"q{quota}")
        if quota:
            group.limit(quota)
        counted = busy(group, 1)
        share = counted["usage_usec"] / SECONDS / 1e6
        periods = max(counted["nr_periods"], 1)
        waits = counted["throttled_usec"] / 1000 / periods
        numbers |= {f"periods_{quota}": counted["nr_periods"], f"share_{quota}": share,
                    f"throttled_{quota}": counted["nr_throttled"], f"waits_{quota}": waits}  # fmt: skip
        print(f"{(group.path / 'cpu.max').read_text().strip():<14}{counted['nr_periods']:>10}"
              f"{counted['nr_throttled']:>14}{share:>8.0%}{waits:>6.0f} ms")  # fmt: skip
    return numbers


def requests(group: Group, work: int, step: int) -> list[int]:
    """How many ms each request takes, one in a second, that begins at another point of a period.

    Of two that begin at the same point the shorter one: a busy machine makes requests longer.
    """

    def each() -> list[int]:
        took = []
        for phase in range(5, PERIOD, step):
            twice = []
            for _ in range(2):
                wait_for_phase(phase, 5 * PERIOD)
                start = time.monotonic()
                burn(work)
                twice.append(round((time.monotonic() - start) * 1000))
            took.append(min(twice))
        return took

    return group.call(each)


def request() -> Numbers:
    numbers: Numbers = {}
    work, quota = 50, 30
    group = Group("service")
    for key, shown in (("free", ""), ("limited", ""), ("burst", ", cpu.max.burst 30000")):
        if key != "free":
            group.limit(quota)
        if key == "burst":
            group.set("cpu.max.burst", quota * 1000)
        before, start = group.stat(), time.monotonic()
        took = sorted(requests(group, work, 10))
        counted = group.since(before)
        share = counted["usage_usec"] / 1e6 / (time.monotonic() - start)
        print(f"cpu.max {(group.path / 'cpu.max').read_text().strip()}{shown}: used {share:.0%} of a CPU\n"
              f"  ms from start to end  {' '.join(map(str, took))}\n"
              f"  nr_periods {counted['nr_periods']}, nr_throttled {counted['nr_throttled']}, "
              f"nr_bursts {counted['nr_bursts']}")  # fmt: skip
        numbers |= {f"{key}_longest": took[-1], f"{key}_median": sum(took[4:6]) / 2, f"{key}_share": share,
                    f"{key}_throttled": counted["nr_throttled"], f"{key}_periods": counted["nr_periods"],
                    f"{key}_bursts": counted["nr_bursts"]}  # fmt: skip
    says = max(simulate(1, 1, work, quota, PERIOD, begin)[0] for begin in range(PERIOD))
    print(f"the longest in the model, for any beginning and this limit: {says:.0f} ms")
    return numbers | {"model_longest": says}


def weights() -> Numbers:
    numbers: Numbers = {}
    small, large = Group("small"), Group("large")
    small.set("cpu.weight", 100)
    large.set("cpu.weight", 300)
    pids = [small.start(spin), large.start(spin)]
    time.sleep(0.5)
    before = small.stat(), large.stat()
    time.sleep(SECONDS)
    used = small.since(before[0])["usage_usec"], large.since(before[1])["usage_usec"]
    stop(pids)
    numbers["both"] = used[0] / sum(used)
    alone = busy(small, 1)
    numbers["alone"] = alone["usage_usec"] / SECONDS / 1e6
    numbers["throttled"] = alone["nr_throttled"]
    print(f"weights 100 and 300, both busy: the first gets {numbers['both']:.0%} of the CPU")
    print(f"weight 100, alone: {numbers['alone']:.0%} of the CPU, nr_throttled {alone['nr_throttled']}")
    return numbers


def parent() -> Numbers:
    """A pod's group with a limit, and in it a container's group without one."""
    pod = Group("pod")
    pod.limit(20)
    container = Group("container", under=pod)
    counted = busy(container, 1)
    above = pod.stat()
    print(f"pod/cpu.max                {(pod.path / 'cpu.max').read_text().strip()}")
    print(f"pod/container/cpu.max      {(container.path / 'cpu.max').read_text().strip()}")
    print(f"the container used         {counted['usage_usec'] / SECONDS / 1e6:.0%} of a CPU")
    print(f"pod/container/cpu.stat     nr_throttled {counted['nr_throttled']}")
    print(f"pod/cpu.stat               nr_throttled {above['nr_throttled']}")
    look = "umount /sys/fs/cgroup; mount -t cgroup2 cgroup /sys/fs/cgroup; grep . /proc/self/cgroup " \
           "/sys/fs/cgroup/cpu.max"  # fmt: skip
    print("in the container, which has a cgroup namespace:", flush=True)
    container.call(lambda: [os.system(f"unshare -Cm sh -c '{look}'")])
    return {"inside": counted["nr_throttled"], "above": above["nr_throttled"],
            "share": counted["usage_usec"] / SECONDS / 1e6}  # fmt: skip


def ticks() -> dict[str, int]:
    words = Path("/proc/stat").read_text().split("\n")[0].split()
    return dict(zip(("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"),
                    map(int, words[1:9])))  # fmt: skip


def unseen() -> Numbers:
    """Ten busy processes, then the same ten with a limit of 0.1 CPUs."""
    numbers: Numbers = {}
    print(f"{'':<20}{'idle':>6}{'steal':>7}{'runnable':>10}{'state R':>9}{'waiting':>10}")
    for key, quota in (("free", 0), ("limited", 10)):
        group = Group(key)
        if quota:
            group.limit(quota)
        pids = [group.start(spin) for _ in range(10)]
        time.sleep(0.5)
        before, delays, throttled = ticks(), delay(pids), group.stat()
        time.sleep(SECONDS)  # looking takes CPU time, so nobody looks meanwhile
        spent = {name: count - before[name] for name, count in ticks().items()}
        waited = delay(pids) - delays
        counted = group.since(throttled)
        runnable, running, samples = 0, 0, 40
        for _ in range(samples):
            runnable += int(Path("/proc/loadavg").read_text().split()[3].split("/")[0]) - 1
            running += sum(state(pid) == "R" for pid in pids)
            time.sleep(0.037)
        stop(pids)
        idle = spent["idle"] / sum(spent.values())
        numbers |= {f"{key}_idle": idle, f"{key}_steal": spent["steal"],
                    f"{key}_runnable": runnable / samples, f"{key}_running": running / samples,
                    f"{key}_waited": waited / SECONDS / 1e9,
                    f"{key}_throttled": counted["nr_throttled"]}  # fmt: skip
        print(f"{'cpu.max 10000 100000' if quota else 'no limit':<20}{idle:>6.0%}{spent['steal']:>7}"
              f"{runnable / samples:>10.1f}{running / samples:>9.1f}{waited / SECONDS / 1e9:>6.1f} s/s")  # fmt: skip
    return numbers


def state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def delay(pids: list[int]) -> int:
    """Nanoseconds for which the processes were ready to run and did not."""
    return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) for pid in pids)


def main() -> None:
    experiments = {f.__name__: f for f in (steady, request, weights, parent, unseen)}
    print(json.dumps(experiments[sys.argv[1]]()))


if __name__ == "__main__":
    main()
