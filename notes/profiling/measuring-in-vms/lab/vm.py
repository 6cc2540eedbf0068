"""What a virtual machine tells, and what its host can make it tell. One boot for each word:

    python3 vm.py clocks     which clock sources answer without a system call
    python3 vm.py shape      one host, two guests: what `lscpu` and others print in each
    python3 vm.py taken      two seconds are taken from a guest, in two ways

A line of JSON at the end has the counts.
"""

from __future__ import annotations

import json
import re
import signal
import sys
import time

from guest import Guest

QUESTIONS = 1000
SECONDS = 2  # that the host takes
TICKS = 100  # of /proc/stat in a second
# A processor whose time stamp counter runs evenly, and a kernel that is told to rely on it: QEMU without KVM
# is too slow for the kernel's own comparison of clocks.
STEADY, RELY = "-cpu max,+invtsc", "tsc=reliable"
DRESSED = ("-cpu 'Skylake-Server,model-id=Whatever you like @ 9.00GHz,-avx2,-hypervisor' -m 512M "
           "-smp 16,sockets=2,cores=4,threads=2 -object memory-backend-ram,id=a,size=256M -numa node,cpus=0-7,memdev=a "
           "-object memory-backend-ram,id=b,size=256M -numa node,cpus=8-15,memdev=b")


def clocks() -> dict[str, int]:
    """Changes the guest's clock source and counts the system calls of the same program each time."""
    script = f"""
        cd /sys/devices/system/clocksource/clocksource0
        for source in $(cat available_clocksource); do
            echo $source > current_clocksource
            echo "$(cat current_clocksource) $(strace -e trace=clock_gettime ask {QUESTIONS} 2>&1 | grep -c clock_gettime)"
        done"""
    with Guest(script, ["strace", "./ask"], f"{STEADY} -smp 1", RELY) as guest:
        lines = [line.split() for line in guest.text().splitlines()]
    calls = {source: int(count) for source, count in lines}
    print(f"{'clock source':14}system calls for {QUESTIONS} questions")
    for source, count in calls.items():
        print(f"{source:14}{count}")
    return calls


def shape() -> dict[str, int]:
    """Boots a plain guest and one with invented hardware, and prints what programs say in both, side by side."""
    script = """
        lscpu > /tmp/lscpu
        for line in "Model name" "CPU(s)" "Thread(s) per core" "Socket(s)" "NUMA node(s)" "L2 cache" "L3 cache"; do
            echo "lscpu, $line|$(awk -F': *' -v line="$line" '$1 == line { print $2 }' /tmp/lscpu)"
        done
        echo "nproc|$(nproc)"
        echo "CPUID|$(who)"
        echo "systemd-detect-virt --vm|$(systemd-detect-virt --vm)"
        echo "found in|$(SYSTEMD_LOG_LEVEL=debug systemd-detect-virt --vm 2>&1 | sed -n 's/.* found in \\([A-Z]*\\) .*/\\1/p' | head -n 1)"
        echo "avx2 in /proc/cpuinfo|$(grep -c -w avx2 /proc/cpuinfo) CPUs"
        echo "a program with AVX2|$(sh -c "avx; true" 2>&1)"
        counters | sed -n 's/^hardware/events that open|hardware/p'"""
    tools = ["lscpu", "nproc", "systemd-detect-virt", "./who", "./avx", "./counters"]
    columns = []
    for options in ("-cpu max -smp 2", DRESSED):
        with Guest(script, tools, options) as guest:
            columns.append(dict(line.split("|") for line in guest.text().splitlines()))
    plain, dressed = columns
    for name in plain:
        print(f"{name:26}{plain[name] or '-':38}{dressed[name] or '-'}")

    def number(column: dict[str, str], name: str) -> int:
        return int(re.findall(r"\d+", column[name])[0])

    found = {}
    for guest, column in (("plain", plain), ("dressed", dressed)):
        found |= {
            f"{guest}_cpus": number(column, "lscpu, CPU(s)"), f"{guest}_threads": number(column, "lscpu, Thread(s) per core"),
            f"{guest}_sockets": number(column, "lscpu, Socket(s)"), f"{guest}_nodes": number(column, "lscpu, NUMA node(s)"),
            f"{guest}_bit": number(column, "CPUID"), f"{guest}_qemu": int(column["systemd-detect-virt --vm"] == "qemu"),
            f"{guest}_avx": int("works" in column["a program with AVX2"]),
            f"{guest}_hardware": number(column, "events that open"),
        }
    return found


def taken() -> dict[str, float]:
    """Stops QEMU's process for two seconds, then pauses the machine for two seconds, while a guest's loop runs."""
    report = re.compile(r"wall ([\d.]+) s, CPU time ([\d.]+) s, steal (\d+) ticks, longest gap ([\d.]+) s, .* (-?[\d.]+) s ahead")
    found = {}
    with Guest("for turn in 1 2 3; do gap 4; done", ["./gap"], f"{STEADY} -smp 1", RELY) as guest:
        for turn, name in enumerate(("left alone", "process stopped", "machine paused"), start=1):
            wait_for_count(guest, "begun\n", turn)
            time.sleep(1)
            if name == "process stopped":
                guest.process.send_signal(signal.SIGSTOP)
                time.sleep(SECONDS)
                guest.process.send_signal(signal.SIGCONT)
            elif name == "machine paused":
                guest.order("stop")
                time.sleep(SECONDS)
                guest.order("cont")
            wait_for_count(guest, "ahead\n", turn)
            line = guest.printed().splitlines()[2 * turn - 1]
            print(f"{name}:\n  {line}")
            wall, cpu, ticks, gap, ahead = map(float, report.search(line).groups())
            key = name.split()[-1]
            charged = max(cpu - (wall - gap), 0)  # CPU time that the loop was charged for and did not have
            found |= {f"{key}_gap": gap, f"{key}_charged": charged, f"{key}_steal": ticks, f"{key}_ahead": ahead}
            found[f"{key}_missed"] = round(gap * TICKS)  # what steal would have to say
    return found


def wait_for_count(guest: Guest, words: str, count: int) -> None:
    """Waits until the guest has printed these words so many times."""
    end = time.monotonic() + 120
    while guest.printed().count(words) < count and time.monotonic() < end:
        time.sleep(0.02)


if __name__ == "__main__":
    print(json.dumps({"clocks": clocks, "shape": shape, "taken": taken}[sys.argv[1]]()))
