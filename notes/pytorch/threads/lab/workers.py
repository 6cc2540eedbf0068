"""Time per batch with one worker and with four, as JSON: seconds, one per epoch.

A worker sleeps for each batch, and so does the main process, so the times do not depend on the CPU.
"""

import json
import time
import warnings

import torch
from torch.utils.data import DataLoader, Dataset

BATCHES = 24


class Sleep(Dataset):
    def __init__(self, seconds):
        self.seconds = seconds

    def __len__(self):
        return BATCHES

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return torch.zeros(1)


def epoch(workers, in_worker, in_main):
    loader = DataLoader(Sleep(in_worker), batch_size=1, num_workers=workers, multiprocessing_context="fork")
    iterator = iter(loader)
    next(iterator)  # the workers have started
    begin = time.monotonic()
    for _ in iterator:
        time.sleep(in_main)
    return (time.monotonic() - begin) / (BATCHES - 1)


def main():
    warnings.filterwarnings("ignore", message="This DataLoader will create")  # more workers than CPUs, on purpose
    cases = {
        "main_one": (1, 0.02, 0.06),
        "main_four": (4, 0.02, 0.06),
        "worker_one": (1, 0.06, 0.005),
        "worker_four": (4, 0.06, 0.005),
    }
    samples = {name: [] for name in cases}
    for _ in range(3):
        for name, case in cases.items():
            samples[name].append(epoch(*case))
    print(json.dumps(samples))


if __name__ == "__main__":
    main()
