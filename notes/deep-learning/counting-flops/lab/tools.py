"""ResNet-50 and a GPT layer, counted by four tools. All columns are what the tool itself prints, in 10^9.

    python3 tools.py    a table, then the counts as JSON
"""

import json
import logging

import torch
from fvcore.nn import FlopCountAnalysis
from models import Layer, resnet50
from ptflops import get_model_complexity_info
from thop import profile
from torch.utils.flop_counter import FlopCounterMode

logging.disable(logging.WARNING)


def torch_counter(model, shape):
    with torch.device("meta"):
        x = torch.empty(shape)
    with FlopCounterMode(display=False) as counter:
        model.to("meta")(x)
    return counter.get_total_flops()


def fvcore(model, shape):
    return FlopCountAnalysis(model, torch.zeros(shape)).unsupported_ops_warnings(False).total()


def thop(model, shape):
    return int(profile(model, (torch.zeros(shape),), verbose=False)[0])


def ptflops(backend):
    def count(model, shape):
        options = {"as_strings": False, "print_per_layer_stat": False, "backend": backend}
        return int(get_model_complexity_info(model, shape[1:], **options)[0])

    return count


TOOLS = {
    "torch": ("torch.utils.flop_counter", torch_counter),
    "fvcore": ("fvcore FlopCountAnalysis", fvcore),
    "thop": ("thop profile", thop),
    "aten": ("ptflops, backend aten", ptflops("aten")),
    "module": ("ptflops, backend pytorch", ptflops("pytorch")),
}
MODELS = {
    "resnet": (lambda: resnet50(True), (1, 3, 224, 224)),
    "apart": (lambda: Layer(256, 4, dropout=0), (1, 512, 256)),
    "fused": (lambda: Layer(256, 4, dropout=0, fused=True), (1, 512, 256)),
}


def main():
    result = {}
    print(f"{'tool':<26} {'ResNet-50':>10} {'GPT layer':>10} {'fused':>10}")
    for key, (title, count) in TOOLS.items():
        row = []
        for name, (make, shape) in MODELS.items():
            with torch.no_grad():
                row.append(count(make().eval(), shape))
            result[f"{key}_{name}"] = row[-1]
        print(f"{title:<26}" + "".join(f" {value / 1e9:>10.3f}" for value in row))
    length, hidden = 512, 256
    result["layer"] = 2 * length * 12 * hidden**2 + 2 * length**2 * 2 * hidden
    print(json.dumps(result))


main()
