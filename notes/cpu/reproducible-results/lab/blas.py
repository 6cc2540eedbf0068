"""Runs blas.c with the kernels of several processors and with several numbers of threads: how many
different results? Prints one JSON object.
"""

import json
import os
import subprocess

CORES = ("Prescott", "Nehalem", "Sandybridge", "Haswell")


def results(core, threads):
    environment = dict(os.environ, OPENBLAS_CORETYPE=core, OPENBLAS_NUM_THREADS=str(threads))
    done = subprocess.run(["./blas"], check=True, capture_output=True, text=True, env=environment)
    _, _, ddot, _, dgemm = done.stdout.split()
    return ddot, dgemm


def main():
    by_core = [results(core, 1) for core in CORES]
    by_threads = [results("Haswell", threads) for threads in (1, 2)]
    again = [results("Haswell", 1) for _ in range(10)]
    found = {}
    for name, each in {"cores": by_core, "threads": by_threads, "again": again}.items():
        for k, what in enumerate(("ddot", "dgemm")):
            found[f"{name}_{what}"] = len({result[k] for result in each})
    print(json.dumps(found | {"cores": len(CORES)}))


main()
