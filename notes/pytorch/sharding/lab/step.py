"""Gradient accumulation, mixed precision and activation checkpoints under FSDP2."""

import torch
import torch.distributed as dist
from counting import Watch
from groups import by_block, measured, mesh_of
from model import Block, batch, loss_of, made
from torch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
from torch.utils.checkpoint import checkpoint


def accumulated(sync, keep=False):
    """Four micro-batches: what is held after three of them, the most, and the collectives."""
    model = by_block(mesh_of(4))
    with Watch() as watch:
        optimizer = torch.optim.Adam(model.parameters(), foreach=False)
        for number in range(2):
            watch.forget()
            for part in range(4):
                model.set_requires_gradient_sync(sync or part == 3)
                model.set_reshard_after_backward(not keep or part == 3)
                loss_of(model, *batch(dist.get_rank(), 4 * number + part)).backward()
                if part == 2:
                    held = sum(g.nbytes for g in gradients(model))
            optimizer.step()
            optimizer.zero_grad()
        return watch, held


def gradients(model):
    """The gradients that this process holds: its shards, or whole ones that wait for their reduction."""
    for module in model.modules():
        if not isinstance(module, FSDPModule):
            continue
        for each in module._get_fsdp_state()._fsdp_param_group.fsdp_params:
            shard, full = each.sharded_param.grad, getattr(each, "_unsharded_param", None)
            if shard is not None:
                yield shard.to_local()
            if full is not None and full.grad is not None:
                yield full.grad
            if each.unsharded_accumulated_grad is not None:
                yield each.unsharded_accumulated_grad


def precise(policy, dtype=torch.float32):
    def make():
        model = made().to(dtype)
        for block in model.blocks:
            fully_shard(block, mesh=mesh_of(4), mp_policy=policy)
        return fully_shard(model, mesh=mesh_of(4), mp_policy=policy)

    return make


class Saving(Block):
    """A block that keeps its input alone and computes the rest again in the backward pass."""

    def forward(self, x):
        return checkpoint(super().forward, x, use_reentrant=False)


def checkpointed(how):
    def make():
        model = made()
        for index, block in enumerate(model.blocks):
            if how == "inside":
                block.__class__ = Saving
            fully_shard(block, mesh=mesh_of(4))
            if how == "around":
                model.blocks[index] = Around(block)
        return fully_shard(model, mesh=mesh_of(4))

    return make


class Around(torch.nn.Module):
    """Checkpoints a block that is a group of its own."""

    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, x):
        return checkpoint(self.block, x, use_reentrant=False)


def run():
    result, lines = {}, [f"{'4 micro-batches':<34}{'all-gather':>11}{'reduce-sc.':>11}{'gradients':>11}{'most':>8}"]
    for name, title, options in (
        ("every", "reduced in each", (True,)),
        ("last", "reduced in the last", (False,)),
        ("held", "  and kept between them", (False, True)),
    ):
        watch, held = accumulated(*options)
        counts = watch.counts()
        result |= {
            f"{name}_gathers": counts["all-gather"],
            f"{name}_scatters": counts["reduce-scatter"],
            f"{name}_gradients": held,
            f"{name}_most": watch.peak,
        }
        lines.append(
            f"{title:<34}{counts['all-gather']:>11}{counts['reduce-scatter']:>11}{held / 1e6:>11.1f}{watch.peak / 1e6:>8.1f}"
        )
    bf16, f32 = torch.bfloat16, torch.float32
    lines.append(f"{'precision':<34}{'gathered':>11}{'reduced':>11}{'between':>11}{'most':>8}")
    for name, title, make in (
        ("plain", "float32", precise(MixedPrecisionPolicy())),
        ("mixed", "param_dtype=bfloat16", precise(MixedPrecisionPolicy(param_dtype=bf16))),
        ("reduce", "  and reduce_dtype=float32", precise(MixedPrecisionPolicy(param_dtype=bf16, reduce_dtype=f32))),
        ("half", "the model itself in bfloat16", precise(MixedPrecisionPolicy(), bf16)),
    ):
        watch, between = measured(make)
        gathered, reduced = (
            sum(c.bytes for c in watch.collectives if c.kind == kind) for kind in ("all-gather", "reduce-scatter")
        )
        result |= {f"{name}_gathered": gathered, f"{name}_reduced": reduced, f"{name}_between": between, f"{name}_peak": watch.peak}
        lines.append(
            f"{title:<34}{gathered / 1e6:>11.1f}{reduced / 1e6:>11.1f}{between / 1e6:>11.1f}{watch.peak / 1e6:>8.1f}"
        )
    lines.append(f"{'checkpoints':<34}{'all-gather':>11}")
    for how, title in (
        ("none", "none"),
        ("inside", "block is a group, checkpoint in it"),
        ("around", "checkpoint around the group"),
    ):
        watch, _ = measured(checkpointed(how))
        result[f"{how}_gathers"] = watch.counts()["all-gather"]
        lines.append(f"{title:<34}{result[f'{how}_gathers']:>11}")
    return lines, result
