"""How many CPUs a Python process and its children may use, before and after it loads libgomp."""

import ctypes
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

QUESTION = "import os; print(len(os.sched_getaffinity(0)))"


def child() -> int:
    return int(subprocess.check_output([sys.executable, "-c", QUESTION]))


start, first = len(os.sched_getaffinity(0)), child()
ctypes.CDLL("libgomp.so.1")  # as importing a package does that was built with OpenMP
print(
    json.dumps(
        {
            "start": start,
            "child_before": first,
            "loaded": len(os.sched_getaffinity(0)),
            "child_after": child(),
            "thread_after": ThreadPoolExecutor(1).submit(lambda: len(os.sched_getaffinity(0))).result(),
            "cpu_count": os.cpu_count(),
        }
    )
)
