"""What load_state_dict does with names and types, and what state_dict gives; then the counts as JSON."""

import copy
import json

import torch
import torch.distributed as dist
from torch import nn


def network():
    return nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Linear(8, 8))


class WithTable(nn.Module):
    """A module whose table is not saved."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))
        self.register_buffer("table", torch.arange(4), persistent=False)


def wrong_names(name, wrapped, result):
    """Loads the state of a wrapped model into a plain one, strictly and not."""
    state, net = wrapped.state_dict(), network()
    before = {key: each.clone() for key, each in net.state_dict().items()}
    try:
        net.load_state_dict(state)
    except RuntimeError as error:
        print(f"{name}: {str(error).splitlines()[1].strip()[:66]}…")
    found = net.load_state_dict(state, strict=False)
    changed = sum(not torch.equal(each, before[key]) for key, each in net.state_dict().items())
    result |= {f"{name}_keys": len(state), f"{name}_missing": len(found.missing_keys), f"{name}_loaded": changed}
    print(f"  strict=False: no error, {changed} of {len(state)} loaded, the first is {next(iter(state))!r}")


def trained():
    net = network()
    net(torch.randn(16, 8)).sum().backward()
    torch.optim.SGD(net.parameters(), lr=0.1).step()
    return net


def assigned(state, early):
    """How many parameters a step changes if the optimizer was made before the state was assigned, or after."""
    net, state = network(), {name: each.clone() for name, each in state.items()}
    if early:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.load_state_dict(state, assign=True)
    if not early:
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    before = [p.detach().clone() for p in net.parameters()]
    (net(torch.randn(16, 8)) ** 2).sum().backward()
    optimizer.step()
    return sum(not torch.equal(p, b) for p, b in zip(net.parameters(), before, strict=True))


def main():
    torch.manual_seed(0)
    result, net = {}, trained()
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    wrong_names("ddp", nn.parallel.DistributedDataParallel(net), result)
    wrong_names("compile", torch.compile(net), result)

    half = network().bfloat16()
    half.load_state_dict(net.state_dict())
    print("float32 into bfloat16:", half[0].weight.dtype, end=", ")
    half.load_state_dict(net.state_dict(), assign=True)
    print("with assign=True:", half[0].weight.dtype)

    best = net.state_dict()
    copied = copy.deepcopy(best)
    kept = {name: each.clone() for name, each in best.items()}
    with torch.no_grad():
        net[0].weight.add_(1)
    result["best_changed"] = int(not torch.equal(best["0.weight"], kept["0.weight"]))
    result["copy_changed"] = int(not torch.equal(copied["0.weight"], kept["0.weight"]))
    print("state_dict() kept over a step:", "the new weights" if result["best_changed"] else "the old weights")

    result["early_changed"], result["late_changed"] = assigned(kept, True), assigned(kept, False)
    print("optimizer made before assign=True: parameters that a step changed:", result["early_changed"])
    print("made after it:", result["late_changed"])

    result["table_keys"] = len(WithTable().state_dict())
    with torch.device("meta"):
        bare = WithTable()
    bare.load_state_dict({"weight": torch.ones(4)}, assign=True)
    result["weight_meta"], result["table_meta"] = int(bare.weight.is_meta), int(bare.table.is_meta)
    print("a buffer with persistent=False after meta and assign=True:", bare.table.device)
    result["batchnorm_keys"] = sum(name.startswith("1.") for name in kept)
    wide = network()
    other = torch.optim.AdamW(wide.parameters())
    wide(torch.randn(16, 8)).sum().backward()
    other.step()
    narrow = torch.optim.AdamW(network().bfloat16().parameters())
    narrow.load_state_dict(other.state_dict())
    moment = next(iter(narrow.state.values()))["exp_avg"]
    result["moment_bytes"] = moment.element_size()
    result["wide_bytes"] = next(iter(other.state.values()))["exp_avg"].element_size()
    print("float32 moments loaded for bfloat16 weights:", moment.dtype)
    print(json.dumps(result))


main()
