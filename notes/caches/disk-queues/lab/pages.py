"""The page cache on the way: readahead, write-back that stops a writer, O_DIRECT, io_uring.

    pages.py ahead       what 64 random reads of 4 KiB fetch from the disk
    pages.py dirty       how many writes sleep, by the limit on dirty pages
    pages.py direct      which reads with O_DIRECT fail, by the size of the device's blocks
    pages.py rings       system calls and workers of io_uring
    pages.py evict       what a large copy leaves of another file's pages

Run each as root in a kernel of its own: bash own-kernel.sh python3 pages.py ahead
All but the last line are for the reader; the last line is JSON.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import random
import resource
from pathlib import Path

from disk import (
    GROUPS,
    KIB,
    LIBC,
    MIB,
    PAGE,
    ROOT,
    Counters,
    Numbers,
    device_numbers,
    dirty_limit,
    drop_caches,
    load,
    make_file,
    memory_kib,
    mount,
    must,
    prepare,
    run,
    setting,
    unmount,
)  # fmt: skip

PLACES = [page * PAGE for page in random.Random(1).sample(range(64 * MIB // PAGE), 64)]


def ahead() -> Numbers:
    """Random reads of a file that is not in memory, in several ways."""
    mount()
    path = make_file("file", 64 * MIB)
    numbers: Numbers = {}
    print("64 random reads of 4 KiB, 256 KiB in all     KiB read   requests")
    for key, shown in (
        ("pread", "pread"),
        ("pread16", "pread, 16 KiB each"),
        ("mapped", "mapped file"),
        ("advised", "mapped file, MADV_RANDOM"),
        ("small", "mapped file, read_ahead_kb = 16"),
    ):
        queue = Path("/sys/block/ubda/queue/read_ahead_kb")
        queue.write_text("16" if key == "small" else "128")
        drop_caches()
        with path.open("rb", buffering=0) as file:
            os.pread(file.fileno(), 1, 0)  # the inode and the map of its blocks
            view = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
            if key == "advised":
                view.madvise(mmap.MADV_RANDOM)
            counters = Counters()
            for place in PLACES:
                if key.startswith("pread"):
                    os.pread(file.fileno(), 16 * KIB if key == "pread16" else PAGE, place)
                else:
                    view[place]
            got = counters.since()
            view.close()
        kib = got["read_sectors"] // 2
        print(f"{shown:<44}{kib:>9}{got['reads']:>11}", flush=True)
        numbers |= {f"{key}_kib": kib, f"{key}_requests": got["reads"]}
    must(f"rm -rf {ROOT}/*")
    unmount()
    return numbers


def dirty() -> Numbers:
    """16 MiB in pieces of 64 KiB, into a group that may write 8 MiB a second."""
    must(f"echo '+io +memory' > {GROUPS}/cgroup.subtree_control; mkdir {GROUPS}/slow")
    (GROUPS / "slow/io.max").write_text(f"{device_numbers('/dev/ubda')} wbps={8 * MIB}")
    (GROUPS / "slow/cgroup.procs").write_text(str(os.getpid()))
    setting("dirty_writeback_centisecs", 500)
    numbers: Numbers = {}
    data = os.urandom(64 * KIB)
    print("vm.dirty_bytes    writes of 256 that slept   most dirty, MiB   on disk at the end, MiB")
    for limit in (64, 4):
        mount()
        dirty_limit(limit * MIB)
        counters, waited, most = Counters(), 0, 0
        with (ROOT / "file").open("wb", buffering=0) as file:
            for _ in range(256):
                before = slept()
                file.write(data)
                waited += slept() > before
                most = max(most, memory_kib("Dirty") + memory_kib("Writeback"))
        mib = counters.since()["write_sectors"] / 2048
        print(f"{limit:>10} MiB{waited:>28}{most / 1024:>19.1f}{mib:>26.1f}", flush=True)
        numbers |= {f"waited_{limit}": waited, f"most_{limit}": most / 1024, f"written_{limit}": mib}
        must(f"rm -rf {ROOT}/*")
        unmount()
    return numbers


def slept() -> int:
    """How often this program has given up the CPU by itself."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_nvcsw


CASES = (  # shown, offset in the file, bytes, offset in memory
    ("aligned", 4096, 4096, 0),
    ("512 bytes", 4096, 512, 0),
    ("100 bytes", 4096, 100, 0),
    ("at 512 in the file", 512, 4096, 0),
    ("at 100 in the file", 100, 4096, 0),
    ("memory + 512", 4096, 4096, 512),
    ("memory + 16", 4096, 4096, 16),
)


def direct() -> Numbers:
    """The same reads from a file system on blocks of 512 bytes and on blocks of 4,096."""
    load("drivers/block/loop")
    mount()
    with (ROOT / "image").open("wb") as file:
        file.truncate(32 * MIB)
    must(f"losetup --sector-size 4096 /dev/loop0 {ROOT}/image && mke2fs -q -t ext4 /dev/loop0")
    must("mkdir /dev/large && mount /dev/loop0 /dev/large")
    Path("/dev/large/file").write_bytes(os.urandom(MIB))
    make_file("file", MIB)
    os.sync()
    numbers: Numbers = {"fails_512": 0, "fails_4096": 0}
    print(f"{'O_DIRECT read':<24}{'blocks of 512':>16}{'blocks of 4,096':>18}")
    memory = mmap.mmap(-1, 16384)
    for shown, at, length, shift in CASES:
        row = []
        for size, path in ((512, ROOT / "file"), (4096, "/dev/large/file")):
            fd = os.open(path, os.O_RDONLY | os.O_DIRECT)
            try:
                os.preadv(fd, [memoryview(memory)[shift : shift + length]], at)
                row.append("ok")
            except OSError as error:
                row.append(errno.errorcode[error.errno])
                numbers[f"fails_{size}"] += 1
            os.close(fd)
        print(f"{shown:<24}{row[0]:>16}{row[1]:>18}", flush=True)
    try:
        os.close(os.open("/dev/shm/file", os.O_RDWR | os.O_CREAT | os.O_DIRECT))
        result = "ok"
    except OSError as error:
        result = errno.errorcode[error.errno]
    print(f"{'open on tmpfs':<24}{result:>16}")
    numbers["tmpfs_fails"] = int(result != "ok")
    must("umount /dev/large; losetup -d /dev/loop0")
    must(f"rm -rf {ROOT}/*")
    unmount()
    return numbers


def rings() -> Numbers:
    """What ring.c counts."""
    mount()
    path = make_file("file", 8 * MIB)
    numbers: Numbers = {"pread_calls": 1024}
    print(f"{'':<44}calls   workers")
    for key, shown, arguments in (
        ("single", "1,024 reads, one for each call", "read 1024 1"),
        ("batch", "1,024 reads, 32 for each call", "read 1024 32"),
        ("poll", "1,024 reads, SQPOLL", "poll 1024 32"),
        ("buffered", "32 writes through the page cache", "write 32 32"),
    ):
        mode, *rest = arguments.split()
        drop_caches()
        done = json.loads(must(f"./ring {mode} {path} {' '.join(rest)}"))
        print(f"{shown:<44}{done['calls']:>5}{done['workers']:>10}", flush=True)
        numbers |= {f"{key}_calls": done["calls"], f"{key}_workers": done["workers"]}
    must(f"rm -rf {ROOT}/*")
    unmount()
    return numbers


def resident(path: Path) -> int:
    """Pages of a file in memory, as fincore counts them."""
    size = path.stat().st_size
    with path.open("rb") as file:
        view = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ, flags=mmap.MAP_SHARED)
        pages = (ctypes.c_ubyte * (size // PAGE))()
        LIBC.mmap.restype = ctypes.c_void_p
        address = LIBC.mmap(None, ctypes.c_size_t(size), 1, 1, file.fileno(), ctypes.c_long(0))
        LIBC.mincore(ctypes.c_void_p(address), ctypes.c_size_t(size), pages)
        LIBC.munmap(ctypes.c_void_p(address), ctypes.c_size_t(size))
        view.close()
    return sum(page & 1 for page in pages)


def evict() -> Numbers:
    """A file of 32 MiB is read, then another program reads more than memory has room for."""
    mount()
    hot, large = make_file("hot", 32 * MIB), make_file("large", 120 * MIB)
    numbers: Numbers = {}
    print("another program reads 120 MiB                pages of 8,192 that stay")
    for key, shown, times, advise in (
        ("once", "our file was read once", 1, False),
        ("twice", "our file was read twice", 2, False),
        ("advice", "read once; the other one gives up its pages", 1, True),
    ):
        drop_caches()
        for _ in range(times):
            hot.read_bytes()
        with large.open("rb", buffering=0) as file:
            for n in range(120):
                file.read(MIB)
                if advise:
                    os.posix_fadvise(file.fileno(), n * MIB, MIB, os.POSIX_FADV_DONTNEED)
        stay = resident(hot)
        print(f"{shown:<44}{stay:>8}", flush=True)
        numbers[f"{key}_stay"] = stay
    must(f"rm -rf {ROOT}/*")
    unmount()
    return numbers


if __name__ == "__main__":
    prepare()
    run({"ahead": ahead, "dirty": dirty, "direct": direct, "rings": rings, "evict": evict})
