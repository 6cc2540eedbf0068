"""Which requests for memory the three modes of vm.overcommit_memory refuse."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

from groups import Numbers, eat, end, of, prepare, ready

CASES = (
    ("one", "one mapping of 512 MiB", ["map:512", "say"]),
    ("ten", "ten of 64 MiB, not touched", ["map:64", "say"] * 10),
    ("fork", "fork of 64 MiB, written", ["anon:64", "fork", "say"]),
)


def attempt(actions: list[str]) -> tuple[int, str]:
    """How often the program says that it is ready, and with what it fails."""
    process = eat(*actions, "wait")
    said = [ready(process)]
    while said[-1].endswith("ready") and len(said) < actions.count("say"):
        said.append(ready(process))
    good = sum(line.endswith("ready") for line in said)
    error = "" if said[-1].endswith("ready") else said[-1]
    for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        os.kill(int(pid), signal.SIGTERM)
    end(process)
    return good, error


def modes() -> Numbers:
    numbers: Numbers = {}
    for key in ("MemTotal", "MemAvailable", "CommitLimit", "Committed_AS"):
        numbers[key] = round(of("/proc/meminfo", key) / 1024)
        print(f"{key:<28}{numbers[key]:>5} MiB", flush=True)
    print(f"{'vm.overcommit_memory':<28}{0:>11}{1:>11}{2:>11}", flush=True)
    for key, what, actions in CASES:
        row = []
        for mode in (0, 1, 2):
            Path("/proc/sys/vm/overcommit_memory").write_text(str(mode))
            good, error = attempt(actions)
            numbers[f"{key}_{mode}"] = good
            row.append(f"{good} {error.split()[-1] if error else ''}".strip())
        Path("/proc/sys/vm/overcommit_memory").write_text("0")
        print(f"{what:<28}" + "".join(f"{x:>11}" for x in row), flush=True)
    return numbers


if __name__ == "__main__":
    prepare()
    print(json.dumps(modes()))
