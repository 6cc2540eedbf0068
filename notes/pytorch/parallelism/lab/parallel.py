"""What each way of splitting a model sends and keeps, counted on this machine over gloo.

    python3 parallel.py tensor      collectives of tensor parallelism, 2 processes
    python3 parallel.py memory      bytes of parameters, gradients and Adam's state, 2 processes
    python3 parallel.py pipeline    a step of a pipeline, 4 processes
    python3 parallel.py schedules   idle time of PyTorch's schedules, computed from their orders

Each prints a table, then the counts as JSON. The bytes on the loopback interface contain the
headers of TCP and IP.
"""

import contextlib
import copy
import io
import json
import os
import sys
import time
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.distributed.pipelining import PipelineStage, Schedule1F1B, ScheduleGPipe
from torch.distributed.pipelining._schedule_visualizer import get_schedule_ops
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.distributed.tensor.debug import CommDebugMode
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)
from torch.nn.parallel import DistributedDataParallel

WIDTH, HEADS, LENGTH, BATCH = 256, 4, 256, 8
ACTIVATION = BATCH * LENGTH * WIDTH * 4
STAGES, MICRO_BATCHES = 4, 8


class Attention(nn.Module):
    """Self-attention over the heads that this process has."""

    def __init__(self, fused):
        super().__init__()
        names = ["qkv"] if fused else ["q", "k", "v"]
        for name in names:
            setattr(self, name, nn.Linear(WIDTH, WIDTH * 3 // len(names), bias=False))
        self.inputs = names
        self.out = nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x):
        parts = [getattr(self, name)(x) for name in self.inputs]
        if len(parts) == 1:
            parts = parts[0].unflatten(-1, (-1, 3, WIDTH // HEADS)).unbind(-2)
        else:
            parts = [part.unflatten(-1, (-1, WIDTH // HEADS)) for part in parts]
        mixed = nn.functional.scaled_dot_product_attention(*(p.transpose(1, 2) for p in parts))
        return self.out(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    """A transformer layer: attention, then two linear layers, each behind a normalisation."""

    def __init__(self, fused=False):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = Attention(fused)
        self.mlp = nn.Sequential(
            nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH)
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


def sent():
    """Bytes that this machine has sent to itself."""
    for line in Path("/proc/net/dev").read_text().splitlines():
        name, _, numbers = line.partition(":")
        if name.strip() == "lo":
            return int(numbers.split()[8])
    raise LookupError("no loopback interface")


def sent_by_each(run):
    """Bytes that a process sends on average while each runs ``run``."""
    counts = []
    for measured in (lambda: None, run):
        dist.barrier()
        time.sleep(0.3)
        before = sent()
        dist.barrier()
        measured()
        dist.barrier()
        time.sleep(0.3)
        counts.append(sent() - before)
        dist.barrier()
    return (counts[1] - counts[0]) / dist.get_world_size()


def plans():
    """For each way to split the layer: whether q, k and v are one product, and the plan."""
    columns, rows = ColwiseParallel, RowwiseParallel
    mlp = {"mlp.0": columns(), "mlp.2": rows()}
    split = {"attention.q": columns(), "attention.k": columns(), "attention.v": columns()}
    out = {"attention.out": rows()}
    whole = PrepareModuleInput(input_layouts=(Replicate(),), desired_input_layouts=(Replicate(),))
    gathered = PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),))
    scattered = rows(output_layouts=Shard(1))
    yield "mlp", "MLP alone", False, mlp
    yield "apart", "layer; q, k, v apart", False, mlp | split | out
    yield "shared", "layer; one shared input", False, mlp | split | out | {"attention": whole}
    yield "fused", "layer; q, k, v fused", True, mlp | {"attention.qkv": columns()} | out
    yield (
        "gathering",
        "MLP alone, gathered between",
        False,
        {
            "mlp.0": columns(output_layouts=Replicate()),
            "mlp.2": rows(input_layouts=Replicate()),
        },
    )
    yield (
        "sequence",
        "layer; sequence parallel",
        False,
        split
        | {
            "norm1": SequenceParallel(use_local_output=True),
            "norm2": SequenceParallel(use_local_output=True),
            "attention": gathered,
            "attention.out": rows(output_layouts=Shard(1)),
            "mlp": PrepareModuleInput(
                input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),)
            ),
            "mlp.0": columns(),
            "mlp.2": scattered,
        },
    )


def difference(layer, split, key):
    """How far the split layer is from the whole one, in its output and in the input's gradient."""
    torch.manual_seed(1)
    whole = torch.randn(BATCH, LENGTH, WIDTH, requires_grad=True)
    expected = layer(whole)
    expected.square().sum().backward()
    share = (lambda t: t.chunk(2, 1)[dist.get_rank()]) if key == "sequence" else (lambda t: t)
    own = share(whole.detach()).clone().requires_grad_()
    got = split(own)
    got.square().sum().backward()
    pairs = ((got, share(expected)), (own.grad, share(whole.grad)))
    return max(((x - y).abs().max() / y.abs().max()).item() for x, y in pairs)


def saved_bytes(module, x):
    """Bytes of what the forward pass keeps for the backward pass, without parameters."""
    kept = {}

    def keep(t):
        own = t.to_local() if isinstance(t, DTensor) else t
        kept[own.untyped_storage().data_ptr()] = own
        return t

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda t: t):
        result = module(x)
    for p in module.parameters():
        kept.pop((p.to_local() if isinstance(p, DTensor) else p).untyped_storage().data_ptr(), 0)
    del result
    return sum(t.untyped_storage().nbytes() for t in kept.values())


def counts_of(mode):
    names = {str(op).split(".")[-1]: count for op, count in mode.get_comm_counts().items()}
    kinds = ("all_reduce", "all_gather_into_tensor", "reduce_scatter_tensor")
    return [names.get(kind, 0) for kind in kinds]


def tensor():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),), mesh_dim_names=("tensor",))
    result = {}
    lines = [
        f"{'forward + backward':<28} {'all-reduce':>11} {'all-gather':>11} {'reduce-scatter':>15}"
        f" {'sent':>7} {'saved':>7}"
    ]
    torch.manual_seed(0)
    x = torch.randn(BATCH, LENGTH, WIDTH, requires_grad=True)
    result["whole_saved"] = saved_bytes(Layer(), x) / ACTIVATION
    lines.append(f"{'layer, not split':<28} {'':>48} {result['whole_saved']:>5.2f} x")
    for key, title, fused, plan in plans():
        torch.manual_seed(0)
        layer = Layer(fused)
        split = parallelize_module(copy.deepcopy(layer), mesh, plan)
        if title.startswith("MLP"):
            layer, split = layer.mlp, split.mlp
        if difference(layer, split, key) > 1e-4:
            raise SystemExit(f"{title}: not the result of the whole layer")
        length = LENGTH // dist.get_world_size() if key == "sequence" else LENGTH
        x = torch.randn(BATCH, length, WIDTH, requires_grad=True)
        with CommDebugMode() as forward:
            y = split(x)
        with CommDebugMode() as backward:
            y.sum().backward()
        saved = saved_bytes(split, x) / ACTIVATION
        sent = sent_by_each(lambda split=split, x=x: split(x).sum().backward()) / ACTIVATION
        columns = []
        for name, ahead, back in zip(
            ("reduces", "gathers", "scatters"), counts_of(forward), counts_of(backward), strict=True
        ):
            result |= {f"{key}_{name}_forward": ahead, f"{key}_{name}_backward": back}
            columns.append(f"{ahead} + {back}")
        result |= {f"{key}_sent": sent, f"{key}_saved": saved}
        lines.append(
            f"{title:<28} {columns[0]:>11} {columns[1]:>11} {columns[2]:>15}"
            f" {sent:>5.2f} x {saved:>5.2f} x"
        )
    return lines, result


def adam_step(model, optimizer):
    x = torch.randn(BATCH, LENGTH, WIDTH)
    model(x).sum().backward()
    optimizer.step()


def local_bytes(tensors):
    """Bytes that this process holds of the tensors."""
    parts = [t.to_local() if isinstance(t, DTensor) else t for t in tensors]
    return sum(part.numel() * part.element_size() for part in parts)


def memory():
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    result = {}
    head = f"{'bytes per parameter, float32':<38} {'weights':>8} {'gradients':>10}"
    lines = [f"{head} {'Adam':>6} {'sum':>6}"]
    count = sum(p.numel() for p in Layer().parameters())

    def show(key, title, model, optimizer):
        adam_step(model, optimizer)
        parameters = list(model.parameters())
        own = getattr(optimizer, "optim", optimizer)
        states = [t for state in own.state.values() for t in state.values() if t.ndim]
        groups = (parameters, [p.grad for p in parameters], states)
        shares = [local_bytes(group) / count for group in groups]
        names = (f"{key}_weights", f"{key}_gradients", f"{key}_adam")
        result.update(zip(names, shares, strict=True))
        result[f"{key}_sum"] = sum(shares)
        lines.append(
            f"{title:<38} {shares[0]:>8.2f} {shares[1]:>10.2f} {shares[2]:>6.2f}"
            f" {sum(shares):>6.2f}"
        )

    adam = torch.optim.Adam
    model = DistributedDataParallel(Layer())
    show("ddp", "DistributedDataParallel", model, adam(model.parameters()))
    model = DistributedDataParallel(Layer())
    optimizer = ZeroRedundancyOptimizer(model.parameters(), adam)
    show("zero1", "  with ZeroRedundancyOptimizer", model, optimizer)
    for key, reshard in (("kept", False), ("again", True)):
        model = fully_shard(Layer(), mesh=mesh, reshard_after_forward=reshard)
        title = f"fully_shard, reshard_after_forward={reshard}"
        show(key, title, model, adam(model.parameters()))
    plan = next(plan for key, _, _, plan in plans() if key == "shared")
    model = parallelize_module(Layer(), mesh, plan)
    show("tensor", "tensor parallel", model, adam(model.parameters()))
    return lines, result


SLOTS = {"F": 1, "B": 2, "I": 1, "W": 1}


def played(orders):
    """Plays the orders of all ranks, each action as early as what it needs allows.

    An action is (stage, kind, micro-batch): F forward, B the whole backward pass, I its part for
    the input, W its part for the weights. Returns the slots until all are done, the idle ones of a
    rank, those between its first and last action, and the most forwards that a rank holds.
    """
    last = max(stage for order in orders for stage, _, _ in order)
    done, queues = {}, [list(order) for order in orders]
    free, first, held, most = ([0] * len(orders) for _ in range(4))
    while any(queues):
        moved = False
        for rank, queue in enumerate(queues):
            while queue:
                stage, kind, part = queue[0]
                if kind == "F":
                    needs = [(stage - 1, "F", part)] if stage else []
                elif kind == "W":
                    needs = [(stage, "I", part)]
                else:
                    needs = [(stage, "F", part)]
                    needs += [(stage + 1, "I", part)] if stage < last else []
                if any(need not in done for need in needs):
                    break
                start = max([free[rank], *(done[need] for need in needs)])
                free[rank] = start + SLOTS[kind]
                done[stage, "I" if kind == "B" else kind, part] = free[rank]
                if len(queue) == len(orders[rank]):
                    first[rank] = start
                held[rank] += {"F": 1, "I": 0}.get(kind, -1)
                most[rank] = max(most[rank], held[rank])
                queue.pop(0)
                moved = True
        if not moved:
            raise ValueError(f"waits for ever: {[queue[0] for queue in queues if queue]}")
    busy = [sum(SLOTS[kind] for _, kind, _ in order) for order in orders]
    inside = [end - start - b for end, start, b in zip(free, first, busy, strict=True)]
    return {"time": max(free), "idle": max(free) - busy[0], "inside": max(inside), "held": most}


def planned(name, stages, parts, chunks=None):
    """The order that a schedule of PyTorch plans for each rank."""
    with contextlib.redirect_stdout(io.StringIO()):
        ranks = get_schedule_ops(name, stages, parts, chunks)
    return [
        [
            (a.stage_index, a.computation_type.value, a.microbatch_index)
            for a in rank
            if a is not None and a.is_compute_op
        ]
        for rank in ranks
    ]


def formula(stages, parts, chunks=1):
    """Slots of a step: the work of a rank, and a bubble that interleaving divides."""
    return (SLOTS["F"] + SLOTS["B"]) * (parts * chunks + stages - 1)


def recorded(order, kind, method):
    """The method, which from now on also writes its micro-batch into the order."""

    def run(micro, *args, **kwargs):
        order.append((*kind, micro))
        return method(micro, *args, **kwargs)

    return run


def pipeline():
    rank = dist.get_rank()
    result = {}
    lines = []
    for key, kind in (("gpipe", ScheduleGPipe), ("one", Schedule1F1B)):
        torch.manual_seed(0)
        stage = PipelineStage(Layer(), rank, STAGES, torch.device("cpu"))
        schedule = kind(stage, MICRO_BATCHES, loss_fn=lambda y, _: y.square().mean())
        order = []
        stage.forward_one_chunk = recorded(order, (rank, "F"), stage.forward_one_chunk)
        stage.backward_one_chunk = recorded(order, (rank, "B"), stage.backward_one_chunk)
        x = torch.randn(BATCH, LENGTH, WIDTH)
        given = ((x,), {}) if rank == 0 else ((), {"target": x} if rank == STAGES - 1 else {})

        def step(schedule=schedule, given=given, order=order):
            order.clear()
            schedule.step(*given[0], **given[1])

        step()
        sent = sent_by_each(step) * STAGES / ACTIVATION
        orders = [None] * STAGES
        dist.all_gather_object(orders, order)
        of = played(orders)
        lines.append(f"{kind.__name__}, {STAGES} stages, {MICRO_BATCHES} micro-batches")
        lines += ["  " + " ".join(f"{kind}{part}" for _, kind, part in one) for one in orders]
        idle = f"  idle {of['idle']} of {of['time']} slots, held {of['held']}"
        lines.append(f"{idle}, sent {sent:.2f} x the batch")
        result |= {f"{key}_sent": sent, f"{key}_time": of["time"], f"{key}_idle": of["idle"]}
        result |= {f"{key}_held_first": of["held"][0], f"{key}_held_last": of["held"][-1]}
        if key == "one":
            plan = planned("1F1B", STAGES, MICRO_BATCHES)
            result["unplanned"] = len(set(orders[-1]) - set(plan[-1]))
            shown = " ".join(f"{kind}{part}" for _, kind, part in plan[-1])
            lines.append(f"  planned for rank {STAGES - 1}: {shown}")
    return lines, result


CASES = (
    ("gpipe", "GPipe", None),
    ("bfs", "LoopedBFS", 2),
    ("two", "Interleaved1F1B", 2),
    ("three", "Interleaved1F1B", 3),
    ("zero", "InterleavedZeroBubble", 2),
    ("zbv", "ZBVZeroBubble", 2),
)


def schedules():
    result = {}
    head = f"{'4 stages, 8 micro-batches':<26} {'chunks':>6} {'slots':>6} {'idle':>5}"
    lines = [f"{head} {'share':>7} {'inside':>7} {'held by rank':>22}"]
    for key, name, chunks in CASES:
        of = played(planned(name, STAGES, MICRO_BATCHES, chunks))
        scale = chunks or 1
        held = [count / scale for count in of["held"]]
        result |= {
            f"{key}_time": of["time"] / scale,
            f"{key}_idle": of["idle"] / scale,
            f"{key}_share": of["idle"] / of["time"],
            f"{key}_inside": of["inside"] / scale,
            f"{key}_held_first": held[0],
            f"{key}_held_last": held[-1],
        }
        shown = " ".join(f"{count:.1f}" for count in held)
        lines.append(
            f"{name:<26} {scale:>6} {of['time'] / scale:>6.1f} {of['idle'] / scale:>5.1f}"
            f" {of['idle'] / of['time']:>7.1%} {of['inside'] / scale:>7.1f} {shown:>22}"
        )
    tried = [(p, m * p) for p in range(2, 9) for m in range(1, 5)]
    for key, name, chunks in (CASES[0], CASES[2], CASES[5]):
        unlike = sum(
            played(planned(name, p, m, chunks))["time"] != formula(p, m, chunks or 1)
            for p, m in tried
        )
        result |= {f"{key}_unlike": unlike, "tried": len(tried)}
        lines.append(f"{name}: {unlike} of {len(tried)} pairs unlike the formula")
    return lines, result


PARTS = {
    "tensor": (tensor, 2),
    "memory": (memory, 2),
    "pipeline": (pipeline, STAGES),
    "schedules": (schedules, 1),
}


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
        sys.exit(f"usage: parallel.py {'|'.join(PARTS)}")
    part = sys.argv[1]
    ranks = PARTS[part][1]
    file = Path.cwd() / f"meeting-{part}"
    mp.start_processes(rank_main, args=(part, ranks, str(file)), nprocs=ranks, start_method="fork")


if __name__ == "__main__":
    main()
