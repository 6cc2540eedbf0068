"""Collectives and bytes of one training step, by which parameters make a group."""

import torch
import torch.distributed as dist
from counting import Watch
from model import Block, batch, bytes_of, loss_of, made
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
from torch.distributed.fsdp.wrap import ModuleWrapPolicy
from torch.nn.parallel import DistributedDataParallel


def mesh_of(*shape):
    names = ("shard",) if len(shape) == 1 else ("replicate", "shard")
    return init_device_mesh("cpu", shape, mesh_dim_names=names)


def whole(mesh):
    return fully_shard(made(), mesh=mesh)


def by_block(mesh, reshard=None, model=None):
    model = model or made()
    for block in model.blocks:
        fully_shard(block, mesh=mesh, reshard_after_forward=reshard)
    return fully_shard(model, mesh=mesh, reshard_after_forward=reshard)


def ends_apart(mesh):
    model = made()
    for part in (model.words, model.head, *model.blocks):
        fully_shard(part, mesh=mesh)
    return fully_shard(model, mesh=mesh)


def by_layer(mesh):
    model = made()
    for part in model.modules():
        if isinstance(part, (nn.Linear, nn.LayerNorm, nn.Embedding)):
            fully_shard(part, mesh=mesh)
    return fully_shard(model, mesh=mesh)


def first_fsdp(policy=None, model=None, original=False):
    """FSDP1; it asks for an accelerator unless a device is named."""
    return FullyShardedDataParallel(
        model or made(), auto_wrap_policy=policy, device_id=torch.device("cpu"), use_orig_params=original
    )


BY_BLOCK = ModuleWrapPolicy({Block})


def step_of(model, optimizer, rank, step):
    loss_of(model, *batch(rank, step)).backward()
    optimizer.step()
    optimizer.zero_grad()


def measured(make):
    """What the first process counts in the second step of a model: between steps, at most, and the collectives."""
    with Watch() as watch:
        model = make()
        optimizer = torch.optim.Adam(model.parameters(), foreach=False)
        step_of(model, optimizer, dist.get_rank(), 0)
        between = watch.now
        watch.forget()
        step_of(model, optimizer, dist.get_rank(), 1)
        return watch, between


CASES = {
    "single": ("no wrapper, one process", made),
    "ddp": ("DistributedDataParallel", lambda: DistributedDataParallel(made())),
    "one": ("one group for the whole model", lambda: whole(mesh_of(4))),
    "blocks": ("a group for each block", lambda: by_block(mesh_of(4))),
    "kept": ("  and kept after the forward pass", lambda: by_block(mesh_of(4), False)),
    "ends": ("  and embedding and head apart", lambda: ends_apart(mesh_of(4))),
    "layers": ("a group for each layer", lambda: by_layer(mesh_of(4))),
    "pairs": ("reshard_after_forward=2", lambda: by_block(mesh_of(4), 2)),
    "hybrid": ("mesh (2, 2), a group for each block", lambda: by_block(mesh_of(2, 2))),
    "first": ("FSDP1, no auto_wrap_policy", first_fsdp),
    "first_blocks": ("FSDP1, ModuleWrapPolicy({Block})", lambda: first_fsdp(BY_BLOCK)),
    "alone": ("mesh (4, 1), a group for each block", lambda: by_block(mesh_of(4, 1))),
}


def run():
    result = {"parameter_bytes": bytes_of(made())}
    lines = [f"{'':<36}{'all-gather':>11}{'reduce-sc.':>11}{'all-reduce':>11}{'sent':>8}{'between':>9}{'most':>7}"]
    for name, (title, make) in CASES.items():
        watch, between = measured(make)
        counts = watch.counts()
        across = watch.sent("all-reduce")
        found = {
            "gathers": counts["all-gather"],
            "scatters": counts["reduce-scatter"],
            "reduces": counts["all-reduce"],
            "sent": watch.sent(),
            "across": across,
            "between": between,
            "most": watch.peak,
        }
        result |= {f"{name}_{key}": value for key, value in found.items()}
        lines.append(
            f"{title:<36}{found['gathers']:>11}{found['scatters']:>11}{found['reduces']:>11}"
            f"{found['sent'] / 1e6:>8.1f}{between / 1e6:>9.1f}{watch.peak / 1e6:>7.1f}"
        )
    return lines, result
