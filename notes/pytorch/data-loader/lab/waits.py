"""Time per batch and time spent in next() by number of workers, as JSON: seconds, one per epoch.

Worker and main process sleep, so the times do not depend on the CPU.
"""

import json
import sys
import time
import warnings

import torch
from torch.utils.data import DataLoader, Dataset

LOAD, STEP = (int(argument) / 1000 for argument in sys.argv[1:])
BATCHES = 36


class Sleep(Dataset):
    def __len__(self):
        return BATCHES

    def __getitem__(self, index):
        time.sleep(LOAD)
        return torch.zeros(1)


def epoch(workers, step=STEP):
    """Seconds per batch, and seconds per batch in next(), after the first 12 batches."""
    options = {"multiprocessing_context": "fork"} if workers else {}
    iterator = iter(DataLoader(Sleep(), batch_size=1, num_workers=workers, **options))
    waited, begin = 0, 0
    for number in range(BATCHES):
        if number == 12:
            waited, begin = 0, time.monotonic()
        before = time.monotonic()
        next(iterator)
        waited += time.monotonic() - before
        time.sleep(step)
    count = BATCHES - 12
    return (time.monotonic() - begin) / count, waited / count


def main():
    warnings.filterwarnings("ignore", message="This DataLoader will create")  # more workers than CPUs, on purpose
    found = {}
    for _ in range(3):
        for workers in (0, 1, 2, 3, 4, 6):
            whole, waited = epoch(workers)
            found.setdefault(f"batch_{workers}", []).append(whole)
            found.setdefault(f"wait_{workers}", []).append(waited)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
