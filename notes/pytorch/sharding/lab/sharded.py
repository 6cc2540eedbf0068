"""Processes that train a small model together over gloo on this machine, and what each of them does.

    python3 sharded.py groups      collectives and bytes of a step, by what makes a group, 4 processes
    python3 sharded.py step        accumulation, mixed precision and checkpoints
    python3 sharded.py slips       an optimizer made too early, norms, frozen and tied weights, padding
    python3 sharded.py saving      state dicts and loading: what a process holds and gathers
    python3 sharded.py alone       calls that one process makes without the other, 2 processes

Each prints a table, then its counts as JSON. The first process counts.
"""

import json
import os
import sys
from pathlib import Path

import alone
import groups
import saving
import slips
import step
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

PARTS = {
    "groups": (groups.run, 4),
    "step": (step.run, 4),
    "slips": (slips.run, 4),
    "saving": (saving.run, 4),
    "alone": (alone.run, 2),
}


def rank_main(rank, run, ranks, file, pipe):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=ranks)
    found = run()
    if rank == 0:
        pipe.put(found)
    dist.barrier()


def main():
    part = sys.argv[1] if len(sys.argv) == 2 else ""
    if part not in PARTS:
        sys.exit("usage: sharded.py " + "|".join(PARTS))
    run, ranks = PARTS[part]
    pipe = mp.get_context("spawn").SimpleQueue()
    mp.spawn(rank_main, args=(run, ranks, str(Path.cwd() / f"meeting-{part}"), pipe), nprocs=ranks)
    lines, result = pipe.get()
    print(*lines, sep="\n")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
