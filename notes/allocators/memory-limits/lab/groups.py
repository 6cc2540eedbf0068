"""Control groups of version 2, and the program eat that takes up memory in them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

Numbers = dict[str, float]
ROOT = Path("/sys/fs/cgroup")
DISK = "/dev/disk"
SHM = "/dev/shm"
MIB = 1 << 20


def run(line: str) -> str:
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False).stdout


def show(command: str) -> None:
    """A command with its output, as in a terminal."""
    print(f"kernel$ {command}", run(command).rstrip("\n"), sep="\n", flush=True)


def prepare() -> None:
    """Mount what a booted system has, and keep the OOM killer away from this program."""
    run(f"mount -t sysfs sysfs /sys; mount -t cgroup2 none {ROOT}; mkdir {DISK} {SHM}")
    run(f"mount -t ext2 /dev/ubda {DISK}; mount -t tmpfs -o size=100% tmpfs {SHM}")
    run("ip link set lo up")
    (ROOT / "cgroup.subtree_control").write_text("+memory")
    Path("/proc/self/oom_score_adj").write_text("-1000")
    run("cp eat /dev")  # in memory: so its own pages are in no group's account


def eat(*actions: str, group: Group | None = None, adjust: int = 0) -> subprocess.Popen[str]:
    """Begin the program, in a group."""

    def enter() -> None:
        Path("/proc/self/oom_score_adj").write_text(str(adjust))
        if group:
            group.set("cgroup.procs", os.getpid())

    return subprocess.Popen(
        ["/dev/eat", *actions], stdout=subprocess.PIPE, text=True, preexec_fn=enter  # noqa: PLW1509
    )


class Group:
    def __init__(self, name: str, **limits: object) -> None:
        self.path = ROOT / name
        self.path.mkdir()
        for key, value in limits.items():
            self.set(f"memory.{key.replace('_', '.')}", value)

    def set(self, file: str, value: object) -> None:
        (self.path / file).write_text(str(value))

    def get(self, file: str) -> str:
        return (self.path / file).read_text().strip()

    def mib(self, file: str = "memory.current") -> float:
        return int(self.get(file)) / MIB

    def stat(self, key: str) -> int:
        return find(self.get("memory.stat"), key)

    def events(self, key: str, file: str = "memory.events") -> int:
        return find(self.get(file), key)

    def eat(self, *actions: str, adjust: int = 0) -> subprocess.Popen[str]:
        return eat(*actions, group=self, adjust=adjust)


def find(text: str, key: str) -> int:
    """The number behind a name in one of the kernel's tables."""
    for line in text.splitlines():
        words = line.split()
        if words and words[0].rstrip(":") == key:
            return int(words[1])
    raise KeyError(key)


def of(file: str, key: str) -> int:
    return find(Path(file).read_text(), key)


def ready(process: subprocess.Popen[str]) -> str:
    """Wait until the program has said something; nothing if it has ended without a word."""
    return process.stdout.readline().strip() if process.stdout else ""


def end(process: subprocess.Popen[str]) -> int:
    """How the program ended, as a shell says it in `$?`; those that wait are ended by SIGTERM."""
    try:
        process.wait(0.05)
    except subprocess.TimeoutExpired:
        process.terminate()
    code = process.wait()
    return 128 - code if code < 0 else code


def eaten(*actions: str, group: Group | None = None) -> int:
    """Run the program to its end."""
    process = eat(*actions, "say", group=group)
    ready(process)
    return end(process)


def forget() -> None:
    """Let the kernel drop the page cache."""
    run("sync")
    Path("/proc/sys/vm/drop_caches").write_text("3")
