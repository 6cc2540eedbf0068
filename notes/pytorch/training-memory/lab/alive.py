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
        """Counts a storage that is new, or what one has grown by."""
        key, size = storage._cdata, storage.nbytes()
        seen, old = self.known.get(key, (None, 0))
        if seen is None:

            def gone(_):
                self.now -= self.known.pop(key)[1]

            seen = weakref.ref(storage, gone)
        self.known[key] = seen, size
        self.now += size - old
        self.peak = max(self.peak, self.now)

    def most_in(self, body):
        """Runs body() and returns the most bytes that were alive meanwhile."""
        self.peak = self.now
        body()
        return self.peak
