"""A CPU quota of cgroup v2, seen from inside and from outside. Runs as root in a kernel of its own.

A process computes for 50 ms of CPU time every 400 ms, which is 12.5 % of a CPU. Its group may use
20 % of one, or 60 %: 20 or 60 ms in each period of 100 ms. Another computes without a pause.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

GROUPS = pathlib.Path("groups")
BURST, EVERY, BURSTS = 0.050, 0.400, 10  # seconds, seconds, number


def work(kind: str, group: str) -> None:
    """What the process in the group does; prints how long a burst took, the median."""
    pathlib.Path(group, "cgroup.procs").write_text(str(os.getpid()))
    print("begin", flush=True)
    took = []
    for _ in range(BURSTS):
        start, end = time.monotonic(), time.thread_time() + BURST
        while time.thread_time() < end:
            pass
        took.append(time.monotonic() - start)
        if kind == "bursts":
            time.sleep(max(0, EVERY - (time.monotonic() - start)))
    print(statistics.median(took), flush=True)
    sys.stdin.readline()  # stay until somebody has looked


def schedstat(process: pathlib.Path) -> tuple[float, float]:
    """Seconds on a CPU, and seconds ready for one."""
    ran, ready, _ = (int(n) / 1e9 for n in (process / "schedstat").read_text().split())
    return ran, ready


def in_group(kind: str, quota: int) -> dict[str, float]:
    """Runs the work in a group of its own; what the group and the process say about it."""
    group = GROUPS / f"{kind}-{quota}"
    group.mkdir()
    (group / "cpu.max").write_text(f"{1000 * quota} 100000")
    command = [sys.executable, __file__, kind, str(group)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as program:
        process = pathlib.Path("/proc", str(program.pid))
        program.stdout.readline()
        start, before = time.monotonic(), schedstat(process)
        looks = []
        for _ in range(30):
            state = (process / "stat").read_text().rpartition(")")[2].split()[0]
            looks.append((state, (process / "wchan").read_text()))
            time.sleep(0.011)
        burst = float(program.stdout.readline())
        wall, after = time.monotonic() - start, schedstat(process)
        lines = (group / "cpu.stat").read_text().splitlines()
        program.stdin.close()
    stat = {name: int(value) for name, value in (line.split() for line in lines)}
    return {
        "periods": stat["nr_periods"],
        "throttled": stat["nr_throttled"],
        "used": stat["usage_usec"] / 1e6 / wall / (quota / 100),
        "ran": (after[0] - before[0]) / wall,
        "ready": (after[1] - before[1]) / wall,
        "in_r": looks.count(("R", "0")) / len(looks),
        "burst": burst,
    }


def main() -> None:
    """Mounts the groups, measures three cases and prints them."""
    GROUPS.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "cgroup2", "none", str(GROUPS)], check=True)
    (GROUPS / "cgroup.subtree_control").write_text("+cpu")
    quantities = {}
    row = "{:<8}{:>14}{:>14}{:>12}{:>7}{:>7}{:>10}"
    print(row.format("", "quota", "used of it", "throttled", "ran", "ready", "a burst"))
    for kind, quota in (("bursts", 60), ("bursts", 20), ("busy", 20)):
        q = in_group(kind, quota)
        shares = [f"{100 * q[name]:.0f} %" for name in ("used", "ran", "ready")]
        took = f"{1000 * q['burst']:.0f} ms"
        quota_ms, times = f"{quota} of 100 ms", f"{q['throttled']}×"
        print(row.format(kind, quota_ms, shares[0], times, *shares[1:], took))
        quantities |= {f"{kind}_{quota}_{name}": value for name, value in q.items()}
    subprocess.run(["umount", str(GROUPS)], check=True)
    print(json.dumps(quantities))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        work(sys.argv[1], sys.argv[2])
    else:
        main()
