"""The same prompts through vLLM's own code that keeps the blocks, on the CPU. No model, no GPU.

Needs an installed vLLM. Prints what it found cached beside what blocks.py found, and the size of a
block by vLLM's own classes beside the formula.
"""

import json
import logging
import os

os.environ["VLLM_LOGGING_LEVEL"] = "ERROR"
logging.disable(logging.WARNING)

import models  # noqa: E402
import torch  # noqa: E402
from blocks import Pool  # noqa: E402
from prompts import SINGLE, single, talk  # noqa: E402
from vllm.lora.request import LoRARequest  # noqa: E402
from vllm.sampling_params import SamplingParams  # noqa: E402
from vllm.utils.hashing import sha256  # noqa: E402
from vllm.v1.core.kv_cache_manager import KVCacheManager  # noqa: E402
from vllm.v1.core.kv_cache_utils import get_request_block_hasher, init_none_hash  # noqa: E402
from vllm.v1.kv_cache_interface import (  # noqa: E402
    FullAttentionSpec,
    KVCacheConfig,
    KVCacheGroupSpec,
    MLAAttentionSpec,
)
from vllm.v1.request import Request  # noqa: E402

HALF = torch.bfloat16


class Engine:
    """vLLM's manager of blocks, for requests that run alone from their prompt to their end."""

    def __init__(self, blocks, size=16):
        spec = FullAttentionSpec(block_size=size, num_kv_heads=1, head_size=1, dtype=HALF)
        config = KVCacheConfig(
            num_blocks=blocks + 1,  # one block is a placeholder that no request gets
            kv_cache_tensors=[],
            kv_cache_groups=[KVCacheGroupSpec(["layer"], spec)],
        )
        init_none_hash(sha256)
        self.hasher = get_request_block_hasher(size, sha256)
        self.manager = KVCacheManager(
            config, max_model_len=8192, scheduler_block_size=size, hash_block_size=size
        )
        self.served = self.queried = self.hits = 0

    def serve(self, prompt, answer=(), extra=None):
        adapter = salt = None
        if extra and extra.startswith("adapter"):
            number = int(extra.split()[1]) + 1
            adapter = LoRARequest(extra, number, f"/adapters/{number}")
        elif extra:
            salt = extra
        self.served += 1
        request = Request(
            str(self.served),
            list(prompt),
            SamplingParams(max_tokens=8192),
            None,
            lora_request=adapter,
            cache_salt=salt,
            block_hasher=self.hasher,
        )
        found_blocks, found, _ = self.manager.get_computed_blocks(request)
        new = len(prompt) - found
        assert self.manager.allocate_slots(request, new, found, found_blocks) is not None
        request.num_computed_tokens = len(prompt)
        for token in answer[:-1]:
            request.append_output_token_ids(token)
            assert self.manager.allocate_slots(request, 1) is not None
            request.num_computed_tokens += 1
        self.manager.free(request)
        self.queried += len(prompt)
        self.hits += found
        return found


def page(groups, size=16):
    """Bytes of a block in all layers by vLLM's classes."""
    total = 0
    for group in groups:
        spec = FullAttentionSpec(
            block_size=size, num_kv_heads=1, head_size=group.numbers // 2, dtype=HALF
        )
        total += group.layers * spec.page_size_bytes
    return total


def main():
    result, differing, compared, other_order = {}, 0, 0, 0
    print(f"{'requests':<16} {'vLLM found':>11} {'blocks.py found':>16}")
    runs = [(form, 20_000, [(p, (), e) for p, e in single(form)]) for form in SINGLE]
    for form in ("append", "rewrite", "trim"):
        requests = [(p, a, None) for user in range(10) for p, a in talk(form, user)]
        runs.append((form, 20_000, requests))
    users = [list(talk("append", user)) for user in range(10)]
    mixed = [(*user[turn], None) for turn in range(10) for user in users]
    runs += [(f"room {room}", room, mixed) for room in (1256, 1058, 794)]
    runs.append(("twice", 20_000, [(range(1600), (), None)] * 2))
    for name, room, requests in runs:
        engine, pool, other = Engine(room), Pool(room), Pool(room, last_first=False)
        for request in requests:
            found = engine.serve(*request)
            differing += found != pool.serve(*request)
            other_order += found != other.serve(*request)
            compared += 1
        print(f"{name:<16} {engine.hits:>11,} {pool.hits:>16,}")
        result[name.replace("-", "_").replace(" ", "_")] = engine.hits
    for name, groups in models.MODELS.items():
        if name != "deepseek-v3":
            differing += page(groups) != 16 * models.per_token(groups)
            compared += 1
    latent = MLAAttentionSpec(block_size=16, num_kv_heads=1, head_size=512 + 64, dtype=HALF)
    differing += 61 * latent.page_size_bytes != 16 * models.per_token(models.MODELS["deepseek-v3"])
    compared += 1
    print(f"compared {compared:,}, different {differing}; freed in the other order {other_order}")
    counts = {"compared": compared, "different": differing, "other_order": other_order}
    print(json.dumps(result | counts))


main()
