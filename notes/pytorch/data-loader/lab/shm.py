"""Batches that wait in shared memory: a table, and JSON on the last line. The main process takes none."""

import json
import os
import time
import warnings

import torch
from torch.utils.data import DataLoader, Dataset

BATCH = 4 << 20


class Blocks(Dataset):
    """Each item is a tensor of 1 MiB; four make a batch of 4 MiB."""

    def __len__(self):
        return 400

    def __getitem__(self, index):
        return torch.ones(1 << 20, dtype=torch.uint8)


def held(pids):
    """Bytes of the shared memory files that these processes have open; their names are gone already."""
    sizes = {}
    for pid in pids:
        for entry in os.scandir(f"/proc/{pid}/fd"):
            try:
                if "/torch_" in os.readlink(entry.path):
                    state = os.stat(entry.path)
                    sizes[state.st_ino] = state.st_blocks * 512
            except FileNotFoundError:  # closed meanwhile
                pass
    return sum(sizes.values())


def waiting(workers, factor):
    """Batches that are held once no more come, and files of PyTorch that a listing of /dev/shm shows."""
    loader = DataLoader(Blocks(), batch_size=4, num_workers=workers, prefetch_factor=factor, multiprocessing_context="fork")
    iterator = iter(loader)
    pids = [worker.pid for worker in iterator._workers]
    level, steady = -1, 0
    while steady < 20:
        time.sleep(0.1)
        now = held(pids)
        steady = steady + 1 if now == level else 0
        level = now
    listed = sum(name.startswith(f"torch_{pid}_") for name in os.listdir("/dev/shm") for pid in pids)
    return level / BATCH, listed


def main():
    warnings.filterwarnings("ignore", message="This DataLoader will create")  # more workers than CPUs, on purpose
    found = {}
    print("num_workers  prefetch_factor  batches held  names in /dev/shm")
    for workers, factor in [(2, 1), (2, 2), (4, 2), (2, 8)]:
        batches, listed = waiting(workers, factor)
        found[f"batches_{workers}_{factor}"], found[f"listed_{workers}_{factor}"] = batches, listed
        print(f"{workers:>11} {factor:>16} {batches:>13.2f} {listed:>18}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
