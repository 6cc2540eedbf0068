"""In which function of the kernel a writer waits, by what it waits for.

    waits.py stacks      /proc/PID/stack, sampled while a program writes or syncs

Run it as root in a kernel of its own: bash own-kernel.sh python3 waits.py stacks
All but the last line are for the reader; the last line is JSON.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from disk import (
    GROUPS,
    MIB,
    ROOT,
    Numbers,
    device_numbers,
    dirty_limit,
    make_file,
    mount,
    must,
    prepare,
    run,
    setting,
    unmount,
)  # fmt: skip

LIMITED = GROUPS / "slow/cgroup.procs"
ENTER = f"import os; open('{LIMITED}', 'w').write(str(os.getpid())); d = os.urandom(65536)\n"
WRITE = f"f = open('{ROOT}/file', 'wb', 0)\nfor n in range(%d): f.write(d)\n"
SYNC = "os.fsync(f.fileno())\n"
APPEND = f"import os; f = open('{ROOT}/own', 'ab', 0); f.write(bytes(4096))\n"
FUNCTIONS = ("balance_dirty_pages", "folio_wait_writeback", "jbd2_log_wait_commit")


def stacks() -> Numbers:
    """A limit of 4 MiB a second for who writes makes the waiting long enough to be seen."""
    must(f"echo '+io +memory' > {GROUPS}/cgroup.subtree_control; mkdir {GROUPS}/slow")
    (GROUPS / "slow/io.max").write_text(f"{device_numbers('/dev/ubda')} wbps={4 * MIB}")
    setting("dirty_writeback_centisecs", 500)
    numbers: Numbers = {}
    columns: list[list[int]] = []
    for key, code in (
        ("write", ENTER + WRITE % 200),
        ("own", ENTER + WRITE % 128 + SYNC),
        ("others", APPEND + SYNC),
    ):
        mount("dioread_lock" if key == "others" else "")
        dirty_limit((4 if key == "write" else 100) * MIB)
        make_file("own", MIB)
        if key == "others":
            slow = [sys.executable, "syncs.py", "write", str(ROOT / "data")]
            subprocess.run(slow, check=True)
        program = subprocess.Popen([sys.executable, "-c", code])
        seen = samples(program)
        columns.append(seen)
        for name, n in zip(FUNCTIONS, seen, strict=True):
            numbers[f"{key}_{name.split('_')[0]}"] = n
        dirty_limit(100 * MIB)
        unmount()
    print(f"{'samples in state D with':<24}{'write':>7}{'fsync 8 MiB':>13}{'fsync, others write':>21}")
    for name, (write, own, others) in zip(FUNCTIONS, zip(*columns, strict=True), strict=True):
        print(f"{name:<24}{write:>7}{own:>13}{others:>21}")
    return numbers


def samples(program: subprocess.Popen[bytes]) -> list[int]:
    """How many of the looks at a waiting program show each function."""
    seen = [0] * len(FUNCTIONS)
    while program.poll() is None:
        stack = Path(f"/proc/{program.pid}/stack").read_text()
        state = Path(f"/proc/{program.pid}/stat").read_text().split(") ")[1][0]
        if state == "D":
            seen = [n + (f" {name}+" in stack) for n, name in zip(seen, FUNCTIONS, strict=True)]
        time.sleep(0.01)
    return seen


if __name__ == "__main__":
    prepare()
    run({"stacks": stacks})
