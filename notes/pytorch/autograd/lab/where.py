"""What is alive at the peak of the second training step, by kind, as JSON in bytes.

PyTorch's MemTracker follows tensors that have shapes and no data, so nothing is computed.
"""

import json

import torch
from model import Block
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.distributed._tools.mem_tracker import MemTracker
from torch.utils.checkpoint import checkpoint


def at_peak(checkpointed, foreach):
    with FakeTensorMode():
        net = nn.ModuleList([Block(1024, 16) for _ in range(8)])
        x = torch.randn(8, 512, 1024, requires_grad=True)
        opt = torch.optim.AdamW(net.parameters(), foreach=foreach)
        tracker = MemTracker()
        tracker.track_external(net, opt, x)
        with tracker:
            for turn in range(2):
                h = x
                for block in net:
                    h = checkpoint(block, h, use_reentrant=False) if checkpointed else block(h)
                h.sum().backward()
                opt.step()
                opt.zero_grad()
                if turn == 0:
                    tracker.reset_mod_stats()
        (kinds,) = tracker.get_tracker_snapshot("peak").values()
        return {getattr(kind, "value", kind).lower(): size for kind, size in kinds.items()}


def main():
    result = {}
    for name, options in {"plain": (False, True), "checkpointed": (True, True), "loop": (True, False)}.items():
        result |= {f"{name}_{kind}": size for kind, size in at_peak(*options).items()}
    print(json.dumps(result))


main()
