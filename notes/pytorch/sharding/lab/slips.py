"""Slips: the optimizer made too early, the norm of the gradients, frozen and tied weights, sizes that do not divide."""

import copy

import torch
import torch.distributed as dist
from counting import Watch
from groups import BY_BLOCK, by_block, first_fsdp, mesh_of
from model import WIDTH, batch, loss_of, made
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel


def locals_of(model):
    return [p.to_local().detach().clone() for p in model.parameters()]


def changed(early):
    """How many of the model's parameters a step changes."""
    model = made()
    if early:
        optimizer = torch.optim.Adam(model.parameters(), foreach=False)
    by_block(mesh_of(4), model=model)
    if not early:
        optimizer = torch.optim.Adam(model.parameters(), foreach=False)
    before = locals_of(model)
    loss_of(model, *batch(dist.get_rank())).backward()
    optimizer.step()
    pairs = zip(before, locals_of(model), strict=True)
    return sum(not torch.equal(old, new) for old, new in pairs), len(before)


def norms():
    """The norm of all gradients by DDP, by FSDP2, and that of this process's shards alone."""
    plain = DistributedDataParallel(made())
    loss_of(plain, *batch(dist.get_rank())).backward()
    whole = nn.utils.clip_grad_norm_(plain.parameters(), 1e9).item()
    model = by_block(mesh_of(4))
    loss_of(model, *batch(dist.get_rank())).backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1e9).item()
    own = nn.utils.get_total_norm([p.grad.to_local() for p in model.parameters()]).item()
    return norm / whole, own / whole


def same_weights(steps=3):
    """The largest difference between weights after some steps of DDP and of FSDP2, of the largest change of a weight."""
    plain, model = DistributedDataParallel(made()), by_block(mesh_of(4))
    start = copy.deepcopy(list(made().parameters()))
    for net in (plain, model):
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, foreach=False)
        for number in range(steps):
            loss_of(net, *batch(dist.get_rank(), number)).backward()
            optimizer.step()
            optimizer.zero_grad()
    fulls = [p.full_tensor() for p in model.parameters()]
    apart = max((a - b).abs().max().item() for a, b in zip(fulls, plain.module.parameters(), strict=True))
    moved = max((a - b).abs().max().item() for a, b in zip(fulls, start, strict=True))
    return apart / moved


class Adapter(nn.Module):
    """A frozen layer with two small trainable matrices beside it."""

    def __init__(self, layer, rank=8):
        super().__init__()
        self.layer = layer.requires_grad_(False)
        self.down = nn.Linear(layer.in_features, rank, bias=False)
        self.up = nn.Linear(rank, layer.out_features, bias=False)

    def forward(self, x):
        return self.layer(x) + self.up(self.down(x))


def with_adapters():
    model = made().requires_grad_(False)
    for block in model.blocks:
        block.up, block.down = Adapter(block.up), Adapter(block.down)
    return model


def reduced(model):
    """Bytes of gradients that a step reduces."""
    with Watch() as watch:
        loss_of(model, *batch(dist.get_rank())).backward()
    return sum(c.bytes for c in watch.collectives if c.kind == "reduce-scatter")


def refused():
    """What FSDP1 says of a unit with frozen and trained weights unless it keeps the original parameters."""
    try:
        first_fsdp(BY_BLOCK, with_adapters())
    except ValueError as error:
        return str(error).split(".\n")[0].split(". ")[0].removeprefix("blocks.0 ")
    return ""


def tied(together):
    """Shards a model whose head uses the embedding's weight; the first words of the error, or none."""
    model = made()
    model.head.weight = model.words.weight
    if together:
        fully_shard([model.words, model.head], mesh=mesh_of(4))
    else:
        fully_shard(model.words, mesh=mesh_of(4))
        fully_shard(model.head, mesh=mesh_of(4))
    by_block(mesh_of(4), model=model)
    try:
        loss_of(model, *batch(dist.get_rank())).backward()
    except (ValueError, RuntimeError) as error:
        return str(error)
    return ""


def padded(rows):
    """Bytes gathered for a weight with that many rows, of its own bytes."""
    layer = fully_shard(nn.Linear(WIDTH, rows, bias=False), mesh=mesh_of(4))
    with Watch() as watch:
        layer(torch.ones(1, WIDTH))
    return watch.collectives[0].bytes / (4 * WIDTH * rows)


def run():
    lines, result = [], {}
    for early in (False, True):
        count, total = changed(early)
        result["changed_early" if early else "changed"] = count
        result["total"] = total
        lines.append(f"optimizer made {'before' if early else 'after'} fully_shard: {count} of {total} parameters change")
    result["norm"], result["norm_own"] = norms()
    lines.append(f"norm of the gradients, of DDP's: FSDP2 {result['norm']:.2f}, shards of one process {result['norm_own']:.2f}")
    result["apart"] = same_weights()
    lines.append(f"weights after three steps differ from DDP's by {result['apart']:.0e} of the largest change")
    result["adapters"] = sum(p.numel() * 4 for p in with_adapters().parameters() if p.requires_grad)
    result["reduced_second"] = reduced(by_block(mesh_of(4), model=with_adapters()))
    result["reduced_first"] = reduced(first_fsdp(BY_BLOCK, with_adapters(), original=True))
    message = refused()
    result["refused"] = int(bool(message))
    lines.append(
        f"adapters of {result['adapters'] / 1e6:.1f} MB, reduced: FSDP2 {result['reduced_second'] / 1e6:.1f} MB,"
        f" FSDP1 {result['reduced_first'] / 1e6:.1f} MB"
    )
    lines.append(f"FSDP1 with use_orig_params=False: {message}")
    for together in (False, True):
        message = tied(together)
        result["tied_together" if together else "tied_apart"] = int(bool(message))
        lines.append(f"tied weights in {'one group' if together else 'two groups'}: {message.split('.')[-3] if message else 'a step'}")
    for rows in (1, 2, 3, 4, 5, 8):
        result[f"padded_{rows}"] = padded(rows)
    lines.append("gathered of a weight, by its rows: " + ", ".join(f"{rows}: {result[f'padded_{rows}']:.2f}" for rows in (1, 2, 3, 4, 5, 8)))
    return lines, result
