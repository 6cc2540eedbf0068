"""Lets ``crash`` die under various conditions and looks at the core file that it leaves.

``python3 cores.py why`` prints a table and, like all other words, ends with a line of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path.cwd()
UNLIMITED = resource.RLIM_INFINITY
MIB = 1 << 20


class Dead:
    """How a process died: whether its status says that it dumped core, and what lies there."""

    def __init__(self, folder: Path, status: int, cpu: float) -> None:
        self.says_dumped = os.WIFSIGNALED(status) and os.WCOREDUMP(status)
        found = sorted(folder.glob("core*"))
        self.core = found[0] if found else None
        about = self.core.stat() if self.core else None
        is_file = about is not None and stat.S_ISREG(about.st_mode)
        self.size = about.st_size if is_file else 0
        self.on_disk = about.st_blocks * 512 if is_file else 0
        self.cpu_of_dying = cpu


def die(
    folder: Path,
    *words: object,
    limit: int = UNLIMITED,
    mask: int | None = None,
    program: Path = HERE / "crash",
) -> Dead:
    """Run ``crash`` with these words in a folder, with a limit on core files and a filter."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.chdir(folder)
            os.dup2(writer, 1)
            _, hard = resource.getrlimit(resource.RLIMIT_CORE)
            resource.setrlimit(resource.RLIMIT_CORE, (limit, hard))
            if mask is not None:
                Path("/proc/self/coredump_filter").write_text(hex(mask))
            os.execv(program, ["crash", *map(str, words)])
        finally:
            os._exit(3)
    os.close(writer)
    with os.fdopen(reader) as said:
        before = float(said.readline() or 0)
    _, status, used = os.wait4(pid, 0)
    return Dead(folder, status, used.ru_utime + used.ru_stime - before)


def fresh() -> Path:
    """A new empty folder beside the program."""
    return Path(tempfile.mkdtemp(dir=HERE))


def measure(*words: object, **how: int) -> Dead:
    """``die`` in a folder of its own, which is removed."""
    folder = fresh()
    try:
        return die(folder, *words, **how)
    finally:
        shutil.rmtree(folder)


def why() -> dict[str, float]:
    """Conditions under which no core file, or part of one, is written."""
    table: list[tuple[str, Dead]] = [
        ("soft limit 0", measure("touch", 8, limit=0)),
        ("limit of 1 MiB", measure("touch", 8, limit=MIB)),
        ("PR_SET_DUMPABLE 0", measure("undumpable")),
    ]
    folder = fresh()
    core = folder / "core"
    folder.chmod(0o555)
    table.append(("folder not writable", die(folder, "touch", 8)))
    folder.chmod(0o755)
    core.mkdir()
    table.append(("a folder called core there", die(folder, "touch", 8)))
    core.rmdir()
    secret = folder / "secret"
    shutil.copy(HERE / "crash", secret)
    secret.chmod(stat.S_IXUSR)
    table.append(("program not readable", die(folder, "touch", 8, program=secret)))
    core.write_bytes(b"old")
    os.link(core, folder / "link")
    table.append(("core there, second hard link", die(folder, "touch", 8)))
    kept = (folder / "link").read_bytes() == b"old"
    core.unlink()
    table.append(("nothing", die(folder, "touch", 8)))
    again = die(folder, "touch", 4)
    print(f"{'what is set':<29}{'bytes':>9}  status")
    for name, dead in table:
        print(f"{name:<29}{dead.size:>9}  {'core dumped' if dead.says_dumped else '-'}")
    number = dict(table)
    shutil.rmtree(folder)
    return {
        "limit_0": number["soft limit 0"].size,
        "limit_1": number["limit of 1 MiB"].size,
        "undumpable": number["PR_SET_DUMPABLE 0"].size,
        "unwritable": number["folder not writable"].size,
        "unreadable": number["program not readable"].size,
        "linked": number["core there, second hard link"].size,
        "kept": int(kept),
        "normal": number["nothing"].size,
        "again": again.size,
        "flag_limit_1": int(number["limit of 1 MiB"].says_dumped),
        "flag_limit_0": int(number["soft limit 0"].says_dumped),
    }


def pages() -> dict[str, float]:
    """A mapping of 64 MiB: the size of the core file by what was touched of it."""
    found = {}
    for touched in (0, 1, 4, 16, 64):
        dead = measure("touch", 64, touched)
        found |= {f"size_{touched}": dead.size, f"disk_{touched}": dead.on_disk}
    only_read = measure("read", 64)
    hidden = measure("hidden", 64)
    folder = fresh()
    dead = die(folder, "touch", 64, 1)
    with open(folder / "copy", "wb") as copy:
        subprocess.run(["cat", dead.core], stdout=copy, check=True)
    copied = (folder / "copy").stat().st_blocks * 512
    subprocess.run(["cp", "--sparse=always", folder / "copy", folder / "sparse"], check=True)
    sparse = (folder / "sparse").stat().st_blocks * 512
    shutil.rmtree(folder)
    return found | {
        "size_read": only_read.size,
        "disk_read": only_read.on_disk,
        "size_hidden": hidden.size,
        "disk_hidden": hidden.on_disk,
        "disk_cat": copied,
        "disk_sparse": sparse,
    }


def masks() -> dict[str, float]:
    """A process with four kinds of mappings: the size of the core file by the filter."""
    found = {f"mask_{mask:x}": measure("kinds", mask=mask).size for mask in FILTERS}
    found["named"] = measure("named", mask=0x33).size
    Path("/dev/shm/crash").unlink()
    found["unnamed"] = measure("unnamed", mask=0x33).size
    found["named_shared"] = measure("named", mask=0x3B).size
    Path("/dev/shm/crash").unlink()
    folder = fresh()
    found["code_33"] = code_of_files(die(folder, "kinds", mask=0x33).core)
    found["code_37"] = code_of_files(die(folder, "kinds", mask=0x37).core)
    shutil.rmtree(folder)
    return found


FILTERS = (0x00, 0x10, 0x11, 0x13, 0x33, 0x37, 0x3F)


def code_of_files(core: Path | None) -> int:
    """The bytes in a core file of mappings that are executable and belong to a file."""
    assert core is not None
    data = core.read_bytes()
    at, size, number = (
        struct.unpack_from("<Q", data, 32)[0],
        *struct.unpack_from("<HH", data, 54),
    )
    heads = [struct.unpack_from("<IIQQQQQQ", data, at + i * size) for i in range(number)]
    note = next(head for head in heads if head[0] == 4)
    starts = file_mappings(data[note[2] : note[2] + note[5]])
    return sum(h[5] for h in heads if h[0] == 1 and h[1] & 1 and h[3] in starts)


def file_mappings(notes: bytes) -> set[int]:
    """The addresses at which files are mapped, from the note NT_FILE."""
    place = 0
    while place < len(notes):
        name, length, kind = struct.unpack_from("<III", notes, place)
        place += 12 + (name + 3) // 4 * 4
        if kind == 0x46494C45:
            (count,) = struct.unpack_from("<Q", notes, place)
            return {struct.unpack_from("<Q", notes, place + 16 + 24 * i)[0] for i in range(count)}
        place += (length + 3) // 4 * 4
    return set()


def dying() -> dict[str, list[float]]:
    """CPU time from the crash to the end, with 256 MiB of memory dumped or excluded."""
    found: dict[str, list[float]] = {"dumped": [], "hidden": [], "again": []}
    order = [("dumped", "touch"), ("hidden", "hidden"), ("again", "hidden")]
    for turn in range(11):
        for name, kind in order[:: -1 if turn % 2 else 1]:
            found[name].append(measure(kind, 256).cpu_of_dying)
    return found


def living() -> dict[str, float]:
    """A core file of a process that lives on, by ``gcore``, and one of the kernel to compare."""
    folder = fresh()
    words = ["./crash", "stay", "64", "1"]
    with subprocess.Popen(words, stdin=-1, stdout=-1, text=True) as alive:
        alive.stdout.readline()
        name = f"{folder}/core"
        done = subprocess.run(
            ["gcore", "-o", name, str(alive.pid)], check=False, capture_output=True, text=True
        )
        if done.returncode:
            sys.exit(done.stderr)
        lives = alive.poll() is None
        said, _ = alive.communicate("\n")
    with subprocess.Popen(words, stdin=-1, stdout=-1, text=True) as dead:
        dead.stdout.readline()
        dead.send_signal(signal.SIGQUIT)  # dumps core, if the limit allows it
        outlives = dead.wait() >= 0
    core = (folder / f"core.{alive.pid}").stat()
    shutil.rmtree(folder)
    kernel = measure("touch", 64, 1)
    return {
        "lives": int(lives),
        "outlives": int(outlives),
        "gcore_size": core.st_size,
        "gcore_disk": core.st_blocks * 512,
        "kernel_size": kernel.size,
        "kernel_disk": kernel.on_disk,
        "paused": float(said),
    }


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]]()))
