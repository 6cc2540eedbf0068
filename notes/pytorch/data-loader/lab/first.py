"""Time from the start of a second epoch to its first batch, by how workers are started, as JSON: seconds.

Without an argument it starts itself once for each way and round.
"""

import json
import multiprocessing
import subprocess
import sys
import time

import rows
from torch.utils.data import DataLoader

WAYS = {
    "fork": ("fork", [], False),
    "spawn": ("spawn", [], False),
    "forkserver": ("forkserver", [], False),
    "preloaded": ("forkserver", ["torch", "rows"], False),
    "persistent": ("spawn", [], True),
    "again": ("fork", [], False),
}


def measure(method, preload, persistent):
    context = multiprocessing.get_context(method)
    if preload:
        context.set_forkserver_preload(preload)
    loader = DataLoader(rows.Rows("list", 8), num_workers=2, multiprocessing_context=context, persistent_workers=persistent)
    for _ in loader:  # the first epoch; a fork server runs from here on
        pass
    begin = time.monotonic()
    next(iter(loader))
    return time.monotonic() - begin


def main():
    if len(sys.argv) > 1:
        print(measure(*WAYS[sys.argv[1]]))
        return
    times = {way: [] for way in WAYS}
    for _ in range(3):
        for way in WAYS:
            done = subprocess.run([sys.executable, __file__, way], capture_output=True, text=True, check=True)
            times[way].append(float(done.stdout))
    print(json.dumps(times))


if __name__ == "__main__":
    main()
