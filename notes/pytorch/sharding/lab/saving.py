"""What state dicts and loading hold in each process, and how they come to be."""

import tempfile
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from counting import Watch
from groups import by_block, mesh_of
from model import Model, made
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_model_state_dict,
    set_model_state_dict,
)
from torch.distributed.tensor import DTensor

FULL = StateDictOptions(full_state_dict=True)
FULL_ON_ONE = StateDictOptions(full_state_dict=True, cpu_offload=True)


def held(state):
    """Bytes that a state dict holds in this process."""
    tensors = [t.to_local() if isinstance(t, DTensor) else t for t in state.values()]
    return sum(t.nbytes for t in tensors)


def all_ranks(number):
    """The number of each process, the first process's first."""
    numbers = [None] * dist.get_world_size()
    dist.all_gather_object(numbers, number)
    return numbers


def saved():
    """Bytes of the file that each process writes with distributed checkpoints."""
    folders = [tempfile.mkdtemp() if dist.get_rank() == 0 else None]
    dist.broadcast_object_list(folders)
    model = by_block(mesh_of(4))
    dcp.save({"model": get_model_state_dict(model)}, checkpoint_id=folders[0])
    own = Path(folders[0]) / f"__{dist.get_rank()}_0.distcp"
    return all_ranks(own.stat().st_size)


def eager():
    return by_block(mesh_of(4))


def meta():
    with torch.device("meta"):
        model = Model()
    by_block(mesh_of(4), model=model).to_empty(device="cpu")
    return model


def from_first():
    """The first process has the weights, the others get their shards from it."""
    weights = made().state_dict() if dist.get_rank() == 0 else {}
    model = meta()
    set_model_state_dict(model, weights, options=StateDictOptions(full_state_dict=True, broadcast_from_rank0=True))
    return model


def run():
    lines, result = [f"{'state dict':<40}{'all-gather':>11}{'first':>8}{'second':>8}"], {}
    model = by_block(mesh_of(4))
    model(torch.zeros(1, 1, dtype=torch.long))
    for name, title, get in (
        ("plain", "model.state_dict()", model.state_dict),
        ("full", "full_state_dict=True", lambda: get_model_state_dict(model, options=FULL)),
        ("one", "  and cpu_offload=True", lambda: get_model_state_dict(model, options=FULL_ON_ONE)),
    ):
        with Watch() as watch:
            state = get()
        first, second, *_ = all_ranks(held(state))
        gathers = watch.counts()["all-gather"]
        result |= {f"{name}_gathers": gathers, f"{name}_first": first, f"{name}_second": second}
        lines.append(f"{title:<40}{gathers:>11}{first / 1e6:>8.1f}{second / 1e6:>8.1f}")
    first, second, *_ = saved()
    result |= {"files_first": first, "files_second": second}
    lines.append(f"{'dcp.save, the file of each':<40}{'':>11}{first / 1e6:>8.1f}{second / 1e6:>8.1f}")
    lines.append(f"{'most while the model is made':<40}{'':>11}{'first':>8}{'second':>8}")
    for name, title, make in (
        ("eager", "made, then sharded", eager),
        ("meta", "on meta, sharded, to_empty", meta),
        ("sent", "  and weights from the first", from_first),
    ):
        with Watch() as watch:
            make()
        first, second, *_ = all_ranks(watch.peak)
        result |= {f"{name}_made_first": first, f"{name}_made_second": second}
        lines.append(f"{title:<40}{'':>11}{first / 1e6:>8.1f}{second / 1e6:>8.1f}")
    return lines, result
