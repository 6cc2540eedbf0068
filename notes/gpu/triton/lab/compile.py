"""Compile the kernels for several GPUs, without a GPU; write NAME.ttgir, NAME.ptx and NAME.cubin.

    python3 compile.py         also writes resources.json: shared memory, what the AMD code holds
    python3 compile.py NAME    only that variant
"""

import json
import re
import sys
from pathlib import Path

from kernels import (
    add,
    add_assumed,
    add_hinted_arguments,
    add_hinted_blocks,
    add_sixteens,
    add_tail,
    axpy,
    matmul,
    scale_row,
    sum_row,
)
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler import compile as compile_for

MULTIPLE_OF_16 = [["tt.divisibility", 16]]  # what the launcher finds out about an argument
TYPES = {"n": "i32", "sixteens": "i32", "stride": "i32", "depth": "i32", "a": "fp32"}
TYPES |= {"a_row": "i32", "b_row": "i32", "c_row": "i32"}


def compiled(kernel, constants, arch=90, odd=(), types=None, **options):
    """Compile a kernel; all arguments but those in ``odd`` are multiples of 16."""
    names = kernel.arg_names
    kinds = {name: TYPES.get(name, "*fp32") for name in names} | (types or {})
    kinds |= dict.fromkeys(constants, "constexpr")
    known = [i for i, name in enumerate(names) if kinds[name] != "fp32" and name not in odd]
    source = ASTSource(
        fn=kernel,
        signature=kinds,
        constexprs={(names.index(name),): value for name, value in constants.items()},
        attrs={(i,): MULTIPLE_OF_16 for i in known if names[i] not in constants},
    )
    amd = isinstance(arch, str)
    target = GPUTarget("hip", arch, 64) if amd else GPUTarget("cuda", arch, 32)
    options.setdefault("enable_fp_fusion", True)
    return compile_for(source, target=target, options=options)


BLOCK = {"BLOCK": 1024}
HALF = {"a": "*fp16", "b": "*fp16"}
SINGLE = {"a": "*fp32", "b": "*fp32"}
TILE = {"M": 64, "N": 64, "K": 32, "PRECISION": "tf32"}
LARGE = {"M": 128, "N": 256, "K": 64, "PRECISION": "tf32"}
SMALL = {"M": 32, "N": 32, "K": 32, "PRECISION": "ieee"}
POINTERS = ("x", "y", "out")

VARIANTS = {
    "add-aligned": (add, BLOCK, {}),
    "add-unknown": (add, BLOCK, {"odd": (*POINTERS, "n")}),
    "add-odd-length": (add, BLOCK, {"odd": ("n",)}),
    "add-odd-view": (add, BLOCK, {"odd": ("x",)}),
    "add-assumed": (add_assumed, BLOCK, {"odd": ("n",)}),
    "add-sixteens": (add_sixteens, BLOCK, {"odd": ("sixteens",)}),
    "add-tail": (add_tail, BLOCK, {"odd": ("n",)}),
    "add-hinted-arguments": (add_hinted_arguments, BLOCK, {"odd": POINTERS}),
    "add-hinted-blocks": (add_hinted_blocks, BLOCK, {"odd": POINTERS}),
    "add-8-warps": (add, BLOCK, {"num_warps": 8}),
    "add-16-warps": (add, BLOCK, {"num_warps": 16}),
    "row-aligned": (scale_row, BLOCK, {}),
    "row-odd": (scale_row, BLOCK, {"odd": ("stride",)}),
    "axpy-fused": (axpy, BLOCK, {"types": {"a": "fp32"}}),
    "axpy-apart": (axpy, BLOCK, {"types": {"a": "fp32"}, "enable_fp_fusion": False}),
    "sum-1-warp": (sum_row, BLOCK, {"num_warps": 1}),
    "sum-4-warps": (sum_row, BLOCK, {"num_warps": 4}),
    "matmul-75": (matmul, TILE, {"types": HALF, "arch": 75}),
    "matmul-80": (matmul, TILE, {"types": HALF, "arch": 80}),
    "matmul-90": (matmul, TILE, {"types": HALF, "arch": 90}),
    "matmul-100": (matmul, TILE, {"types": HALF, "arch": 100}),
    "matmul-120": (matmul, TILE, {"types": HALF, "arch": 120}),
    "matmul-gfx942": (matmul, TILE, {"types": HALF, "arch": "gfx942"}),
    "matmul-80-stages-1": (matmul, TILE, {"types": HALF, "arch": 80, "num_stages": 1}),
    "matmul-80-stages-2": (matmul, TILE, {"types": HALF, "arch": 80, "num_stages": 2}),
    "matmul-80-stages-4": (matmul, TILE, {"types": HALF, "arch": 80, "num_stages": 4}),
    "matmul-90-stages-4": (matmul, TILE, {"types": HALF, "num_stages": 4}),
    "matmul-80-large": (matmul, LARGE, {"types": HALF, "arch": 80, "num_stages": 4}),
    "matmul-90-2-warps": (matmul, TILE, {"types": HALF, "num_warps": 2}),
    "matmul-90-single": (matmul, TILE, {"types": SINGLE}),
    "matmul-90-ieee": (matmul, SMALL, {"types": SINGLE}),
}


def main():
    """Compile all variants, or the one that the command names."""
    if only := sys.argv[1:]:
        kernel, constants, options = VARIANTS[only[0]]
        compiled(kernel, constants, **options)
        return
    resources = {}
    for name, (kernel, constants, options) in VARIANTS.items():
        made = compiled(kernel, constants, **options)
        for kind in ("ttgir", "ptx", "cubin", "amdgcn"):
            if kind in made.asm:
                text = made.asm[kind]
                Path(f"{name}.{kind}").write_bytes(text if kind == "cubin" else text.encode())
        if kernel is matmul:
            resources[name.replace("-", "_") + "_shared"] = made.metadata.shared
        if "amdgcn" in made.asm:
            resources["mfma"] = len(re.findall(r"v_mfma_f32_32x32x8_f16", made.asm["amdgcn"]))
            spilled = re.search(r"\.vgpr_spill_count:\s+(\d+)", made.asm["amdgcn"])
            resources["amd_spills"] = int(spilled[1])
    Path("resources.json").write_text(json.dumps(resources))


if __name__ == "__main__":
    main()
