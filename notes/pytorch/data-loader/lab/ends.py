"""What the main process says of a worker that ends: a table, and JSON on the last line.

Without an argument it starts itself once for each way.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time

from torch.utils.data import DataLoader, Dataset

SIGNALS = {"kill": signal.SIGKILL, "bus": signal.SIGBUS, "segv": signal.SIGSEGV}


class Ends(Dataset):
    """Its item ends the worker in the given way."""

    def __init__(self, way):
        self.way = way

    def __len__(self):
        return 1

    def __getitem__(self, index):
        time.sleep(0.5)  # the main process waits for the batch by then
        if self.way == "raise":
            raise ValueError("row 0 is broken")
        if self.way == "exit":
            os._exit(3)
        if self.way == "wait":
            signal.pause()
        os.kill(os.getpid(), SIGNALS[self.way])


def first_line(error):
    return re.sub(r"\(pid(\(s\))? \d+\)", "(pid N)", str(error)).strip().splitlines()[0]


def messages(way, **options):
    """The first line of what is raised, and that of its cause or an empty string."""
    try:
        next(iter(DataLoader(Ends(way), num_workers=1, multiprocessing_context="fork", **options)))
    except Exception as error:
        cause = error.__cause__
        return first_line(error), first_line(cause) if isinstance(cause, RuntimeError) else ""
    return "nothing", ""


WAYS = {
    "kill": ("SIGKILL, as from the OOM killer", {}),
    "bus": ("SIGBUS", {}),
    "segv": ("SIGSEGV", {}),
    "exit": ("os._exit(3)", {}),
    "raise": ("an exception", {}),
    "wait": ("waits for ever, timeout=2", {"timeout": 2}),
}


def main():
    if len(sys.argv) > 1:
        print(json.dumps(messages(sys.argv[1], **WAYS[sys.argv[1]][1])))
        return
    found = {}
    for way, (label, _) in WAYS.items():
        done = subprocess.run([sys.executable, __file__, way], capture_output=True, check=True)
        last, cause = json.loads(done.stdout)
        found[f"{way}_last"] = int("is killed by signal" in last)
        found[f"{way}_cause"] = int("is killed by signal" in cause)
        print(label)
        if cause:
            print(f"  cause      {cause}")
        print(f"  last line  {last}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
