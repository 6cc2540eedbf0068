"""Datasets of the lab and what a process says about its memory. Spawned workers import this file too."""

import sys

import numpy as np
import torch
from torch.utils.data import Dataset, get_worker_info

ROWS, LENGTH = 400_000, 100


def memory(pid="self"):
    """Rss, Pss and Private_Dirty of a process, in KiB, from /proc/PID/smaps_rollup."""
    with open(f"/proc/{pid}/smaps_rollup") as file:
        fields = (line.split() for line in file if "kB" in line)
        return {name.rstrip(":"): int(value) for name, value, _ in fields}


def text(index):
    return str(index).zfill(LENGTH)


class Rows(Dataset):
    """`rows` lines of text, kept in one of several ways; an item is the length of a line."""

    def __init__(self, kind, rows=ROWS):
        self.rows = rows
        lines = [text(index) for index in range(rows)]
        self.size = sum(sys.getsizeof(line) for line in lines) + sys.getsizeof(lines)
        if kind == "objects":
            self.lines = np.array(lines, dtype=object)
        elif kind == "numpy":
            self.lines = np.array([line.encode() for line in lines])
        elif kind == "tensor":
            self.lines = torch.frombuffer(bytearray("".join(lines).encode()), dtype=torch.uint8).view(rows, LENGTH)
        else:
            self.lines = lines
        if kind in ("numpy", "tensor"):
            self.size = rows * LENGTH

    def __len__(self):
        return self.rows

    def __getitem__(self, index):
        return len(self.lines[index])


start = []


def remember(_worker):
    """For worker_init_fn: what the worker has of its own before it reads anything."""
    start.append(memory()["Private_Dirty"])


def grown(items):
    """For collate_fn, which runs in the worker: its number, and the KiB that it has of its own more than at its start."""
    return get_worker_info().id, memory()["Private_Dirty"] - sum(start)
