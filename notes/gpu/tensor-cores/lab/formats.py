"""What each number format can hold, checked against PyTorch and against NVIDIA's headers.

    python3 formats.py    a table, then the numbers as JSON; expects the program oracle beside it
"""

import json
import subprocess
import warnings

import narrow
import numpy as np
import torch

PYTORCH = {
    narrow.FP32: torch.float32,
    narrow.BF16: torch.bfloat16,
    narrow.FP16: torch.float16,
    narrow.E5M2: torch.float8_e5m2,
    narrow.E4M3: torch.float8_e4m3fn,
}


def differs_from_pytorch(form):
    """How many of largest, smallest normal and epsilon PyTorch states otherwise."""
    said = torch.finfo(PYTORCH[form])
    ours = (form.largest, form.smallest_normal, form.epsilon)
    return sum(a != b for a, b in zip((said.max, said.tiny, said.eps), ours, strict=True))


def oracle():
    """For each narrow format the codes to which NVIDIA's headers round all TF32 values."""
    out = subprocess.run(["./oracle"], check=True, capture_output=True, text=True).stdout
    pairs = (line.split() for line in out.splitlines())
    return {name: np.frombuffer(bytes.fromhex(codes), np.uint8) for name, codes in pairs}


def every_tf32():
    """All values of 19 bits that TF32 has, and which of them are finite."""
    bits = np.arange(2**19, dtype=np.uint32) << np.uint32(13)
    values = bits.view(np.float32).astype(np.float64)
    return values, np.isfinite(values)


def main():
    values, finite = every_tf32()
    given = oracle()
    differ = ties = 0
    print("format bits  exp  man      largest  smallest normal   smallest    epsilon")
    for form in narrow.ALL:
        print(
            f"{form.name:<6} {form.bits:>4} {form.exponent:>4} {form.mantissa:>4} {form.largest:>12.6g}"
            f" {form.smallest_normal:>16.4g} {form.smallest:>10.4g} {form.epsilon:>10.4g}"
        )
        if form.name in given:
            theirs = form.decoded(given[form.name])[finite]
            differ += int(np.sum(form.rounded(values[finite]) != theirs))
            away = np.copysign(np.abs(values[finite]) * (1 + 2**-11), values[finite])
            ties += int(np.sum(form.rounded(away) != theirs))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        overflow = torch.tensor([1e5, float("inf")])
        e4m3, e5m2 = (overflow.to(to).float().tolist() for to in (torch.float8_e4m3fn, torch.float8_e5m2))
    print(f"1e5, inf in PyTorch {torch.__version__.split('+')[0]}, CPU: E4M3 {e4m3}, E5M2 {e5m2}")
    as_ieee = narrow.Format("E4M3 with IEEE specials", 4, 3, "ieee")
    result = {f"{f.name}_{what}": getattr(f, what) for f in narrow.ALL for what in ("bits", "largest")}
    result |= {f"{f.name}_mantissa": f.mantissa for f in narrow.ALL}
    result |= {f"{f.name}_smallest": f.smallest for f in (narrow.E4M3, narrow.E5M2, narrow.FP16)}
    result |= {
        "pytorch_differs": sum(map(differs_from_pytorch, PYTORCH)),
        "ieee_differs": int(torch.finfo(torch.float8_e4m3fn).max != as_ieee.largest),
        "ieee_largest": as_ieee.largest,
        "rounded": int(finite.sum()) * len(given),
        "header_differs": differ,
        "nudged_differs": ties,
        "e4m3_of_infinity": e4m3[1],
        "e5m2_of_large_is_infinite": int(e5m2[0] == float("inf")),
    }
    print(json.dumps(result))


main()
