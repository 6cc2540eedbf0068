"""The disk of the own kernel, what the kernel counts about it, and files to try things on."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

Numbers = dict[str, float]
LIBC = ctypes.CDLL(None, use_errno=True)
ROOT = Path("/dev/disk")  # where /dev/ubda is mounted
GROUPS = Path("/sys/fs/cgroup")
PAGE, KIB, MIB = 4096, 1 << 10, 1 << 20
FINIT_MODULE = 313  # the number of this system call on x86-64
MODULES = Path("/usr/lib/uml/modules", os.uname().release, "kernel")


def must(line: str) -> str:
    """Run a line of shell that must succeed."""
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{line}: {done.stderr}")
    return done.stdout


def run(experiments: dict[str, Callable[[], Numbers]]) -> None:
    """Run those that the command line names, and print their numbers as JSON."""
    numbers: Numbers = {}
    for name in sys.argv[1:]:
        numbers |= experiments[name]()
    print(json.dumps(numbers))


def load(*modules: str) -> None:
    """Load modules of the kernel, in this order."""
    for name in modules:
        with (MODULES / f"{name}.ko").open("rb") as file:
            if LIBC.syscall(FINIT_MODULE, file.fileno(), b"", 0):
                raise RuntimeError(f"cannot load {name}")


def prepare() -> None:
    """Mount what a booted system has, and let nothing be written that nobody asked for."""
    must(f"mount -t sysfs sysfs /sys; mount -t cgroup2 none {GROUPS}")
    must(f"mount -t tmpfs tmpfs /dev/shm 2>/dev/null || mkdir -p /dev/shm; mkdir -p {ROOT}")
    setting("dirty_writeback_centisecs", 0)
    dirty_limit(100 * MIB)


def mount(options: str = "") -> None:
    """A commit of the journal every ten minutes only: none comes by itself while we count."""
    must(f"mount -o commit=600{options and ','}{options} /dev/ubda {ROOT}")


def unmount() -> None:
    """Unmount the file system."""
    must(f"umount {ROOT}")


def setting(name: str, value: object) -> None:
    """Set vm.NAME."""
    Path("/proc/sys/vm", name).write_text(str(value))


def dirty_limit(size: int) -> None:
    """Write-back begins at half of this, and at all of it a writer waits in any case."""
    setting("dirty_bytes", size)
    setting("dirty_background_bytes", size // 2)


def drop_caches() -> None:
    """Write everything out and empty the page cache."""
    os.sync()
    setting("drop_caches", 3)


FIELDS = {
    "reads": 3, "read_sectors": 5, "read_ms": 6, "writes": 7, "write_sectors": 9, "write_ms": 10,
    "busy_ms": 12, "queue_ms": 13, "flushes": 18, "flush_ms": 19,
}  # fmt: skip


class Counters:
    """What /proc/diskstats has added since this was made, or since the last call."""

    def __init__(self, device: str = "ubda") -> None:
        self.device = device
        self.last = self.read()

    def read(self) -> dict[str, int]:
        for line in Path("/proc/diskstats").read_text().splitlines():
            words = line.split()
            if words[2] == self.device:
                return {name: int(words[place]) for name, place in FIELDS.items()}
        raise RuntimeError(f"no {self.device}")

    def since(self) -> dict[str, int]:
        now = self.read()
        gained = {name: now[name] - self.last[name] for name in now}
        self.last = now
        return gained


def buffer(size: int = PAGE) -> mmap.mmap:
    """Memory that begins at a page boundary, as O_DIRECT wants it."""
    memory = mmap.mmap(-1, size)
    memory.write(os.urandom(size))
    return memory


def make_file(name: str, size: int) -> Path:
    """A file whose blocks are written, and which is on the disk."""
    path = ROOT / name
    with path.open("wb") as file:
        for _ in range(size // MIB):
            file.write(os.urandom(MIB))
        file.flush()
        os.fsync(file.fileno())
    return path


def memory_kib(name: str) -> int:
    """A line of /proc/meminfo, such as Dirty."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise RuntimeError(f"no {name}")


def device_numbers(path: str) -> str:
    """As io.max wants them: 98:0."""
    rdev = Path(path).stat().st_rdev
    return f"{os.major(rdev)}:{os.minor(rdev)}"
