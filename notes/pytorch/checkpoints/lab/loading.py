"""What loading a model costs, in a process for each way: memory, and bytes that read() returned; a table, then JSON.

    python3 loading.py          torch.load
    python3 loading.py tensors  safetensors
"""

import json
import os
import sys

import torch
from torch import nn

LAYERS, SMALL, LARGE = 32, 16, 1024
MIB = 1 << 20


def network(width, device=None):
    return nn.Sequential(*(nn.Linear(width, width, bias=False, device=device) for _ in range(LAYERS)))


def pt(width, **options):
    return torch.load(f"{width}.pt", **options)


def loaded(net, state, assign):
    net.load_state_dict(state, assign=assign)
    return net, state


def plain(width):
    return loaded(network(width), pt(width), False)


def mapped(width):
    return loaded(network(width), pt(width, mmap=True), False)


def assigned(width):
    return loaded(network(width, "meta"), pt(width), True)


def both(width):
    return loaded(network(width, "meta"), pt(width, mmap=True), True)


def used(kept):
    for each in kept[0].parameters():
        each.sum()
    return kept


def both_used(width):
    return used(both(width))


@torch.no_grad()
def both_changed(width):
    kept = both(width)
    for each in kept[0].parameters():
        each.add_(1)
    return kept


def one(width):
    state = pt(width)
    return state, state["0.weight"].sum()


def one_mapped(width):
    state = pt(width, mmap=True)
    return state, state["0.weight"].sum()


def tensors(width):
    return used(loaded(network(width, "meta"), safetensors.torch.load_file(f"{width}.safetensors"), True))


def tensors_one(width):
    with safetensors.safe_open(f"{width}.safetensors", framework="pt") as file:
        weight = file.get_tensor("0.weight")
    return weight, weight.sum()


def tensors_whole(width):
    with open(f"{width}.safetensors", "rb") as file:
        return safetensors.torch.load(file.read())


OF_TORCH = {
    "plain": (plain, "torch.load, copied into a model"),
    "mapped": (mapped, "mmap=True, copied into a model"),
    "assigned": (assigned, "torch.load, meta, assign"),
    "both": (both, "mmap=True, meta, assign"),
    "both_used": (both_used, "  and each weight read"),
    "both_changed": (both_changed, "  and each weight changed"),
    "one": (one, "one weight, torch.load"),
    "one_mapped": (one_mapped, "one weight, mmap=True"),
}
OF_TENSORS = {
    "tensors": (tensors, "load_file, meta, assign, read"),
    "tensors_one": (tensors_one, "one weight, safe_open"),
    "tensors_whole": (tensors_whole, "load(file.read())"),
}


def numbers():
    """Of this process, in MiB: its own memory, that of files that it has touched, bytes of read() so far."""
    with open("/proc/self/status") as file:
        status = dict(line.split(":", 1) for line in file)
    with open("/proc/self/io") as file:
        io = dict(line.split(":", 1) for line in file)
    own, files, shared = (int(status[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile", "RssShmem"))
    return own, files + shared, int(io["rchar"]) / MIB


def in_a_process(body, *args):
    """What body(*args) returns, run in a process of its own."""
    ours, theirs = os.pipe()
    if not os.fork():
        os.write(theirs, json.dumps(body(*args)).encode())
        os._exit(0)
    os.close(theirs)
    os.wait()
    with os.fdopen(ours) as file:
        return json.load(file)


def measured(way):
    """What way() adds to numbers(), while everything that it returns is there; a small model goes first."""
    way(SMALL)
    before = numbers()
    kept = way(LARGE)
    after = numbers()
    del kept
    return [b - a for a, b in zip(before, after, strict=True)]


def written(save, name):
    for width in SMALL, LARGE:
        save(network(width).state_dict(), f"{width}.{name}")


def main(ways, save, kind):
    torch.set_num_threads(1)
    in_a_process(written, save, kind)
    result = {"model": LAYERS * LARGE * LARGE * 4 / MIB}
    print("MiB, of a model of 128             own    files     read")
    for name, (way, text) in ways.items():
        own, files, read = in_a_process(measured, way)
        print(f"{text:<32}{own:>6.0f}{files:>9.0f}{read:>9.1f}")
        result |= {f"{name}_own": own, f"{name}_files": files, f"{name}_read": read}
    print(json.dumps(result))


if sys.argv[1:] == ["tensors"]:
    import safetensors
    import safetensors.torch

    main(OF_TENSORS, safetensors.torch.save_file, "safetensors")
else:
    main(OF_TORCH, torch.save, "pt")
