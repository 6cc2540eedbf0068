"""Which threads run the backward pass: a table, and JSON on the last line.

The device is a fake one: PyTorch's own support for devices written in Python, with its memory on the CPU.
For autograd it is a device like any other.
"""

import json
import threading

import tasks
import torch
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend


class OnDevice(torch.Tensor):
    """A tensor of the fake device; its numbers are in a tensor of the CPU."""

    @staticmethod
    def __new__(cls, numbers, requires_grad=False):
        tensor = torch.Tensor._make_wrapper_subclass(cls, numbers.shape, dtype=numbers.dtype, device="fake:0", requires_grad=requires_grad)
        tensor.numbers = numbers
        return tensor

    @classmethod
    def __torch_dispatch__(cls, operator, types, args=(), kwargs=None):
        ran.append(threading.get_native_id())
        kwargs = {name: "cpu" if name == "device" else value for name, value in (kwargs or {}).items()}
        numbers = torch.utils._pytree.tree_map_only(OnDevice, lambda t: t.numbers, args)
        result = operator(*numbers, **kwargs)
        return OnDevice(result) if isinstance(result, torch.Tensor) else result


class Nested(torch.autograd.Function):
    """Its backward pass calls backward() again, to a given depth."""

    @staticmethod
    def forward(ctx, x, depth):
        ctx.depth = depth
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        ran.append(threading.get_native_id())
        if ctx.depth:
            with torch.enable_grad():
                Nested.apply(torch.ones(1, requires_grad=True), ctx.depth - 1).backward()
        return gradient, None


ran = []


def hooks(w):
    """How many threads ran the hooks of a backward pass, and whether the caller was one of them."""
    seen = []
    for _ in range(3):
        w.grad = None
        y = w * w
        handles = [t.register_hook(lambda _: seen.append(threading.get_native_id())) for t in (w, y)]
        y.sum().backward()
        for handle in handles:
            handle.remove()
    return len(set(seen)), int(threading.get_native_id() in seen)


def nested(depth):
    ran.clear()
    Nested.apply(torch.ones(1, requires_grad=True), depth).backward()
    return len(set(ran))


def in_thread(work):
    answer = []
    thread = threading.Thread(target=lambda: answer.append(work()))
    thread.start()
    thread.join()
    return answer[0]


def engine_threads():
    """Threads whose name says that they belong to autograd and that are no part of an intra-op pool."""
    found = 0
    for task in tasks.names():
        with open(f"/proc/self/task/{task}/comm") as file:
            found += file.read().startswith("pt_autograd")
    return found


def main():
    _setup_privateuseone_for_python_backend("fake")
    found = {}
    rows = []

    def row(name, text, answer):
        found[name + "_threads"], found[name + "_caller"] = answer
        rows.append(f"{text:<46} {answer[0]:>7}  {'yes' if answer[1] else 'no'}")

    w = torch.ones(4, requires_grad=True)
    row("cpu", "CPU", hooks(w))
    row("python_thread", "CPU, from another Python thread", in_thread(lambda: hooks(w)))
    v = OnDevice(torch.ones(4), requires_grad=True)
    ran.clear()
    v * v
    found["forward_caller"] = int(set(ran) == {threading.get_native_id()})
    found["engine_before"] = engine_threads()
    row("device", "device", hooks(v))
    found["engine_after"] = engine_threads()
    row("device_again", "device, from another Python thread", in_thread(lambda: hooks(v)))
    with torch.autograd.set_multithreading_enabled(False):
        row("device_single", "device, set_multithreading_enabled(False)", hooks(v))
    me = threading.get_native_id()
    for depth in (60, 61, 122):
        found[f"nested_{depth}"] = nested(depth)
        rows.append(f"{f'CPU, backward() nested {depth} deep':<46} {found[f'nested_{depth}']:>7}  {'yes' if me in ran else 'no'}")
    print(f"{'backward pass':<46} threads  the caller's")
    print("\n".join(rows))
    print(json.dumps(found))


main()
