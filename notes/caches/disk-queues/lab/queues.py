"""What the numbers of iostat and top say about a disk that answers each request after 50 ms.

    queues.py util       one, two and eight readers: requests, waiting, queue and %util
    queues.py iowait     the same with an idle CPU and a busy one, and waiting for a pipe
    queues.py limit      a control group's limit on requests: where the time is seen
    queues.py fio        what fio's iodepth does with four engines

Run each as root in a kernel of its own: bash own-kernel.sh python3 queues.py util
All but the last line are for the reader; the last line is JSON.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

from disk import GROUPS, PAGE, Counters, Numbers, buffer, device_numbers, load, must, prepare, run

SLOW, DEVICE, BLOCKS = "/dev/mapper/slow", "dm-0", 16384
SECONDS = 2.0


def slow_disk() -> None:
    """A layer over /dev/ubdb that holds each read for 50 ms, however many there are."""
    must("dmsetup create slow --table '0 131072 delay /dev/ubdb 0 50'")
    must("dmsetup mknodes")


def read_for(seconds: float, path: str = SLOW) -> int:
    """Read random blocks past the page cache, one after the other; returns how many."""
    memory, fd = buffer(), os.open(path, os.O_RDONLY | os.O_DIRECT)
    end, n = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        os.preadv(fd, [memory], random.randrange(BLOCKS) * PAGE)
        n += 1
    os.close(fd)
    return n


def crowd(readers: int) -> None:
    """Let so many threads read at once."""
    threads = [Thread(target=read_for, args=(SECONDS,)) for _ in range(readers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def as_iostat(got: dict[str, int], seconds: float) -> dict[str, float]:
    """Columns of `iostat -x`, by its formulas."""
    return {
        "rs": got["reads"] / seconds,
        "await": got["read_ms"] / max(1, got["reads"]),
        "queue": got["queue_ms"] / seconds / 1000,
        "util": min(100.0, got["busy_ms"] / seconds / 10),
    }


def util() -> Numbers:
    """More readers at once, on a disk that serves them side by side."""
    numbers: Numbers = {}
    print("readers      r/s  r_await   aqu-sz    %util   r/s x r_await")
    for readers in (1, 2, 8):
        counters, begin = Counters(DEVICE), time.monotonic()
        crowd(readers)
        got = as_iostat(counters.since(), time.monotonic() - begin)
        little = got["rs"] * got["await"] / 1000
        print(f"{readers:>7}{got['rs']:>9.0f}{got['await']:>9.1f}{got['queue']:>9.2f}"
              f"{got['util']:>9.1f}{little:>16.2f}", flush=True)  # fmt: skip
        numbers |= {f"{key}_{readers}": round(value, 3) for key, value in got.items()}
        numbers[f"little_{readers}"] = round(little, 3)
    return numbers


def cpu_times() -> list[int]:
    """The first line of /proc/stat, in ticks: the fifth number is iowait."""
    return [int(word) for word in Path("/proc/stat").read_text().split("\n")[0].split()[1:]]


def iowait() -> Numbers:
    """Who makes iowait, and who hides it."""
    numbers: Numbers = {}
    print(f"{'':<42}{'iowait, %':>10}{'reads':>8}")
    for key, shown in (
        ("idle", "one reader"),
        ("busy", "one reader, and a loop that computes"),
        ("ring", "io_uring waits for a pipe, nobody reads"),
        ("pipe", "read(2) waits for a pipe, nobody reads"),
    ):
        other = None
        if key == "busy":
            other = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        elif key in ("ring", "pipe"):
            command = ["./ring", "wait"] if key == "ring" else ["cat"]
            other = subprocess.Popen(command, stdin=subprocess.PIPE)
        time.sleep(0.5)
        counters, before = Counters(DEVICE), cpu_times()
        if key in ("idle", "busy"):
            read_for(SECONDS)
        else:
            time.sleep(SECONDS)
        gained = [b - a for a, b in zip(before, cpu_times(), strict=True)]
        share = 100 * gained[4] / sum(gained)
        reads = counters.since()["reads"]
        print(f"{shown:<42}{share:>10.0f}{reads:>8}", flush=True)
        numbers |= {f"{key}_iowait": round(share, 1), f"{key}_reads": reads}
        if other:
            other.kill()
            other.wait()
    return numbers


def limit() -> Numbers:
    """Reads of /dev/ubdb itself, which is quick, in a group that may do 25 of them a second."""
    numbers: Numbers = {}
    must(f"echo +io > {GROUPS}/cgroup.subtree_control; mkdir {GROUPS}/slow")
    print("limit of the group        r/s  r_await   aqu-sz    %util")
    for key, shown, value in (("free", "none", "max"), ("held", "riops=25", "25")):
        (GROUPS / "slow/io.max").write_text(f"{device_numbers('/dev/ubdb')} riops={value}")
        (GROUPS / "slow/cgroup.procs").write_text(str(os.getpid()))
        counters, begin = Counters("ubdb"), time.monotonic()
        read_for(SECONDS, "/dev/ubdb")
        got = as_iostat(counters.since(), time.monotonic() - begin)
        print(f"{shown:<20}{got['rs']:>9.0f}{got['await']:>9.1f}{got['queue']:>9.2f}"
              f"{got['util']:>9.1f}", flush=True)  # fmt: skip
        numbers |= {f"{key}_{name}": round(number, 3) for name, number in got.items()}
    return numbers


ENGINES = (  # key, options
    ("psync", "--ioengine=psync --direct=1"),
    ("buffered", "--ioengine=libaio --direct=0"),
    ("libaio", "--ioengine=libaio --direct=1"),
    ("uring", "--ioengine=io_uring --direct=1"),
)


def fio() -> Numbers:
    """Sixteen requests at once, says the option: how many reads are done in two seconds."""
    numbers: Numbers = {}
    print(f"{'--iodepth=16 and':<31}{'reads':>6}{'warned':>8}{'IO depths: 16, %':>18}")
    for key, options in ENGINES:
        must("echo 3 > /proc/sys/vm/drop_caches")
        counters = Counters(DEVICE)
        done = subprocess.run(
            f"fio --name=t --filename={SLOW} --rw=randread --bs=4k --iodepth=16 {options}"
            f" --thread --time_based --runtime={SECONDS:.0f} --invalidate=0",
            shell=True, capture_output=True, text=True, check=False,
        )  # fmt: skip
        got = counters.since()
        warned = int("queue depth will be capped" in done.stdout + done.stderr)
        deep = float(re.findall(r"IO depths.* 16=([\d.]+)%", done.stdout)[0])
        print(f"{options:<31}{got['reads']:>6}{warned:>8}{deep:>18.0f}", flush=True)
        numbers |= {f"{key}_reads": got["reads"], f"{key}_warned": warned, f"{key}_deep": deep}
        if done.returncode:
            print(done.stderr)
    return numbers


if __name__ == "__main__":
    prepare()
    load("drivers/md/dm-mod", "drivers/md/dm-delay")
    slow_disk()
    run({"util": util, "iowait": iowait, "limit": limit, "fio": fio})
