"""What a way to write sends to the disk: each experiment counts requests and cache flushes.

    syncs.py each        twenty records of 4 KiB, written in different ways
    syncs.py others      what an fsync writes that other programs have made
    syncs.py later       when the bytes of a copied file reach the disk

Run each as root in a kernel of its own: bash own-kernel.sh python3 syncs.py each
All but the last line are for the reader; the last line is JSON.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from disk import (
    GROUPS,
    LIBC,
    MIB,
    PAGE,
    ROOT,
    Counters,
    Numbers,
    buffer,
    device_numbers,
    make_file,
    memory_kib,
    mount,
    must,
    prepare,
    run,
    unmount,
)  # fmt: skip

RECORDS = 20
WRITE_RANGE = 2  # SYNC_FILE_RANGE_WRITE
ALL_OF_RANGE = 7  # SYNC_FILE_RANGE_WAIT_BEFORE | _WRITE | _WAIT_AFTER
D, S, DIRECT = os.O_DSYNC, os.O_SYNC, os.O_DIRECT

WAYS = (  # key, shown, where, flags of open, call after each write
    ("plain", "write", "append", 0, None),
    ("range", "write, sync_file_range", "overwrite", 0, "range"),
    ("direct", "O_DIRECT", "overwrite", DIRECT, None),
    ("over_data", "write, fdatasync", "overwrite", 0, "fdatasync"),
    ("over_all", "write, fsync", "overwrite", 0, "fsync"),
    ("over_dsync", "O_DSYNC", "overwrite", D, None),
    ("over_sync", "O_SYNC", "overwrite", S, None),
    ("direct_dsync", "O_DIRECT | O_DSYNC", "overwrite", DIRECT | D, None),
    ("app_data", "write, fdatasync", "append", 0, "fdatasync"),
    ("app_all", "write, fsync", "append", 0, "fsync"),
    ("pre_data", "write, fdatasync", "preallocated", 0, "fdatasync"),
)


def records(path: Path, flags: int, call: str | None) -> None:
    """Write the records one after the other, each in another tick of the kernel's clock."""
    memory = buffer()
    fd = os.open(path, os.O_RDWR | os.O_CREAT | flags, 0o644)
    for n in range(RECORDS):
        time.sleep(0.02)  # the time of last change is kept in ticks, here of 10 ms
        os.pwritev(fd, [memory], n * PAGE)
        if call == "range":
            LIBC.sync_file_range(fd, n * PAGE, PAGE, ALL_OF_RANGE)
        elif call:
            getattr(os, call)(fd)
    os.close(fd)


def each() -> Numbers:
    """The same records in each of the ways."""
    numbers: Numbers = {}
    mount()
    print(f"{f'{RECORDS} records of 4 KiB':<38}{'writes':>8}{'KiB':>6}{'flushes':>9}")
    for key, shown, where, flags, call in WAYS:
        path = ROOT / f"{key}.dat"
        if where == "overwrite":
            make_file(path.name, MIB)
        else:
            path.touch()
        if where == "preallocated":
            with path.open("r+b") as file:
                os.posix_fallocate(file.fileno(), 0, MIB)
        os.sync()
        counters = Counters()
        records(path, flags, call)
        got = counters.since()
        kib = got["write_sectors"] // 2
        print(f"{where:<13}{shown:<25}{got['writes']:>8}{kib:>6}{got['flushes']:>9}", flush=True)
        numbers |= {f"{key}_writes": got["writes"], f"{key}_kib": kib,
                    f"{key}_flushes": got["flushes"]}  # fmt: skip
    unmount()
    return numbers


def others() -> Numbers:
    """One program leaves data or new files unwritten, another one syncs 4 KiB of its own."""
    numbers: Numbers = {}
    print(f"{'':<29}{'KiB written by':>17}{'KiB written by':>17}")
    print(f"{'another program has left':<29}{'fsync of an':>17}{'fdatasync of an':>17}")
    print(f"{'':<29}{'appended record':>17}{'overwritten one':>17}")
    for key, shown, options in (
        ("nothing", "nothing", ""),
        ("data", "16 MiB of data", ""),
        ("alloc", "16 MiB of data (nodelalloc)", "nodelalloc"),
        ("files", "2,000 empty files", ""),
    ):
        mount(options)
        own, folder = make_file("own", MIB), ROOT / "folder"
        folder.mkdir()
        os.sync()
        with (folder / "data").open("wb") as other:
            if key in ("data", "alloc"):
                other.write(os.urandom(16 * MIB))
            if key == "files":
                for n in range(2000):
                    (folder / f"file{n}").touch()
        over = sync_own(own, os.fdatasync, at=0)
        new = sync_own(own, os.fsync, at=MIB)
        print(f"{shown:<29}{new:>17}{over:>17}", flush=True)
        numbers |= {f"{key}_new": new, f"{key}_over": over}
        must(f"rm -rf {folder} {own}")
        unmount()
    return numbers | held()


def sync_own(path: Path, call: Callable[[int], None], at: int) -> int:
    """Write a record and sync it; returns the KiB that the disk got meanwhile."""
    with path.open("r+b", buffering=0) as file:
        counters = Counters()
        file.seek(at)
        file.write(bytes(PAGE))
        call(file.fileno())
        return counters.since()["write_sectors"] // 2


def held() -> Numbers:
    """The other program's write-back is under way and limited to 4 MiB a second."""
    numbers: Numbers = {}
    must(f"echo '+io +memory' > {GROUPS}/cgroup.subtree_control; mkdir {GROUPS}/slow")
    (GROUPS / "slow/io.max").write_text(f"{device_numbers('/dev/ubda')} wbps={4 * MIB}")
    print(f"{'8 MiB of another one are being written':<40}{'KiB left after fsync':>23}")
    for key, options in (("nolock", ""), ("lock", "dioread_lock")):
        mount(options)
        own = make_file("own", MIB)
        subprocess.run([sys.executable, __file__, "write", str(ROOT / "data")], check=True)
        sync_own(own, os.fsync, at=MIB)
        left = memory_kib("Writeback")
        print(f"{options or 'as mounted by default':<40}{left:>23}", flush=True)
        numbers[f"{key}_left"] = left
        os.sync()
        must(f"rm -f {own} {ROOT}/data")
        unmount()
    return numbers


def write_slowly(path: str) -> None:
    """In the limited group: begin to write 8 MiB, and wait for none of it."""
    (GROUPS / "slow/cgroup.procs").write_text(str(os.getpid()))
    with Path(path).open("wb") as file:
        file.write(os.urandom(8 * MIB))
        file.flush()
        LIBC.sync_file_range(file.fileno(), 0, 0, WRITE_RANGE)


def later() -> Numbers:
    """Copies of 32 MiB: what the disk has got when the command ends, and after a sync."""
    mount()
    numbers: Numbers = {}
    print(f"{'32 MiB by':<44}KiB on the disk when it ends")
    (ROOT / "source").write_bytes(os.urandom(32 * MIB))
    os.sync()
    for key, command in (
        ("cp", "cp source copy"),
        ("sync", "sync"),
        ("dd", "dd if=/dev/zero of=zeros bs=1M count=32"),
        ("dd_sync", "dd if=/dev/zero of=zeros bs=1M count=32 conv=fdatasync"),
        ("dd_direct", "dd if=/dev/zero of=zeros bs=1M count=32 oflag=direct"),
    ):
        counters = Counters()
        must(f"cd {ROOT} && {command} 2>&1")
        numbers[f"{key}_kib"] = counters.since()["write_sectors"] // 2
        print(f"{command:<60}{numbers[f'{key}_kib']:>12}", flush=True)
        if key != "cp":
            os.sync()
    unmount()
    return numbers


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write_slowly(sys.argv[2])
        sys.exit()
    prepare()
    run({"each": each, "others": others, "later": later})
