"""Which operator each call of attention runs on the CPU, and the largest tensor that it makes."""

import json
import warnings

import torch
import torch.nn.functional as F
from attention import allocated, operators
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import causal_lower_right

N, HEADS, SIZE = 1024, 4, 64


def calls():
    torch.manual_seed(1)
    q = torch.randn(1, HEADS, N, SIZE)
    one = torch.randn(1, 1, N, SIZE)
    mask = torch.ones(N, N, dtype=torch.bool).tril()
    learnt = torch.zeros(N, N, requires_grad=True)
    attend = F.scaled_dot_product_attention
    module = torch.nn.MultiheadAttention(HEADS * SIZE, HEADS, batch_first=True)
    x = torch.randn(1, N, HEADS * SIZE)

    def inference(fast=True):
        torch.backends.mha.set_fastpath_enabled(fast)
        with torch.no_grad():
            result = module.eval()(x, x, x, need_weights=False)
        module.train()
        torch.backends.mha.set_fastpath_enabled(True)
        return result

    return {
        "none": ("nothing else", lambda: attend(q, q, q)),
        "causal": ("is_causal=True", lambda: attend(q, q, q, is_causal=True)),
        "mask": ("mask of 2 dimensions", lambda: attend(q, q, q, attn_mask=mask)),
        "shared": ("enable_gqa, 1 KV head", lambda: attend(q, one, one, enable_gqa=True)),
        "mask3": ("mask of 3 dimensions", lambda: attend(q, q, q, attn_mask=mask[None])),
        "learnt": ("mask needs a gradient", lambda: attend(q, q, q, attn_mask=learnt)),
        "dropout": ("dropout_p=0.1", lambda: attend(q, q, q, dropout_p=0.1)),
        "dimensions": ("q, k, v of 3 dimensions", lambda: attend(q[0], q[0], q[0])),
        "wide": ("v wider than q", lambda: attend(q, q, torch.cat([q, q], -1))),
        "strided": ("last stride is not 1", lambda: attend(q.mT.contiguous().mT, q, q)),
        "weights": ("MultiheadAttention", lambda: module(x, x, x)),
        "unweighted": ("the same, need_weights=False", lambda: module(x, x, x, need_weights=False)),
        "inference": ("the same, eval and no_grad", inference),
        "slow_path": ("the same, fast path disabled", lambda: inference(fast=False)),
    }


def short(names):
    for name in ("flash_attention_for_cpu", "attention_math", "native_multi_head_attention"):
        if any(name in full for full in names):
            return name
    return "no fused operator"


def main():
    numbers = {}
    names = {int(backend): name for name, backend in SDPBackend.__members__.items()}
    order = [names[number] for number in torch._C._get_sdp_priority_order()]
    print("order: " + ", ".join(name.removesuffix("_ATTENTION").lower() for name in order))
    print(f"{'scaled_dot_product_attention with':36}{'operator':29}{'largest, KiB':>12}")
    for key, (words, call) in calls().items():
        operator = short(operators(call))
        largest, _ = allocated(call)
        numbers[f"{key}_largest"] = largest
        numbers[f"{key}_fused"] = int(operator == "flash_attention_for_cpu")
        print(f"{words:36}{operator:29}{largest / 1024:12,.0f}")
    print("only the fused backend allowed, with dropout:")
    q = torch.randn(1, HEADS, N, SIZE)
    with warnings.catch_warnings(record=True) as said, sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        warnings.simplefilter("always")
        try:
            F.scaled_dot_product_attention(q, q, q, dropout_p=0.1)
        except RuntimeError as error:
            for warning in said:
                print("  " + str(warning.message).split(" (Triggered")[0])
            print(f"  {type(error).__name__}: {error}")
    k, v = torch.randn(1, HEADS, 8, SIZE), torch.eye(8).expand(1, HEADS, 8, 8)
    masks = {
        "causal": ("is_causal=True", {"is_causal": True}),
        "lower": ("causal_lower_right(1, 8)", {"attn_mask": causal_lower_right(1, 8)}),
        "free": ("no mask", {}),
    }
    for key, (words, options) in masks.items():
        weights = F.scaled_dot_product_attention(q[:, :, :1], k, v, **options)
        numbers[f"keys_{key}"] = int((weights[0, 0, 0] > 0).sum())
        print(f"keys of 8 that 1 query sees with {words}: {numbers[f'keys_{key}']}")
    print(json.dumps(numbers))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
