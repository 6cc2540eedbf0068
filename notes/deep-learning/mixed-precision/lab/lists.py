"""Which format operators give under autocast, on CUDA and on the CPU.

Nothing is computed: the tensors are fake ones, and the autocast keys of the installed PyTorch decide.
Prints a table, then counts as JSON.
"""

import json
import re
from pathlib import Path

import torch
import torch.nn.functional as f
from torch._subclasses.fake_tensor import FakeTensorMode

HEADER = Path(torch.__file__).parent / "include/ATen/autocast_mode.h"
LISTS = ("LOWER_PRECISION_FP", "FP32", "FP32_SET_OPT_DTYPE", "PROMOTE")
WIDE = ("softmax", "layer_norm", "rms_norm", "exp", "pow", "sum", "cumsum")   # in float32 on CUDA


def operators(half, full, classes):
    """Name of the row, and a call: on 16-bit inputs, but where `full` is named."""
    return {
        "linear, matmul, float32 inputs": lambda: f.linear(full, full),
        "softmax": lambda: half.softmax(-1),
        "layer_norm": lambda: f.layer_norm(half, (8,)),
        "rms_norm": lambda: f.rms_norm(half, (8,)),
        "exp": half.exp,
        "pow": lambda: half**2,
        "sum": half.sum,
        "mean": half.mean,
        "cumsum": lambda: half.cumsum(0),
        "cross_entropy": lambda: f.cross_entropy(half, classes),
        "mse_loss": lambda: f.mse_loss(half, half),
        "gelu, relu, sigmoid": lambda: f.gelu(half).relu().sigmoid(),
        "16 bits + 16 bits": lambda: half + half,
        "16 bits + float32": lambda: half + full,
        "embedding, float32 weight": lambda: f.embedding(classes, full),
        "binary_cross_entropy": lambda: f.binary_cross_entropy(half, half),
    }


def formats(device):
    torch.set_autocast_enabled(device, True)
    low = torch.get_autocast_dtype(device)
    with FakeTensorMode():
        half = torch.empty(8, 8, device=device, dtype=low)
        full = torch.empty(8, 8, device=device)
        classes = torch.zeros(8, device=device, dtype=torch.long)
        found = {}
        for name, call in operators(half, full, classes).items():
            try:
                found[name] = str(call().dtype).removeprefix("torch.")
            except RuntimeError as error:
                found[name] = "refused" if "unsafe to autocast" in str(error) else str(error)
    torch.set_autocast_enabled(device, False)
    return found


def lists():
    """Names in each list of the header."""
    text = HEADER.read_text().replace("\\\n", " ")
    result = {}
    for name in LISTS:
        body = re.search(rf"define AT_FORALL_{name}\(_\)(.*)", text).group(1)
        result[name.lower()] = set(re.findall(r"_\((\w+)", body))
    return result


def registered():
    """Names for which the installed PyTorch has a kernel of CUDA's autocast."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    names = (name for name in torch._C._dispatch_get_all_op_names() if has(name, "AutocastCUDA"))
    return {name.removeprefix("aten::").split(".")[0] for name in names}


def main():
    cuda, cpu = formats("cuda"), formats("cpu")
    print(f"{'operator':32}{'autocast cuda':>15}{'autocast cpu':>14}")
    for name, kind in cuda.items():
        print(f"{name:32}{kind:>15}{cpu[name]:>14}")
    listed, known = lists(), registered()
    result = {name: len(names) for name, names in listed.items()}
    print("names in the lists for CUDA: " + ", ".join(f"{k} {v}" for k, v in result.items()))
    others = sorted(known.difference(*listed.values()))
    print("registered besides: " + ", ".join(others))
    result |= {"registered": len(known), "besides": len(others),
               "missing": len(set().union(*listed.values()) - known)}
    for device, found in (("cuda", cuda), ("cpu", cpu)):
        result[f"wide_{device}"] = sum(found[name] == "float32" for name in WIDE)
        result[f"loss_{device}"] = sum(found[name] == "float32" for name in ("cross_entropy", "mse_loss"))
        result[f"low_{device}"] = int(found["mean"] != "float32")
        result[f"refused_{device}"] = int(found["binary_cross_entropy"] == "refused")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
