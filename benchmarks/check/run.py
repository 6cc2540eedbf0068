"""Compare the CPU seconds of ``perfnotes check`` with its budgets.

    make bench-check
    python -m benchmarks.check.run --count 1000 --runs 5

Checks 1,000 generated notes and the project's own, each in three states: with an empty cache, with
nothing changed since the last run, and with one note edited since. Each figure is the smallest of
its runs, since other work on the machine can only add time. CPU time is user plus system time of
the whole process, with the start of Python. A loop of fixed work, timed before and after, shows how
fast the machine was meanwhile.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The most that each may take, in CPU seconds (for one file: in wall seconds).
BUDGETS = {
    "generated, empty cache": 8.0,
    "generated, nothing changed": 2.0,
    "generated, one note edited": 2.0,
    "ours, empty cache": 8.0,
    "ours, nothing changed": 2.0,
    "ours, one note edited": 2.0,
    "one file of ours, nothing changed": 0.3,
}


def measured(arguments: list[str], env: dict[str, str]) -> tuple[float, float]:
    """Return CPU and wall seconds of one check; end the program if the check breaks down."""
    start = time.monotonic()
    command = [sys.executable, "-m", "perfnotes", "check", *arguments]
    child = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command} failed")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - start


def least(
    runs: int, arguments: list[str], env: dict[str, str], before: Callable[[int], object]
) -> tuple[float, float]:
    """Return the smallest CPU and wall seconds of ``runs`` runs; call ``before`` before each."""
    found = []
    for i in range(runs):
        before(i)
        found.append(measured(arguments, env))
    return min(cpu for cpu, _ in found), min(wall for _, wall in found)


def fixed_work() -> float:
    """Return the CPU seconds of a loop that is always the same."""
    start = time.process_time()
    total = 0
    for i in range(3_000_000):
        total += i % 7
    return time.process_time() - start + 0 * total


def edit(file: Path) -> Callable[[int], object]:
    """Return a function that changes the note's last words before each run."""
    text = file.read_text("utf-8")
    return lambda i: file.write_text(f"{text}\nEdited {i} times.\n", encoding="utf-8")


def main() -> None:
    """Print a table with each figure beside its budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="number of generated notes")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    speed = [fixed_work()]
    with tempfile.TemporaryDirectory(prefix="perfnotes-bench-") as name:
        notes, ours = Path(name) / "generated", Path(name) / "ours"
        generate = [sys.executable, "benchmarks/build/generate.py", str(options.count), str(notes)]
        subprocess.run(generate, cwd=ROOT, check=True)
        shutil.copytree(ROOT / "notes", ours)
        rows = []
        for label, folder in (("generated", notes), ("ours", ours)):
            arguments = ["--notes", str(folder)]
            # A new cache folder for each run, so that no run reads what an earlier one kept.
            rows.append(
                (f"{label}, empty cache", least(options.runs, arguments, env, _new(env, name)))
            )
            note = max(f for f in folder.glob("*/**/*.md") if "lab" not in f.parts)
            for state, before in (("nothing changed", _nothing), ("one note edited", edit(note))):
                row = least(options.runs, arguments, env, before)
                rows.append((f"{label}, {state}", row))
            last = [*arguments, str(note)]
        measured(last, env)
        one = least(options.runs, last, env, _nothing)
        rows.append(("one file of ours, nothing changed", one))
    speed.append(fixed_work())
    print(f"{'':36}  CPU s  wall s  budget")
    for label, (cpu, wall) in rows:
        of = "wall" if label.startswith("one file") else "CPU"
        print(f"{label:36}  {cpu:5.2f}  {wall:6.2f}  {BUDGETS[label]:.1f} s {of}")
    print(f"machine: {_processor()}, {os.cpu_count()} CPUs, Python {platform.python_version()}")
    print(f"load {os.getloadavg()[0]:.1f}; fixed work {speed[0]:.2f} and {speed[1]:.2f} CPU s")


def _new(env: dict[str, str], scratch: str) -> Callable[[int], object]:
    def before(_: int) -> None:
        env["XDG_CACHE_HOME"] = tempfile.mkdtemp(dir=scratch)

    return before


def _nothing(_: int) -> None:
    return


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor()


if __name__ == "__main__":
    main()
