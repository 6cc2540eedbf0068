"""Processes that train together over gloo on this machine, and what they send each other.

    python3 ranks.py wire    bytes on the loopback interface of each collective, 4 processes
    python3 ranks.py ddp     all-reduces of DistributedDataParallel, 2 processes
    python3 ranks.py fsdp    collectives of FSDP2 and of tensor parallelism, 2 processes

Each prints a table, then the counts as JSON. The bytes contain the headers of TCP and IP.
"""

import json
import os
import sys
import time
from collections import Counter
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module
from torch.nn.parallel import DistributedDataParallel
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

MIB = 2**20
BLOCKS = 4


def net():
    """Four blocks of two linear layers: 33,595,392 bytes of parameters in 16 tensors."""
    torch.manual_seed(0)
    return nn.Sequential(
        *[
            nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 512))
            for _ in range(BLOCKS)
        ]
    )


def batch():
    return torch.ones(8, 512)


def bytes_of(model):
    return sum(p.numel() * p.element_size() for p in model.parameters())


def sent():
    """Bytes that this machine has sent to itself."""
    for line in Path("/proc/net/dev").read_text().splitlines():
        name, _, numbers = line.partition(":")
        if name.strip() == "lo":
            return int(numbers.split()[8])
    raise LookupError("no loopback interface")


def sent_by(run):
    """Bytes that all processes together send while each runs ``run``."""
    dist.barrier()
    time.sleep(0.3)
    before = sent()
    dist.barrier()
    run()
    dist.barrier()
    time.sleep(0.3)
    after = sent()
    dist.barrier()
    return after - before


def wire():
    """Bytes per process of each collective on a tensor of 64 MiB, as a share of the tensor."""
    ranks, rank = dist.get_world_size(), dist.get_rank()
    whole = torch.ones(16 * MIB)
    part = torch.ones(16 * MIB // ranks)
    cases = {
        "nothing": lambda: None,
        "broadcast": lambda: dist.broadcast(whole, 0),
        "all_reduce": lambda: dist.all_reduce(whole),
        "all_gather": lambda: dist.all_gather_into_tensor(whole, part),
        "reduce_scatter": lambda: dist.reduce_scatter_tensor(part, whole),
        "send": lambda: (
            dist.send(whole, 1) if rank == 0 else dist.recv(whole, 0) if rank == 1 else None
        ),
    }
    result = {}
    for name, run in cases.items():
        run()
        total = sent_by(run)
        result[name] = total / (64 * MIB)
    lines = [f"{'collective, 64 MiB':<20} {'sent by all':>12} {'by each':>10}"]
    lines += [
        f"{name:<20} {value:>10.2f} x {value / ranks:>8.2f} x" for name, value in result.items()
    ]
    return lines, result


class Calls(TorchDispatchMode):
    """Counts the collectives that this process asks for, and the bytes of the tensors that it gives them."""

    def __init__(self):
        super().__init__()
        self.counts, self.bytes = Counter(), 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = str(func)
        if name.startswith(("c10d.", "_c10d_functional.")) and "wait" not in name:
            self.counts[name.split(".")[1]] += 1
            self.bytes += sum(t.nbytes for t in tree_leaves(args) if torch.is_tensor(t))
        return func(*args, **(kwargs or {}))


def counted(run):
    with Calls() as calls:
        run()
    return calls


def reduces(run):
    return sum(
        count
        for name, count in counted(run).counts.items()
        if name.startswith(("allreduce", "all_reduce"))
    )


class Watched:
    """A model in DDP, with a record of each bucket that is reduced: its bytes and its storage."""

    def __init__(self, model, **options):
        self.model = DistributedDataParallel(model, **options)
        self.buckets, self.storages, self.started = [], set(), lambda: None
        self.model.register_comm_hook(None, self.reduce)

    def reduce(self, _, bucket):
        self.started()
        buffer = bucket.buffer()
        self.buckets.append(buffer.nbytes)
        self.storages.add(buffer.untyped_storage().data_ptr())
        work = dist.all_reduce(buffer, async_op=True)
        return work.get_future().then(lambda future: future.value()[0] / dist.get_world_size())

    def step(self):
        self.buckets.clear()
        self.storages.clear()
        self.model(batch()).sum().backward()

    def gradients_in_buckets(self):
        return sum(
            p.grad.untyped_storage().data_ptr() in self.storages for p in self.model.parameters()
        )


class Skipping(nn.Module):
    """The same blocks, of which one is not used."""

    def __init__(self):
        super().__init__()
        self.blocks = net()

    def forward(self, x):
        for index, block in enumerate(self.blocks):
            if index != 1:
                x = block(x)
        return x


def backward_order(cap):
    """How many of the blocks have begun their backward pass when each all-reduce is started."""
    model = net()
    begun, starts = [], []
    for block in model:
        block.register_full_backward_pre_hook(lambda *_: begun.append(1))
    watched = Watched(model, bucket_cap_mb=cap)
    watched.started = lambda: starts.append(len(begun))
    for _ in range(2):
        begun.clear()
        starts.clear()
        watched.step()
    return starts


def buckets():
    """How many buckets there are, when they are reduced, and where the gradients lie."""
    result = {"parameter_bytes": bytes_of(net())}
    lines = [f"{'DistributedDataParallel':<28} {'all-reduces':>11} {'bytes':>12}"]
    for name, cap in (("default", None), ("large", 25), ("small", 1)):
        watched = Watched(net(), bucket_cap_mb=cap)
        watched.step()
        result[f"{name}_at_first"] = len(watched.buckets)
        watched.step()
        result[f"{name}_biggest"] = max(watched.buckets)
        result[f"{name}_buckets"] = len(watched.buckets)
        result[f"{name}_bytes"] = sum(watched.buckets)
        title = "bucket_cap_mb=" + str(cap)
        lines.append(f"{title:<28} {len(watched.buckets):>11} {result[f'{name}_bytes']:>12,}")

    for name, cap in (("starts", 8), ("single", 64)):
        starts = backward_order(cap)
        result |= {f"{name}_first": starts[0], f"{name}_count": len(starts)}
        lines.append(f"bucket_cap_mb={cap}, blocks begun at each all-reduce: {starts}")

    for as_view in (False, True):
        watched = Watched(net(), gradient_as_bucket_view=as_view)
        for _ in range(2):
            watched.model.zero_grad()
            watched.step()
        result[f"views_{as_view}".lower()] = watched.gradients_in_buckets()
        title = f"gradient_as_bucket_view={as_view}"
        lines.append(
            f"{title:<30} gradients inside a bucket {watched.gradients_in_buckets():>2} of 16"
        )
    return lines, result


def ddp():
    lines, result = buckets()
    for name, options in (("plain", {}), ("find", {"find_unused_parameters": True})):
        watched = Watched(net(), **options)
        model = DistributedDataParallel(net(), **options)
        for _ in range(2):
            watched.step()
            model(batch()).sum().backward()
        calls = counted(lambda model=model: model(batch()).sum().backward())
        result |= {
            f"{name}_buckets": len(watched.buckets),
            f"{name}_reduces": sum(calls.counts.values()),
            f"{name}_bytes": calls.bytes,
        }
        title = ", ".join(options) or "no option"
        lines.append(
            f"{title:<28} {result[f'{name}_reduces']:>11} {calls.bytes:>12,}   in {len(watched.buckets)} buckets"
        )

    skipping = DistributedDataParallel(Skipping(), find_unused_parameters=True)
    for _ in range(2):
        skipping(batch()).sum().backward()
    result["unused_gradients"] = sum(
        p.grad is not None for p in skipping.module.blocks[1].parameters()
    )
    result["unused_bytes"] = counted(lambda: skipping(batch()).sum().backward()).bytes
    lines.append(f"{'a block unused':<28} {'':>11} {result['unused_bytes']:>12,}")
    message = "none"
    broken = DistributedDataParallel(Skipping())
    try:
        for _ in range(2):
            broken(batch()).sum().backward()
    except RuntimeError as error:
        message = str(error).split(".")[0]
    result["broken"] = int(message != "none")
    lines.append(message)

    model = DistributedDataParallel(net())
    for _ in range(2):
        model(batch()).sum().backward()

    def accumulate(synchronised):
        for index in range(4):
            if synchronised or index == 3:
                model(batch()).sum().backward()
            else:
                with model.no_sync():
                    model(batch()).sum().backward()

    for name, synchronised, title in (
        ("every", True, "4 micro-batches"),
        ("no_sync", False, "the same with no_sync"),
    ):
        calls = counted(lambda synchronised=synchronised: accumulate(synchronised))
        result[f"{name}_reduces"] = sum(calls.counts.values())
        lines.append(f"{title:<28} {result[f'{name}_reduces']:>11} {calls.bytes:>12,}")
    result["sent"] = sent_by(lambda: model(batch()).sum().backward()) / dist.get_world_size()
    return lines, result


def sharded(mesh, reshard):
    model = net()
    for block in model:
        fully_shard(block, mesh=mesh, reshard_after_forward=reshard)
    return fully_shard(model, mesh=mesh, reshard_after_forward=reshard)


def fsdp():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    result = {"parameter_bytes": bytes_of(net())}
    lines = [f"{'':<34} {'all-gathers':>11} {'reduce-scatters':>15} {'MB sent by each':>15}"]

    def show(title, key, run):
        run()
        counts = counted(run).counts
        gathers = sum(n for name, n in counts.items() if "allgather" in name)
        scatters = sum(n for name, n in counts.items() if "reduce_scatter" in name)
        each = sent_by(run) / dist.get_world_size()
        result.update({f"{key}_gathers": gathers, f"{key}_scatters": scatters, f"{key}_sent": each})
        lines.append(f"{title:<34} {gathers:>11} {scatters:>15} {each / 1e6:>15.1f}")

    for reshard in (True, False):
        model = sharded(mesh, reshard)
        own = sum(p.to_local().numel() * p.element_size() for p in model.parameters())
        result[f"own_{reshard}".lower()] = own
        title = f"reshard_after_forward={reshard}"
        show(
            title,
            "again" if reshard else "kept",
            lambda model=model: model(batch()).sum().backward(),
        )
    whole = fully_shard(net(), mesh=mesh)
    show("one group for the whole model", "whole", lambda: whole(batch()).sum().backward())

    model = sharded(mesh, True)

    def accumulate(keep):
        for index in range(4):
            model.set_requires_gradient_sync(index == 3)
            model.set_reshard_after_backward(not keep or index == 3)
            model(batch()).sum().backward()

    show("4 micro-batches, synced once", "accumulated", lambda: accumulate(False))
    show("the same, kept after backward", "held", lambda: accumulate(True))

    tensor = net()
    for block in tensor:
        parallelize_module(block, mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})
    result["tensor_reduces"] = reduces(lambda: tensor(batch()).sum().backward())
    lines.append(f"tensor parallel: {result['tensor_reduces']} all-reduces")
    return lines, result


PARTS = {"wire": (wire, 4), "ddp": (ddp, 2), "fsdp": (fsdp, 2)}


def rank_main(rank, part, ranks, file):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=ranks)
    lines, result = PARTS[part][0]()
    dist.barrier()
    if rank == 0:
        print(*lines, sep="\n")
        print(json.dumps(result), flush=True)
    dist.destroy_process_group()


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in PARTS:
        sys.exit("usage: ranks.py wire|ddp|fsdp")
    part = sys.argv[1]
    ranks = PARTS[part][1]
    file = Path.cwd() / f"meeting-{part}"
    mp.spawn(rank_main, args=(part, ranks, str(file)), nprocs=ranks)


if __name__ == "__main__":
    main()
