"""How many CPUs programs believe in: with all CPUs of the machine, and with a mask of one CPU.

    g++ -O2 -fopenmp -o seen seen.cpp && python3 seen.py

A cpuset sets the mask of all that runs in it, so that taskset shows what programs see in one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

PYTHON = "import os; print(os.cpu_count(), len(os.sched_getaffinity(0)))"
ASK = {
    ("nproc",): ["nproc"],
    ("os.cpu_count()", "os.sched_getaffinity(0)"): [sys.executable, "-c", PYTHON],
    ("std::thread::hardware_concurrency()", "omp_get_max_threads()"): ["./seen"],
}


def ask(before: list[str]) -> dict[str, int]:
    answers: dict[str, int] = {}
    for names, command in ASK.items():
        said = subprocess.run(before + command, capture_output=True, text=True, check=True).stdout
        answers |= dict(zip(names, map(int, said.split()), strict=True))
    return answers


def main() -> None:
    one = min(os.sched_getaffinity(0))
    free, bound = ask([]), ask(["taskset", "-c", str(one)])
    print(f"{'':<38}all CPUs  one CPU in the mask")
    for name, number in free.items():
        print(f"{name:<38}{number:>8}{bound[name]:>21}")
    key = str.maketrans(dict.fromkeys(".:()", "_"))
    print(json.dumps({f"{when}_{name.translate(key).strip('_0')}": number
                      for when, said in (("free", free), ("bound", bound)) for name, number in said.items()}))  # fmt: skip


if __name__ == "__main__":
    main()
