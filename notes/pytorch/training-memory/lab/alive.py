"""Adds up the bytes of all tensors that are alive, operation by operation."""

import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class Alive(TorchDispatchMode):
    """Within it, ``now`` are the bytes of storages on the device that exist, and ``peak`` the most there were."""

    def __init__(self, device):
        super().__init__()
        self.device, self.now, self.peak, self.known = device, 0, 0, {}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor) and leaf.device.type == self.device:
                self.add(leaf.untyped_storage())
        return result

    def add(self, storage):
        key = storage._cdata
        if key in self.known:
            return
        size = storage.nbytes()

        def gone(_):
            self.now -= size
            del self.known[key]

        self.known[key] = weakref.ref(storage, gone)
        self.now += size
        self.peak = max(self.peak, self.now)

    def most_in(self, body):
        """Runs body() and returns the most bytes that were alive meanwhile."""
        self.peak = self.now
        body()
        return self.peak
