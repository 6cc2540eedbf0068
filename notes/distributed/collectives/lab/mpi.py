"""What Open MPI sends for an all-reduce of eight ranks, as its own monitoring counts it.

    python3 mpi.py    needs mpirun of Open MPI, and the program sum, built by mpicc

The monitoring writes a file for each rank, with bytes and messages to each other rank. Lines that
begin with I are of messages with internal tags, as collectives use them.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

import algorithms
from collectives import reduced

RANKS = 8
MONITOR = {"pml_monitoring_enable": "2", "pml_monitoring_enable_output": "3"}
# Shared memory without a system call that a sandbox forbids, and no network.
QUIET = {"btl": "self,vader", "btl_vader_single_copy_mechanism": "none"}
NAMES = {0: "its own choice", 3: "recursive_doubling", 4: "ring", 6: "rabenseifner"}


def sent(count, algorithm):
    """Messages and vectors that each rank sends."""
    with tempfile.TemporaryDirectory() as folder:
        options = {**MONITOR, **QUIET, "pml_monitoring_filename": f"{folder}/rank"}
        if algorithm:
            options |= {"coll_tuned_use_dynamic_rules": "1", "coll_tuned_allreduce_algorithm": str(algorithm)}
        arguments = [word for name, value in options.items() for word in ("--mca", name, value)]
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        done = subprocess.run(
            ["mpirun", "--oversubscribe", "-n", str(RANKS), *arguments, "./sum", str(count)],
            env={**os.environ, **root},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        messages, size = [0] * RANKS, [0] * RANKS
        for file in Path(folder).iterdir():
            for line in file.read_text().splitlines():
                fields = line.split()
                if fields and fields[0] == "I":
                    size[int(fields[1])] += int(fields[3])
                    messages[int(fields[1])] += int(fields[5])
        return messages, [n / (8 * count) for n in size]


def main():
    known = {}
    for name, function in algorithms.ALL.items():
        ranks, _ = reduced(function, RANKS)
        known[name] = (
            [r["messages"] for r in ranks],
            [sum(r["sent"].values()) / (8 * 1920) for r in ranks],
        )
    out = {}
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=True).stdout.split()[3]
    print(f"8 ranks, Open MPI {version}              messages  vectors   sent like")
    print("  bytes  algorithm              sent by each, mean")
    for count, algorithm in ((8, 0), (512, 0), (1024, 0), (131072, 0), (1024, 3), (1024, 4), (1024, 6), (4, 6)):
        messages, vectors = sent(count, algorithm)
        alike = [name for name, counts in known.items() if counts == (messages, vectors)]
        key = f"{algorithm}_{count}"
        out[f"messages_{key}"] = sum(messages) / RANKS
        out[f"vectors_{key}"] = sum(vectors) / RANKS
        out[f"most_{key}"] = max(vectors)
        for name in known:
            out[f"{name}_{key}"] = int(name in alike)
        print(
            f"{8 * count:7}  {algorithm} {NAMES[algorithm]:20} {sum(messages) / RANKS:12.2f} {sum(vectors) / RANKS:8.2f}"
            f"   {', '.join(alike) or 'none of them'}"
        )
    print(json.dumps(out))


if __name__ == "__main__":
    main()
