"""Where memory that was freed stays, and what tracemalloc does not count."""

import ctypes
import gc
import json
import mmap
import os
import re
import sqlite3
import sys
import tempfile
import time
import tracemalloc

PAGE, MIB = os.sysconf("SC_PAGE_SIZE"), 1 << 20
OBJECTS, LARGE = 1_000_000, 40_000
libc = ctypes.CDLL("libc.so.6")


def resident() -> float:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * PAGE / MIB


def arenas() -> tuple[int, int]:
    """Arenas of pymalloc that are held now, and their size."""
    with tempfile.TemporaryFile() as file:
        saved = os.dup(2)
        os.dup2(file.fileno(), 2)
        sys._debugmallocstats()
        os.dup2(saved, 2)
        os.close(saved)
        file.seek(0)
        said = file.read().decode()
    found = re.search(r"(\d+) arenas \* (\d+) bytes/arena", said)
    assert found, "pymalloc is off: see PYTHONMALLOC"
    return int(found[1]), int(found[2])


def small(keep_every: int) -> dict[str, float]:
    gc.collect()
    before, start = resident(), arenas()[0]
    blocks = sys.getallocatedblocks()
    objects: list[bytes | None] = [bytes(100) for _ in range(OBJECTS)]
    full, held = resident() - before, arenas()[0] - start
    kept = objects[::keep_every] if keep_every else []
    del objects
    gc.collect()
    libc.malloc_trim(0)
    return {
        "blocks": sys.getallocatedblocks() - blocks,
        "full": full,
        "arenas_full": held,
        "kept": len(kept),
        "after": resident() - before,
        "arenas_after": arenas()[0] - start,
    }


def large() -> dict[str, float]:
    before = resident()
    objects = [bytes(5000) for _ in range(LARGE)]
    full, last = resident() - before, objects[-1]
    del objects
    after = resident() - before
    libc.malloc_trim(0)
    return {"full": full, "after": after, "trimmed": resident() - before, "kept": len(last)}


def unseen() -> dict[str, float]:
    """A database of SQLite in memory, a mapping, and a Python object, 64 MiB each."""
    database = sqlite3.connect(":memory:")
    database.execute("create table held (block blob)")
    tracemalloc.start()
    before, traced = resident(), tracemalloc.get_traced_memory()[0]
    blocks = sys.getallocatedblocks()
    for _ in range(64):
        database.execute("insert into held values (zeroblob(?))", (MIB,))
    in_c = resident() - before
    mapped = mmap.mmap(-1, 64 * MIB)
    for i in range(0, 64 * MIB, PAGE):
        mapped[i] = 1
    grown, counted = resident() - before, tracemalloc.get_traced_memory()[0] - traced
    blocks = sys.getallocatedblocks() - blocks
    held = bytes(64 * MIB)
    seen = tracemalloc.get_traced_memory()[0] - traced - counted
    tracemalloc.stop()
    return {
        "in_c": in_c,
        "resident": grown,
        "traced": counted / MIB,
        "object": seen / MIB,
        "held": len(held),
        "blocks": blocks,
    }


def growing() -> dict[str, float]:
    """A cache that keeps what it made: the difference of two snapshots names its line."""
    cache: dict[int, str] = {}
    held = sys.getallocatedblocks()
    for i in range(-10_000, 0):
        cache[i] = str(i) * 20
    held = sys.getallocatedblocks() - held
    tracemalloc.start()
    first = tracemalloc.take_snapshot()
    for i in range(10_000):
        cache[i] = str(i) * 20
    line = sys._getframe().f_lineno - 1
    top = tracemalloc.take_snapshot().compare_to(first, "lineno")
    own = tracemalloc.get_tracemalloc_memory()
    tracemalloc.stop()
    right = [s for s in top[:2] if s.traceback[0].lineno == line]
    return {"named": len(right), "blocks": sum(s.count_diff for s in right), "own": own, "held": held}


def cost() -> dict[str, list[float] | float]:
    def made() -> float:
        start = time.thread_time()
        held = [bytes(100) for _ in range(100_000)]
        took = time.thread_time() - start
        del held
        return took

    def deep(depth: int) -> float:
        return made() if depth == 0 else deep(depth - 1)

    found: dict[str, list[float]] = {"off": [], "on": [], "on25": []}
    each = 0.0
    for _ in range(7):
        found["off"].append(deep(30))
        for name, frames in (("on", 1), ("on25", 25)):
            tracemalloc.start(frames)
            found[name].append(deep(30))
            if name == "on":
                held = [bytes(100) for _ in range(100_000)]
                each = tracemalloc.get_tracemalloc_memory() / len(held)
                del held
            tracemalloc.stop()
    return {**found, "each": each}


MODES = {
    "none": lambda: small(0),
    "some": lambda: small(5000),
    "large": large,
    "unseen": unseen,
    "growing": growing,
    "cost": cost,
    "arena": lambda: {"bytes": arenas()[1]},
}
print(json.dumps(MODES[sys.argv[1]]()))
