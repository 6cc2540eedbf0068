"""Kernels and bytes of Inductor's code for sm_90 (Hopper), with its fusion and without, and no GPU.

    python3 fuse.py            a table, and the counts as JSON
    python3 fuse.py names      the calls that Inductor's fused code makes; a name tells what it does

A stand-in for Triton's driver names the target; Inductor generates its Triton code, and the program
stops before anything is compiled for the GPU or run. Its bytes are Inductor's own count: what each
kernel reads and writes of its arguments. The bytes of eager PyTorch are counted alike, for each
operator that is no view; an operand given twice counts once.
"""

import json
import logging
import os
import re
import sys
import tempfile
import warnings

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

import torch
import triton
from torch._inductor import config
from torch._inductor.graph import GraphLowering
from torch.nn.functional import gelu, layer_norm
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from triton.backends.compiler import GPUTarget

UNFUSED, FUSED = 1, 64  # torch._inductor.config.max_fusion_size; 64 is the default


class Driver:
    """Says which GPU to generate code for, and nothing else."""

    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self):
        return 0

    def get_active_torch_device(self):
        return torch.device("cpu")

    def __getattr__(self, name):
        return lambda *args, **kwargs: 0


class Eager(TorchDispatchMode):
    """Counts the operators of eager PyTorch, and the bytes of their tensors."""

    def __init__(self):
        super().__init__()
        self.operators = self.bytes = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if not function.is_view:
            leaves = tree_leaves((args, kwargs, result))
            found = {t.data_ptr(): t.nbytes for t in leaves if isinstance(t, torch.Tensor)}
            self.operators += 1
            self.bytes += sum(found.values())
        return result


class Generated(Exception):
    """Raised as soon as the code is there."""


def softmax_by_hand(x):
    weights = torch.exp(x - x.amax(-1, keepdim=True))
    return weights / weights.sum(-1, keepdim=True)


def attention(q, k, v):
    return torch.softmax(q @ k.T, -1) @ v


def cases():
    x, y, row = torch.randn(1024, 1024), torch.randn(1024, 1024), torch.randn(1024)
    q = torch.randn(1024, 64)
    return {
        "chain": ("gelu(x + b) * 2 + x", lambda x, b: gelu(x + b) * 2 + x, (x, row)),
        "hand": ("softmax in five steps", softmax_by_hand, (x,)),
        "softmax": ("torch.softmax(x)", lambda x: torch.softmax(x, -1), (x,)),
        "norm": (
            "layer_norm(x + y)",
            lambda x, y, w, b: layer_norm(x + y, (1024,), w, b),
            (x, y, row, row),
        ),
        "siblings": ("relu(x), sigmoid(x)", lambda x: (x.relu(), x.sigmoid()), (x,)),
        "strangers": ("relu(x), sigmoid(y)", lambda x, y: (x.relu(), y.sigmoid()), (x, y)),
        "total": ("(x * x).sum()", lambda x: (x * x).sum(), (x,)),
        "product": ("gelu(x @ y + b)", lambda x, y, b: gelu(x @ y + b), (x, y, row)),
        "attention": ("softmax(q @ k.T) @ v", attention, (q, q + 1, q + 2)),
    }


def generate(work, operands, size):
    """The code and the bytes of one function, as Inductor makes them for the target."""
    caught = []
    original = GraphLowering.codegen

    def codegen(self, *args, **kwargs):
        code = original(self, *args, **kwargs)[0]
        caught.append((getattr(code, "value", str(code)), self.count_bytes()[0]))
        raise Generated

    torch._dynamo.reset()
    config.max_fusion_size = size
    GraphLowering.codegen = codegen
    try:
        torch.compile(work)(*operands)
    except Exception:
        if not caught:
            raise
    finally:
        GraphLowering.codegen = original
    return caught[0]


def counted(work, operands):
    """The three ways of one function: eager, one kernel for each step, and fused."""
    with Eager() as eager:
        work(*operands)
    result = {"eager_operators": eager.operators, "eager_bytes": eager.bytes}
    for state, size in (("apart", UNFUSED), ("fused", FUSED)):
        code, moved = generate(work, operands, size)
        result[f"{state}_kernels"] = len(
            re.findall(r"^def triton_\w+\(", code, re.MULTILINE)
        )
        result[f"{state}_library"] = len(re.findall(r"extern_kernels\.\w+\(", code))
        result[f"{state}_bytes"] = moved
    return result


def row(what, counts):
    def cell(kernels, library, moved):
        text = f"{kernels} + {library}" if library else f"{kernels}"
        return f"{text:>8s} {moved / 2**20:6.1f}"

    apart = cell(*(counts[f"apart_{each}"] for each in ("kernels", "library", "bytes")))
    fused = cell(*(counts[f"fused_{each}"] for each in ("kernels", "library", "bytes")))
    return f"{what:22s} {cell(counts['eager_operators'], 0, counts['eager_bytes'])} {apart} {fused}"


def main(arguments):
    triton.runtime.driver.set_active(Driver())
    config.cpu_backend = "triton"
    warnings.filterwarnings("ignore")
    logging.disable()
    known = cases()
    if arguments == ["names"]:
        for what, work, operands in known.values():
            code, _ = generate(work, operands, FUSED)
            calls = re.findall(r"^ +(triton_\w+)\.run|^ +(extern_kernels\.\w+)\(", code, re.MULTILINE)
            print(what, *("  " + "".join(call) for call in calls), sep="\n")
        return
    result = {}
    print(
        f"{'':22s} {'eager':>8s} {'MiB':>6s} {'unfused':>8s} {'MiB':>6s} {'fused':>8s} {'MiB':>6s}"
    )
    for name, (what, work, operands) in known.items():
        counts = counted(work, operands)
        print(row(what, counts))
        result |= {f"{name}_{quantity}": number for quantity, number in counts.items()}
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1:])
