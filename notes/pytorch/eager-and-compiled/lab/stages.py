"""What is left of a function at each stage of torch.compile, as a table and as JSON.

Operators are those that the profiler sees and that no other operator called; allocations and bytes are the
profiler's too. The calls that compile are not counted.
"""

import json
import warnings

import fresh  # noqa: F401
import torch
from torch import nn
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.partitioners import min_cut_rematerialization_partition
from torch._inductor import metrics
from torch._inductor.compile_fx import select_decomp_table
from torch._inductor.graph import GraphLowering
from torch.autograd.graph import saved_tensors_hooks
from torch.profiler import ProfilerActivity, profile

SIZE = 1024


def chain(x, w, b):
    return torch.tanh(torch.sigmoid(torch.relu(x * w + b)) - 0.5) * x


def product(x, y):
    return x @ y


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(256), nn.Linear(256, 1024), nn.Linear(1024, 256)

    def forward(self, x):
        return x + self.down(nn.functional.gelu(self.up(self.norm(x))))


def nodes(graph):
    return sum(node.op.startswith("call") for node in graph.graph.nodes)


def captured(function, inputs, train):
    """Operators in the graph of Dynamo, and in the forward and backward graphs of AOTAutograd."""
    torch._dynamo.reset()
    found = {}

    def keep(stage):
        def compiler(graph, examples):
            found[stage] = nodes(graph)
            return graph.forward

        return compiler

    def backend(graph, examples):
        found["dynamo"] = nodes(graph)
        return aot_autograd(
            fw_compiler=keep("forward"),
            bw_compiler=keep("backward"),
            decompositions=select_decomp_table(),
            partition_fn=min_cut_rematerialization_partition,
        )(graph, examples)

    result = torch.compile(function, backend=backend)(*inputs)
    if train:
        result.sum().backward()
    return found


def top(events):
    def called(event):
        while event.cpu_parent is not None:
            event = event.cpu_parent
            if event.name.startswith("aten::"):
                return True
        return False

    return sum(e.name.startswith("aten::") and not called(e) for e in events)


def profiled(work):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as recorded:
        kept = work()
    memory = [e.nbytes() for e in recorded.profiler.kineto_results.events() if e.name() == "[memory]"]
    alive = peak = 0
    for change in memory:
        alive += change
        peak = max(peak, alive)
    del kept
    made = [change for change in memory if change >= 4096]
    return {"operators": top(recorded.events()), "allocations": len(made), "peak": peak}


def saved(function, inputs):
    """Bytes that the backward pass waits for, besides the inputs and parameters."""
    storages, own = {}, {t.untyped_storage().data_ptr() for t in inputs}
    if hasattr(function, "parameters"):
        own |= {p.untyped_storage().data_ptr() for p in function.parameters()}

    def pack(tensor):
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            storages[storage.data_ptr()] = storage.nbytes()
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        result = function(*inputs)
    total = sum(storages.values())
    result.sum().backward()
    return total


def compiled_counts(function, inputs, train):
    torch._dynamo.reset()
    metrics.reset()
    moved, functions = [], []
    original = GraphLowering.codegen

    def codegen(self, *args, **kwargs):
        result = original(self, *args, **kwargs)
        code = result[0]
        functions.append(getattr(code, "value", str(code)).count("async_compile.cpp_pybinding("))
        moved.append(self.count_bytes()[0])
        return result

    GraphLowering.codegen = codegen
    try:
        compiled = torch.compile(function)
        result = compiled(*inputs)
        if train:
            result.sum().backward()
    finally:
        GraphLowering.codegen = original
    return compiled, {"kernels": sum(functions), "metric": metrics.generated_kernel_count, "moved": sum(moved)}


def measured(name, function, inputs, train):
    found = captured(function, inputs, train)
    compiled, generated = compiled_counts(function, inputs, train)
    out = {**generated, **found}
    for state, work in (("eager", function), ("compiled", compiled)):
        work(*inputs)
        for quantity, value in profiled(lambda: work(*inputs)).items():  # noqa: B023
            out[f"{state}_{quantity}"] = value
        if train:
            out[f"{state}_saved"] = saved(work, inputs)
    return {f"{name}_{key}": value for key, value in out.items()}


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    warnings.simplefilter("ignore")
    x, w, b = torch.randn(SIZE, SIZE), torch.randn(SIZE), torch.randn(SIZE)
    leaves = [t.clone().requires_grad_() for t in (x, w, b)]
    block, rows = Block(), torch.randn(512, 256)
    cases = {
        "chain": ("chain", chain, (x, w, b), False),
        "train": ("chain, with gradients", chain, leaves, True),
        "block": ("block, with gradients", block, (rows,), True),
        "product": ("x @ y", product, (x, x.clone()), False),
    }
    result = {}
    print(f"{'':<22} {'operators of each stage':^33} {'kernels':>7} {'allocations':^15} {'saved bytes':^21}")
    print(f"{'':<22}  eager  dynamo forward backward         eager compiled      eager   compiled")
    for name, (text, *case) in cases.items():
        counts = measured(name, *case)
        order = ("eager_operators", "dynamo", "forward", "backward", "kernels", "eager_allocations", "compiled_allocations", "eager_saved", "compiled_saved")
        cells = [f"{counts[f'{name}_{key}']:,}" if f"{name}_{key}" in counts else "-" for key in order]
        widths = (6, 7, 7, 8, 7, 7, 8, 10, 10)
        print(f"{text:<22}", *(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True)))
        result |= counts
    print(json.dumps(result))


main()
