"""Operations and saved bytes of a training step, counted without computing anything, as JSON.

    python3 training.py flops     ResNet-50, and four layers of a GPT against six operations per parameter and token
    python3 training.py memory    bytes that autograd keeps for the backward pass, and bytes of the optimizer
"""

import json
import sys

import torch
from models import Layer, resnet50
from torch import nn
from torch.autograd.graph import saved_tensors_hooks
from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop
from torch.utils.flop_counter import FlopCounterMode


def total(run):
    with FlopCounterMode(display=False) as counter:
        run()
    return counter.get_total_flops()


def parameters(model):
    return sum(p.numel() for p in model.parameters())


def flops():
    result = {}
    for name, stride_in_second in (("published", False), ("later", True)):
        with torch.device("meta"):
            model, image = resnet50(stride_in_second), torch.empty(1, 3, 224, 224)
        operations = total(lambda model=model, image=image: model(image))
        result |= {f"resnet_{name}": operations, f"resnet_{name}_macs": operations / 2e9}
        result["resnet_parameters"] = parameters(model)

    batch, length, hidden, layers = 8, 2048, 4096, 4
    with torch.device("meta"):
        net = nn.Sequential(*[Layer(hidden, 32, dropout=0) for _ in range(layers)])
        dropping = nn.Sequential(*[Layer(hidden, 32) for _ in range(layers)])
        x = torch.empty(batch, length, hidden, requires_grad=True)

    def recomputed(net):
        h = x
        for layer in net:
            h = checkpoint(layer, h, use_reentrant=False)
        h.sum().backward()

    result |= {
        "parameters": parameters(net),
        "rule": 6 * parameters(net) * batch * length,
        "forward": total(lambda: net(x)),
        "step": total(lambda: net(x).sum().backward()),
        "recomputed": total(lambda: recomputed(net)),
        "recomputed_dropping": total(lambda: recomputed(dropping)),
        "attention": layers * 2 * batch * length**2 * 2 * hidden,
    }
    with set_checkpoint_early_stop(False):
        result["recomputed_whole"] = total(lambda: recomputed(net))
    for long in (128, 512, 8192, 32768):
        with torch.device("meta"):
            y = torch.empty(1, long, hidden, requires_grad=True)
        result[f"step_{long}"] = total(lambda y=y: net(y).sum().backward())
        result[f"rule_{long}"] = 6 * parameters(net) * long
    return result


def saved(model, x, run):
    """Bytes of the storages that the graph keeps, without the parameters."""
    own = {p.untyped_storage()._cdata for p in model.parameters()}
    sizes, kept = {}, []

    def pack(tensor):
        storage = tensor.untyped_storage()
        kept.append(storage)
        if storage._cdata not in own:
            sizes[storage._cdata] = storage.nbytes()
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        result = run(x)
    del result
    return sum(sizes.values())


def layer_memory(device, batch, length, hidden, heads, **options):
    with torch.device(device):
        layer = Layer(hidden, heads, **options).to(torch.bfloat16)
        x = torch.empty(batch, length, hidden, dtype=torch.bfloat16, requires_grad=True)
    plain = saved(layer, x, layer)
    again = saved(layer, x, lambda x: checkpoint(layer, x, use_reentrant=False))
    return plain, again


def state_bytes(dtype, make):
    """Bytes per parameter: weights, gradients, state of the optimizer."""
    model = nn.Linear(1024, 1024, bias=False, dtype=dtype)
    optimizer = make(model.parameters())
    model(torch.ones(1, 1024, dtype=dtype)).sum().backward()
    optimizer.step()
    tensors = [model.weight, model.weight.grad]
    tensors += [t for state in optimizer.state.values() for t in state.values() if torch.is_tensor(t) and t.dim()]
    return sum(t.nbytes for t in tensors) / parameters(model)


def memory():
    batch, length, hidden, heads = 2, 2048, 12288, 96
    unit = batch * length * hidden
    plain, again = layer_memory("meta", batch, length, hidden, heads)
    small = {"batch": 2, "length": 256, "hidden": 512, "heads": 8}
    apart, _ = layer_memory("cpu", **small)
    fused, _ = layer_memory("cpu", **small, dropout=0, fused=True)
    without, _ = layer_memory("cpu", **small, dropout=0)
    small_unit = 2 * 256 * 512
    return {
        "unit": unit,
        "layer": plain,
        "layer_formula": unit * (34 + 5 * heads * length / hidden),
        "checkpointed": again,
        "small": apart / small_unit,
        "small_formula": 34 + 5 * 8 * 256 / 512,
        "small_without": without / small_unit,
        "small_fused": fused / small_unit,
        "adam_fp32": state_bytes(torch.float32, torch.optim.AdamW),
        "adam_bf16": state_bytes(torch.bfloat16, torch.optim.AdamW),
        "momentum_fp32": state_bytes(torch.float32, lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9)),
        "sgd_fp32": state_bytes(torch.float32, lambda p: torch.optim.SGD(p, lr=0.1)),
    }


def main():
    kinds = {"flops": flops, "memory": memory}
    if len(sys.argv) != 2 or sys.argv[1] not in kinds:
        sys.exit("usage: training.py flops|memory")
    print(json.dumps(kinds[sys.argv[1]]()))


main()
