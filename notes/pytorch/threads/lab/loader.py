"""What a DataLoader's workers have, and what their batches cost the main process: a table, and JSON on the last line."""

import json
import os
import time

import tasks
import torch
from torch.utils.data import DataLoader, Dataset


class Counts(Dataset):
    """Each item says what a worker has: intra-op threads, inter-op threads, threads after an operator."""

    def __len__(self):
        return 4

    def __getitem__(self, index):
        before = tasks.names()
        torch.ones(40_000)
        return torch.tensor([torch.get_num_threads(), torch.get_num_interop_threads(), len(tasks.names() - before)])


class Pairs(Dataset):
    """Small items of two tensors each; making one takes no time."""

    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.zeros(10), torch.zeros(10)


def two_threads(_):
    torch.set_num_threads(2)


def in_worker(**options):
    return [int(number) for number in next(iter(DataLoader(Counts(), batch_size=1, **options)))[0]]


def descriptors(keep):
    """Open files that a loader's batches leave in the main process, with the strategy file_descriptor."""
    torch.multiprocessing.set_sharing_strategy("file_descriptor")
    before = len(os.listdir("/proc/self/fd"))
    batches = [keep(batch) for batch in DataLoader(Pairs(), batch_size=4, num_workers=1, multiprocessing_context="fork")]
    time.sleep(0.2)
    return len(os.listdir("/proc/self/fd")) - before if batches else None


def sent_ahead(workers, factor=None):
    """Batches that the loader has asked for when the first one arrives."""
    iterator = iter(DataLoader(Pairs(), batch_size=1, num_workers=workers, prefetch_factor=factor, multiprocessing_context="fork"))
    return iterator._send_idx


def child(threads):
    """1 if a child that is forked now ends after a parallel operator, or 0."""

    def work():
        if threads:
            torch.set_num_threads(threads)
        torch.ones(40_000)
        return 1

    return tasks.in_child(work, seconds=5) or 0


def main():
    torch.ones(40_000)  # from here on, the main process has a pool
    found = {}
    print("in                               intra-op  inter-op  started by an operator")
    for name, text, options in [
        ("main", "main process, num_workers=0", {}),
        ("fork", "worker, fork", {"num_workers": 1, "multiprocessing_context": "fork"}),
        ("spawn", "worker, spawn", {"num_workers": 1, "multiprocessing_context": "spawn"}),
        ("init", "worker, spawn, init function", {"num_workers": 1, "multiprocessing_context": "spawn", "worker_init_fn": two_threads}),
    ]:
        numbers = in_worker(**options)
        found |= dict(zip((f"{name}_intra", f"{name}_inter", f"{name}_started"), numbers))
        print(f"{text:<32} {numbers[0]:>8} {numbers[1]:>9} {numbers[2]:>23}")
    print("children forked after the main process has run a parallel operator, and that run one")
    for name, text, threads in [("child", "as they are", 0), ("child_two", "torch.set_num_threads(2) first", 2), ("child_one", "torch.set_num_threads(1) first", 1)]:
        found[name] = child(threads)
        print(f"  {text:<30} {'ends' if found[name] else 'hangs'}")
    print("files open in the main process while it keeps 16 batches of two tensors")
    found["descriptor_files"] = descriptors(lambda batch: batch)
    found["descriptor_files_cloned"] = descriptors(lambda batch: [t.clone() for t in batch])
    for name, text in [("descriptor_files", "as they came"), ("descriptor_files_cloned", "cloned")]:
        print(f"  {text:<30} {found[name]}")
    found["ahead_two"], found["ahead_factor"] = sent_ahead(2), sent_ahead(2, 4)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
