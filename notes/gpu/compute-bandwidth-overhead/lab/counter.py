"""Counts what PyTorch's operators do, on the meta device: no data, and no GPU.

An operator is one that reaches __torch_dispatch__ (below autograd) and is no view. On a GPU each
of them launches a kernel, some more than one.

operators  how many there are
flop       those of PyTorch's own formula for a product; any other operator counts one for each
           element of its largest tensor, also where that one is an exponential
bytes      every operand read once and every result written once
"""

import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry


class Counter(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.operators = self.flop = self.bytes = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = function(*args, **kwargs)
        packet = function._overloadpacket
        if function.is_view or packet is torch.ops.aten._unsafe_view:
            return result
        operands = tensors((args, kwargs))
        results = tensors(result)
        self.operators += 1
        self.bytes += sum(map(size, operands)) + sum(map(size, results))
        if packet in flop_registry:
            self.flop += flop_registry[packet](*args, **kwargs, out_val=result)
        else:
            self.flop += max(t.numel() for t in operands + results)
        return result


def tensors(tree):
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, torch.Tensor)]


def size(tensor):
    """Bytes of a tensor; a dimension that only repeats (stride 0) is in memory once."""
    distinct = (n for n, stride in zip(tensor.shape, tensor.stride()) if stride)
    return math.prod(distinct) * tensor.element_size()


def counted(work):
    """The counter after one call of work."""
    with Counter() as counter:
        work()
    return counter
