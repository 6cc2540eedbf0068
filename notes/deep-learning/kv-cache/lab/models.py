"""Bytes that one token keeps in the KV cache, from the fields of a model's configuration.

A group is a set of layers alike: how many they are, how many numbers a token keeps in each, and the
window beyond which a layer forgets (0: it keeps every token). A layer that reuses the keys and
values of another one keeps nothing and is not counted.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    layers: int
    numbers: int
    window: int = 0


def heads(layers, kv_heads, size, window=0):
    """Layers with a key and a value of ``size`` numbers for each KV head."""
    return Group(layers, 2 * kv_heads * size, window)


def latent(layers, rank, rope):
    """Layers that keep one compressed vector and the part of the key that carries the position."""
    return Group(layers, rank + rope)


def every(layers, period):
    """Of ``layers``, how many attend to all tokens if each ``period``-th does."""
    return layers // period


MODELS = {
    "llama2-7b": [heads(32, 32, 128)],
    "falcon-7b": [heads(32, 1, 64)],
    "llama31-8b": [heads(32, 8, 128)],
    "llama31-70b": [heads(80, 8, 128)],
    "qwen3-32b": [heads(64, 8, 128)],
    "qwen3-30b-a3b": [heads(48, 4, 128)],
    "gemma3-27b": [heads(62 - every(62, 6), 16, 128, 1024), heads(every(62, 6), 16, 128)],
    "gpt-oss-120b": [heads(18, 8, 64, 128), heads(18, 8, 64)],
    "gemma3n-e4b": [heads(16, 2, 256, 512), heads(4, 2, 256)],
    "deepseek-v3": [latent(61, 512, 64)],
}


def per_token(groups, size=2):
    """Bytes that a further token adds while no window is full."""
    return sum(group.layers * group.numbers for group in groups) * size


def per_token_late(groups, size=2):
    """Bytes that a further token adds once every window is full."""
    return sum(group.layers * group.numbers for group in groups if not group.window) * size


def request(groups, tokens, size=2):
    """Bytes of a request of ``tokens`` tokens, if a layer keeps no more than its window."""
    return sum(
        group.layers * group.numbers * min(tokens, group.window or tokens) for group in groups
    ) * size


def per_gpu(layers, kv_heads, size, gpus, each=2):
    """Bytes per token on one of ``gpus`` GPUs that share the heads; each has at least one head."""
    return 2 * layers * max(1, kv_heads // gpus) * size * each
