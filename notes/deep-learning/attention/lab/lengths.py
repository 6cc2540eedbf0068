"""What attention allocates and keeps for the backward pass, as the sequence gets longer."""

import json
from functools import partial

import torch
import torch.nn.functional as F
from attention import allocated, inputs, plain, tiled
from torch.autograd.graph import saved_tensors_hooks
from torch.nn.attention import SDPBackend, sdpa_kernel

HEADS, SIZE = 2, 64


def fused(q, k, v):
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        return F.scaled_dot_product_attention(q, k, v)


def composed(q, k, v):
    with sdpa_kernel(SDPBackend.MATH):
        return F.scaled_dot_product_attention(q, k, v)


def saved(attention, n):
    """Bytes that autograd keeps, apart from the three inputs."""
    tensors = [x.requires_grad_() for x in inputs(HEADS, n, SIZE)]
    known = {x.untyped_storage().data_ptr() for x in tensors}
    kept = {}

    def pack(x):
        kept[x.untyped_storage().data_ptr()] = x.untyped_storage().nbytes()
        return x

    with saved_tensors_hooks(pack, lambda x: x):
        result = attention(*tensors)
    del result
    return sum(size for place, size in kept.items() if place not in known)


def main():
    forms = {"plain": plain, "math": composed, "tiled": tiled, "fused": fused}
    numbers = {}
    print("KiB, 2 heads of 64, float32   largest apart from the result      peak")
    for name, attention in forms.items():
        for n in (512, 1024, 2048, 4096):
            largest, peak = allocated(partial(attention, *inputs(HEADS, n, SIZE)))
            numbers[f"{name}_largest_{n}"], numbers[f"{name}_peak_{n}"] = largest, peak
            print(f"{name:6} {n:6} tokens {largest / 1024:44,.0f} {peak / 1024:9,.0f}")
    print("kept for the backward pass, beside the inputs")
    for name, attention in (("plain", plain), ("fused", fused)):
        for n in (2048, 4096):
            numbers[f"{name}_saved_{n}"] = saved(attention, n)
            print(f"{name:6} {n:6} tokens {numbers[f'{name}_saved_{n}'] / 1024:44,.0f}")
    print(json.dumps(numbers))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
