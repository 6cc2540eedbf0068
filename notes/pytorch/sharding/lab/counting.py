"""What a process holds and what it asks the group for, operation by operation."""

import weakref
from collections import Counter
from typing import NamedTuple

import torch
import torch.distributed as dist
from torch.distributed import ProcessGroup
from torch.distributed.tensor import DTensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class Collective(NamedTuple):
    """One collective: ``bytes`` are those of the tensor before it is split, or after it is put together."""

    kind: str
    bytes: int
    ranks: int

    @property
    def sent(self):
        """What each process sends of it in a ring."""
        share = (self.ranks - 1) / self.ranks
        return round((2 if self.kind == "all-reduce" else 1) * share * self.bytes)


KINDS = {"allgather": "all-gather", "reduce_scatter": "reduce-scatter", "allreduce": "all-reduce"}


def collective_of(name, args):
    """The collective that this operator of PyTorch is, or None."""
    kind = next((value for key, value in KINDS.items() if key in name.replace("all_", "all")), None)
    if kind is None:
        return None
    leaves = tree_leaves(args)
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    boxed = [leaf for leaf in leaves if isinstance(leaf, torch.ScriptObject) and "ProcessGroup" in str(leaf._type())]
    ranks = ProcessGroup.unbox(boxed[0]).size() if boxed else dist.get_world_size()
    size = max(t.nbytes for t in tensors)
    if kind == "all-gather" and "base" not in name:  # of this form the tensors are shards
        size *= ranks
    return Collective(kind, size, ranks)


class Watch(TorchDispatchMode):
    """Adds up the storages that are alive, ``peak`` the most of them, and lists the collectives.

    The storages are asked for their size at each operator, since FSDP2 shrinks and grows them in place.
    """

    def __init__(self):
        super().__init__()
        self.known, self.peak, self.collectives = {}, 0, []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if any(issubclass(t, DTensor) for t in types):
            return NotImplemented
        name = str(func)
        if name.startswith(("c10d.", "_c10d_functional.")) and "wait" not in name:
            found = collective_of(name, args)
            if found:
                self.collectives.append(found)
        result = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(result):
            if isinstance(leaf, torch.Tensor) and leaf.device.type == "cpu":
                storage = leaf.untyped_storage()
                self.known.setdefault(storage._cdata, weakref.ref(storage))
        self.peak = max(self.peak, self.now)
        return result

    @property
    def now(self):
        """The bytes of all storages that are alive."""
        total = 0
        for key, ref in list(self.known.items()):
            storage = ref()
            if storage is None:
                del self.known[key]
            else:
                total += storage.nbytes()
        return total

    def counts(self):
        return Counter(each.kind for each in self.collectives)

    def sent(self, kind=None):
        return sum(each.sent for each in self.collectives if kind in (None, each.kind))

    def forget(self):
        """Begins a new count, of what comes from here on."""
        self.peak = self.now
        self.collectives.clear()
