"""Two processes over gloo: when collectives are issued, beside the work that could hide them.

buckets    DistributedDataParallel: how many gradients are there when a bucket is sent
order      the same, step by step, and where parameters are not used in the order of their definition
fsdp       FSDP2: gathers, reductions and blocks in the order in which the host issues them
handle     what async_op=True returns, before and after wait()

Prints a table of each, then all counts as JSON. Nothing is timed.
"""

import json
import os
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

LAYERS = 8
MIB = 2**20


class Stack(nn.Module):
    """Eight linear layers of 1 MiB each, used from the first to the last, or the other way round."""

    def __init__(self, backwards=False):
        super().__init__()
        torch.manual_seed(0)
        self.layers = nn.ModuleList(nn.Linear(512, 512, bias=False) for _ in range(LAYERS))
        self.backwards = backwards

    def forward(self, x):
        for layer in reversed(self.layers) if self.backwards else self.layers:
            x = layer(x)
        return x


class Watched:
    """A stack in DDP. Each step records, for each bucket sent, its bytes and the gradients there were."""

    def __init__(self, backwards=False, **options):
        self.stack = Stack(backwards)
        self.ready, self.sent = [], []
        for index, layer in enumerate(self.stack.layers):
            layer.weight.register_post_accumulate_grad_hook(
                lambda _, index=index: self.ready.append(index)
            )
        self.model = DistributedDataParallel(self.stack, **options)
        self.model.register_comm_hook(None, self.send)

    def send(self, _, bucket):
        self.sent.append((bucket.index(), bucket.buffer().nbytes, len(self.ready)))
        work = dist.all_reduce(bucket.buffer(), async_op=True)
        return work.get_future().then(lambda future: future.value()[0] / dist.get_world_size())

    def step(self):
        self.ready.clear()
        self.sent.clear()
        self.model(torch.ones(4, 512)).sum().backward()
        return self

    def steps(self, number):
        for _ in range(number):
            self.step()
        return self

    @property
    def early(self):
        """Buckets that were sent before the last gradient was there."""
        return [entry for entry in self.sent if entry[2] < LAYERS]

    def counts(self, name):
        last = self.sent[-1][1] / MIB
        return {
            f"{name}_buckets": len(self.sent),
            f"{name}_early": len(self.early),
            f"{name}_early_mib": sum(entry[1] for entry in self.early) / MIB,
            f"{name}_last_mib": last,
        }

    def row(self, title):
        sizes = " ".join(f"{entry[1] / MIB:.0f}" for entry in self.sent)
        ready = " ".join(str(entry[2]) for entry in self.sent)
        return f"{title:<31} {sizes:<17} {ready:<17} {len(self.early):>2} of {len(self.sent)}"


HEAD = f"{'':<31} {'MiB, as sent':<17} {'gradients there':<17} {'sent early':>7}"


def buckets():
    result, lines = {}, [HEAD]
    cases = {
        "cap1": {"bucket_cap_mb": 1},
        "cap2": {"bucket_cap_mb": 2},
        "cap4": {"bucket_cap_mb": 4},
        "cap8": {"bucket_cap_mb": 8},
        "default": {},
        "found": {"find_unused_parameters": True},
        "listed": {"bucket_cap_mb_list": [1, 3, 3, 1]},
    }
    for name, options in cases.items():
        watched = Watched(**options).steps(3)
        result |= watched.counts(name)
        title = ", ".join(f"{key}={value}" for key, value in options.items()) or "no option"
        lines.append(watched.row(title))
    watched = Watched(bucket_cap_mb=1)
    lines.append("arrival " + " ".join(map(str, watched.steps(3).ready)))
    with watched.model.no_sync():
        watched.step()
    result["no_sync_sent"] = len(watched.sent)
    watched.step()
    result["after_no_sync_sent"] = len(watched.sent)
    lines.append(
        f"within no_sync {result['no_sync_sent']}, in the step after it {result['after_no_sync_sent']}"
    )
    return lines, result


def order():
    result, lines = {}, [HEAD]

    def show(name, title, watched):
        result.update(watched.counts(name))
        lines.append(watched.row(title))

    watched = Watched(bucket_cap_mb=2)
    show("first", "step 1", watched.step())
    show("second", "step 2", watched.step())
    watched = Watched(bucket_cap_mb=2, backwards=True)
    show("back_first", "turned round, step 1", watched.step())
    show("back_second", "turned round, step 2", watched.step())
    find = {"bucket_cap_mb": 2, "find_unused_parameters": True}
    show("find", "find_unused", Watched(**find).steps(3))
    show("find_back", "find_unused, turned round", Watched(**find, backwards=True).steps(3))
    watched = Watched(**find, backwards=True, static_graph=True)
    show("static_first", "and static_graph, step 1", watched.step())
    show("static_second", "and static_graph, step 2", watched.step())
    show("static_third", "and static_graph, step 3", watched.step())
    watched = Watched(bucket_cap_mb=2).steps(3)
    watched.stack.backwards = True
    show("changed", "turned round in step 4", watched.steps(3))
    return lines, result


BLOCKS = 4


class Issued(TorchDispatchMode):
    """Notes each all-gather and reduce-scatter by the block that it belongs to, in order of issue."""

    def __init__(self, blocks):
        super().__init__()
        self.log = []
        ranks = dist.get_world_size()
        sizes = [sum(p.numel() for p in block.parameters()) for block in blocks]
        self.block_of = {-(-size // ranks) * ranks: index for index, size in enumerate(sizes)}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        name = str(func)
        if name.startswith("c10d.") and ("allgather" in name or "reduce_scatter" in name):
            whole = max(t.numel() for t in tree_leaves(args) if torch.is_tensor(t))
            letter = "G" if "allgather" in name else "R"
            self.log.append(f"{letter}{self.block_of[whole]}")
        return func(*args, **(kwargs or {}))


def sharded_step(mesh, reshard=True, ahead=0):
    """What the host issues in the second step: gathers (G), reductions (R), blocks (f, b)."""
    torch.manual_seed(0)
    model = nn.Sequential(
        *[
            nn.Sequential(nn.Linear(64, 32 * (i + 1)), nn.Linear(32 * (i + 1), 64))
            for i in range(BLOCKS)
        ]
    )
    issued = Issued(model)
    for index, block in enumerate(model):
        block[0].register_forward_pre_hook(
            lambda *_, index=index: issued.log.append(f"f{index}")
        )
        block[1].register_full_backward_pre_hook(
            lambda *_, index=index: issued.log.append(f"b{index}")
        )
        fully_shard(block, mesh=mesh, reshard_after_forward=reshard)
    fully_shard(model, mesh=mesh)
    blocks = list(model)
    for index in range(BLOCKS - 1 if ahead else 0):
        blocks[index].set_modules_to_forward_prefetch(blocks[index + 1 : index + 1 + ahead])
    x = torch.ones(4, 64, requires_grad=True)
    model(x).sum().backward()
    issued.log.clear()
    with issued:
        y = model(x)
        forward = list(issued.log)
        issued.log.clear()
        y.sum().backward()
    return forward, list(issued.log)


def issued_early(log, work, before):
    """Gathers of a block that were issued before the work of the block which precedes it began."""
    early = 0
    for index in range(BLOCKS):
        previous = f"{work}{before(index)}"
        if f"G{index}" in log and previous in log:
            early += log.index(f"G{index}") < log.index(previous)
    return early


def fsdp():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    result, lines = {}, []
    cases = {
        "default": ("no option", {}),
        "kept": ("reshard_after_forward=False", {"reshard": False}),
        "ahead1": ("forward prefetch of 1", {"ahead": 1}),
        "ahead2": ("forward prefetch of 2", {"ahead": 2}),
    }
    for name, (title, options) in cases.items():
        forward, backward = sharded_step(mesh, **options)
        result |= {
            f"{name}_forward_early": issued_early(forward, "f", lambda i: i - 1),
            f"{name}_backward_early": issued_early(backward, "b", lambda i: i + 1),
            f"{name}_backward_gathers": sum(entry.startswith("G") for entry in backward),
        }
        lines += [title, "  forward  " + " ".join(forward), "  backward " + " ".join(backward)]
    return lines, result


def handle():
    """Rank 1 joins when rank 0 says so: what rank 0 sees before and after is the same each time."""
    store, rank = dist.distributed_c10d._get_default_store(), dist.get_rank()
    values = torch.full((MIB,), rank + 1.0)
    if rank == 1:
        store.wait(["go"])
        dist.all_reduce(values)
        dist.all_reduce(values)
        return [], {}
    work = dist.all_reduce(values, async_op=True)
    early, before = work.is_completed(), values[0].item()
    product = torch.ones(256, 256) @ torch.ones(256, 256)
    during = work.is_completed()
    store.set("go", "1")
    work.wait()
    late, after = work.is_completed(), values[0].item()
    returned = dist.all_reduce(values)
    result = {
        "early": int(early),
        "during": int(during),
        "late": int(late),
        "before": before,
        "after": after,
        "computed": product[0, 0].item(),
        "sync_is_none": int(returned is None),
    }
    lines = [
        f"async_op=True returned      completed {early}, value {before:.0f}",
        f"after a matrix product      completed {during}",
        f"after wait()                completed {late}, value {after:.0f}",
        f"async_op=False returned     {returned}",
    ]
    return lines, result


def rank_main(rank, file):
    os.environ["GLOO_SOCKET_IFNAME"] = "lo"
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=2)
    counts = {}
    for part in (buckets, order, fsdp, handle):
        lines, result = part()
        counts |= result
        if rank == 0:
            print(part.__name__, *lines, sep="\n")
    if rank == 0:
        print(json.dumps(counts), flush=True)
    dist.barrier()
    dist.destroy_process_group()


def main():
    meeting = Path.cwd() / "meeting"
    mp.start_processes(rank_main, args=(str(meeting),), nprocs=2, start_method="fork")


if __name__ == "__main__":
    main()
