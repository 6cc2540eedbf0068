"""Caches of Transformers, filled on the CPU: their bytes, and whether they move when they grow."""

import json
import os

os.environ["HF_HUB_OFFLINE"] = "1"

import torch
from transformers import (
    DynamicCache,
    Gemma3TextConfig,
    LlamaConfig,
    LlamaForCausalLM,
    StaticCache,
)

LAYERS, HEADS, SIZE = 4, 2, 64
CONFIG = LlamaConfig(
    num_hidden_layers=LAYERS,
    hidden_size=512,
    intermediate_size=512,
    num_attention_heads=8,
    num_key_value_heads=HEADS,
    vocab_size=1000,
    max_position_embeddings=4096,
    dtype="bfloat16",
)


def held(cache):
    """Bytes of all keys and values that a cache holds."""
    return sum(layer.keys.nbytes + layer.values.nbytes for layer in cache.layers)


def fill(cache, prompt, steps):
    """Put a prompt and then single tokens into a cache; count moves, and the bytes of moved copies."""
    moves = copied = 0
    for count in [prompt] + [1] * steps:
        new = torch.zeros(1, HEADS, count, SIZE, dtype=torch.bfloat16)
        for index in range(LAYERS):
            layer = cache.layers[index] if index < len(cache.layers) else None
            before = layer.keys.data_ptr() if layer and layer.is_initialized else None
            cache.update(new, new, index)
            layer = cache.layers[index]
            if before is not None and layer.keys.data_ptr() != before:
                moves += 1
                copied += layer.keys.nbytes + layer.values.nbytes
    return moves, copied


def main():
    torch.manual_seed(0)
    token = 2 * LAYERS * HEADS * SIZE * 2
    model = LlamaForCausalLM(CONFIG).to(torch.bfloat16).eval()
    prompt = torch.arange(100).unsqueeze(0)
    out = model.generate(
        prompt,
        max_new_tokens=57,
        min_new_tokens=57,
        do_sample=False,
        pad_token_id=0,
        return_dict_in_generate=True,
    )
    generated = held(out.past_key_values)
    print(f"generate, 100 + 57 tokens: {generated:,} B, {generated / token:.0f} tokens of {token:,} B")
    dynamic, static = DynamicCache(), StaticCache(config=CONFIG, max_cache_len=2048)
    result = {"token": token, "generated": generated}
    print(f"{'1,024 tokens, 256 more':<24} {'bytes held':>11} {'moves':>6} {'bytes written by moves':>23}")
    for name, cache in (("DynamicCache", dynamic), ("StaticCache", static)):
        moves, copied = fill(cache, 1024, 256)
        print(f"{name:<24} {held(cache):>11,} {moves:>6,} {copied:>23,}")
        key = name[:-5].lower()
        result |= {f"{key}_held": held(cache), f"{key}_moves": moves, f"{key}_copied": copied}
    windowed = Gemma3TextConfig(
        num_hidden_layers=6,
        hidden_size=64,
        num_attention_heads=2,
        num_key_value_heads=HEADS,
        head_dim=SIZE,
        sliding_window=512,
    )
    for name, cache in (("plain", DynamicCache()), ("told", DynamicCache(config=windowed))):
        new = torch.zeros(1, HEADS, 1, SIZE, dtype=torch.bfloat16)
        for count in [4096] + [1] * 4:
            step = new.expand(1, HEADS, count, SIZE).contiguous()
            for index in range(6):
                cache.update(step, step, index)
        result[f"window_{name}"] = held(cache)
        print(f"6 layers, 5 with a window of 512, 4,100 tokens, {name}: {held(cache):,} B")
    print(json.dumps(result))


main()
