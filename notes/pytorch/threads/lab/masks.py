"""Threads and CPUs of a process that has imported torch, by environment: a table, and JSON on the last line.

Without an argument it starts itself once for each environment.
"""

import json
import os
import subprocess
import sys

import torch
from torch.utils.data import DataLoader, Dataset

NAMES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY", "KMP_AFFINITY")


class Mask(Dataset):
    """Its one item is the number of CPUs that a worker may use."""

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return torch.tensor(len(os.sched_getaffinity(0)))


def report():
    after = len(os.sched_getaffinity(0))
    worker = int(next(iter(DataLoader(Mask(), num_workers=1, multiprocessing_context="fork"))))
    gnu = any("libgomp" in line for line in open("/proc/self/maps"))
    intel = any("libiomp" in line for line in open("/proc/self/maps"))
    print(json.dumps([after, worker, torch.get_num_threads(), torch.get_num_interop_threads(), os.cpu_count(), int(gnu), int(intel)]))


def ask(cpus=None, **variables):
    environment = {name: value for name, value in os.environ.items() if name not in NAMES} | variables
    confine = (lambda: os.sched_setaffinity(0, cpus)) if cpus else None
    result = subprocess.run([sys.executable, __file__, "report"], env=environment, preexec_fn=confine, capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def main():
    allowed = sorted(os.sched_getaffinity(0))
    first, second = allowed[:2]
    two = {first, second}
    cases = [
        ("free", "(nothing)", ask(two)),
        ("omp", "OMP_NUM_THREADS=1", ask(two, OMP_NUM_THREADS="1")),
        ("mkl", "MKL_NUM_THREADS=1", ask(two, MKL_NUM_THREADS="1")),
        ("both", "OMP_NUM_THREADS=2 MKL_NUM_THREADS=1", ask(two, OMP_NUM_THREADS="2", MKL_NUM_THREADS="1")),
        ("bind", "OMP_PROC_BIND=true", ask(two, OMP_PROC_BIND="true")),
        ("gomp", f"GOMP_CPU_AFFINITY={first}-{second}", ask(two, GOMP_CPU_AFFINITY=f"{first}-{second}")),
        ("kmp", "KMP_AFFINITY=compact", ask(two, KMP_AFFINITY="compact")),
        ("taskset", f"taskset -c {first}", ask({first})),
        ("taskset_omp", f"taskset -c {first} env OMP_NUM_THREADS=2", ask({first}, OMP_NUM_THREADS="2")),
    ]
    print(f"{'environment':<38} CPUs  in a worker  intra-op  inter-op")
    found = {}
    for name, text, numbers in cases:
        found |= dict(zip((f"{name}_{what}" for what in ("cpus", "worker", "intra", "inter", "count", "gnu", "intel")), numbers))
        print(f"{text:<38} {numbers[0]:>4} {numbers[1]:>12} {numbers[2]:>9} {numbers[3]:>9}")
    print(json.dumps(found))


if len(sys.argv) > 1:
    report()
else:
    main()
