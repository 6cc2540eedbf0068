"""Calls that the first of two processes makes and the second does not: which of them wait for it."""

from datetime import timedelta

import torch.distributed as dist
from groups import by_block
from model import batch, loss_of
from torch import nn
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.distributed.device_mesh import DeviceMesh

SECONDS = 8
FULL = StateDictOptions(full_state_dict=True)

CASES = {
    "sharded_dict": ("model.state_dict()", lambda model: model.state_dict()),
    "full_dict": ("full_state_dict=True", lambda model: get_model_state_dict(model, options=FULL)),
    "another_batch": ("one more batch", lambda model: loss_of(model, *batch(0))),
    "clipping": (
        "the norm of the gradients",
        lambda model: nn.utils.clip_grad_norm_(model.parameters(), 1.0, foreach=False).item(),
    ),
}


def outcome(call):
    """What becomes of call(model) behind a step of both, in a group of its own with a short timeout."""
    group = dist.new_group(timeout=timedelta(seconds=SECONDS))
    model = by_block(DeviceMesh.from_group(group, "cpu", mesh_dim_names=("shard",)))
    loss_of(model, *batch(dist.get_rank())).backward()
    if dist.get_rank():
        return None  # it waits in the barrier that follows
    try:
        call(model)
    except RuntimeError as error:
        words = str(error).lower()
        return "timed out" if "timed out" in words or "timeout" in words else words.splitlines()[0]
    return "returned"


def run():
    lines, result = ["the first process alone"], {}
    for name, (title, call) in CASES.items():
        found = outcome(call)
        dist.barrier()
        lines.append(f"  {title:<28}{found}")
        result[name] = int(found == "timed out")
    return lines, result
