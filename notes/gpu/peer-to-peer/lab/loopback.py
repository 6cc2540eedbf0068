"""Counts the bytes on the loopback interface during collectives of PyTorch's gloo backend.

    python3 loopback.py RANKS MIB    a table, then the same as JSON

The ranks are processes of this machine. They meet at a barrier in shared memory, which sends nothing,
and rank 0 reads the interface's counter before and after each collective.
"""

import json
import os
import sys
import tempfile
import time
from multiprocessing import get_context

import torch
import torch.distributed as dist

COLLECTIVES = {
    "nothing": lambda x, n: None,
    "all_reduce": lambda x, n: dist.all_reduce(x),
    "broadcast": lambda x, n: dist.broadcast(x, 0),
    "all_gather": lambda x, n: dist.all_gather(list(torch.empty_like(x).chunk(n)), x.chunk(n)[0]),
}


def received():
    """The bytes that the loopback interface has received so far."""
    with open("/proc/net/dev") as table:
        line = next(line for line in table if line.strip().startswith("lo:"))
    return int(line.split(":")[1].split()[0])


def work(rank, ranks, size, store, barrier, answers):
    """One rank: every collective once to set up its connections, and once counted."""
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=ranks)
    counts = {}
    for name, collective in COLLECTIVES.items():
        for _ in range(2):
            x = torch.ones(size // 4)
            barrier.wait()
            time.sleep(0.2)
            before = received()
            barrier.wait()
            collective(x, ranks)
            barrier.wait()
            time.sleep(0.2)
            counts[name] = received() - before
            barrier.wait()
        if name == "all_reduce":
            assert x[0] == ranks
    if rank == 0:
        answers.put(counts)
    barrier.wait()
    dist.destroy_process_group()


def main():
    ranks, size = int(sys.argv[1]), int(sys.argv[2]) << 20
    context = get_context("fork")
    barrier, answers = context.Barrier(ranks), context.Queue()
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "store")
        arguments = (ranks, size, store, barrier, answers)
        processes = [context.Process(target=work, args=(rank, *arguments)) for rank in range(ranks)]
        for process in processes:
            process.start()
        counts = answers.get()
        for process in processes:
            process.join()
    print(f"{ranks} ranks, {size} bytes each")
    for name, count in counts.items():
        print(f"{name:<11} {count:>9} bytes, {count / size:5.2f} times the vector")
    print(json.dumps({**counts, "size": size}))


main()
