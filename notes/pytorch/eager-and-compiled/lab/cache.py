"""What the first call does again in a new process, by what is left of the cache, as a table and as JSON.

    python3 cache.py         starts itself four times
    python3 cache.py run     compiles one function, and prints counters

The compiler is a script that notes each call; trial builds and precompiled headers are not counted.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def run():
    # The process that starts the four others needs no torch.
    import fresh  # noqa: F401, PLC0415
    import torch  # noqa: PLC0415
    from torch._dynamo.utils import counters  # noqa: PLC0415
    from torch._inductor.graph import GraphLowering  # noqa: PLC0415

    generated = []
    original = GraphLowering.codegen

    def codegen(self, *args, **kwargs):
        generated.append(1)
        return original(self, *args, **kwargs)

    GraphLowering.codegen = codegen

    bundle = Path(os.environ["BUNDLE"])
    if os.environ["LOAD"] == "1":
        torch.compiler.load_cache_artifacts(bundle.read_bytes())

    def chain(x):
        return torch.tanh(torch.sigmoid(x * 2) - 0.5)

    torch.compile(chain)(torch.ones(1024))
    saved = torch.compiler.save_cache_artifacts()
    if saved is not None and os.environ["LOAD"] == "0":
        bundle.write_bytes(saved[0])
    calls = Path(os.environ["CALLS"]).read_text().splitlines() if Path(os.environ["CALLS"]).exists() else []
    hits = counters["aot_autograd"]["autograd_cache_hit"] + counters["inductor"]["fxgraph_cache_hit"]
    print(json.dumps({
        "traced": counters["frames"]["ok"],
        "hit": min(hits, 1),
        "generated": len(generated),
        "built": sum(".main.cpp" in call for call in calls),
    }))  # fmt: skip


def main():
    with tempfile.TemporaryDirectory() as scratch:
        compiler = Path(scratch) / "compiler.sh"
        compiler.write_text('#!/bin/sh\necho "$@" >>"$CALLS"\nexec g++ "$@"\n')
        compiler.chmod(0o755)
        cases = {
            "cold": ("empty cache", "first", "0", {}),
            "again": ("the same folder", "first", "0", {}),
            "bundle": ("an empty folder, artifacts loaded", "second", "1", {}),
            "disabled": ("the same folder, caches disabled", "first", "0", {"TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}),
        }
        result = {}
        print(f"{'a new process with':<36} frames traced  cache hit  code generated  sources compiled")
        for name, (text, folder, load, more) in cases.items():
            environment = os.environ | {
                "TORCHINDUCTOR_CACHE_DIR": f"{scratch}/{folder}",
                "CXX": str(compiler),
                "CALLS": f"{scratch}/{name}.txt",
                "BUNDLE": f"{scratch}/bundle",
                "LOAD": load,
            } | more
            done = subprocess.run([sys.executable, __file__, "run"], env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                sys.exit(done.stderr)
            counts = json.loads(done.stdout.splitlines()[-1])
            print(f"{text:<36} {counts['traced']:>13} {counts['hit']:>10} {counts['generated']:>15} {counts['built']:>17}")
            result |= {f"{name}_{key}": value for key, value in counts.items()}
        print(json.dumps(result))


run() if sys.argv[1:] == ["run"] else main()
