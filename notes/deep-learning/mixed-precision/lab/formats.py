"""Range and spacing of formats, from their bits alone, held against PyTorch's finfo.

Prints a table, then counts as JSON.
"""

import json

import torch

# name: exponent bits, mantissa bits, PyTorch's type, whether the format has infinities as IEEE 754
FORMATS = {
    "float32": (8, 23, torch.float32, True),
    "bfloat16": (8, 7, torch.bfloat16, True),
    "float16": (5, 10, torch.float16, True),
    "E5M2": (5, 2, torch.float8_e5m2, True),
    "E4M3": (4, 3, torch.float8_e4m3fn, False),
}


def derive(exponent, mantissa, ieee):
    """The largest and smallest normal value, the smallest value, and the spacing above 1."""
    bias = 2 ** (exponent - 1) - 1
    top = 2**exponent - 1 - bias - (1 if ieee else 0)     # the highest exponent of a finite value
    full = 2 - 2.0**-mantissa if ieee else 2 - 2 * 2.0**-mantissa   # E4M3: the last one is NaN
    return full * 2.0**top, 2.0 ** (1 - bias), 2.0 ** (1 - bias - mantissa), 2.0**-mantissa


def main():
    wrong, result = 0, {}
    print(f"{'format':9}{'largest':>12}{'smallest normal':>17}{'smallest':>11}{'its half':>11}"
          f"{'spacing at 1':>14}{'its half':>11}")
    for name, (exponent, mantissa, dtype, ieee) in FORMATS.items():
        largest, normal, smallest, spacing = derive(exponent, mantissa, ieee)
        info = torch.finfo(dtype)
        wrong += (info.max != largest) + (info.smallest_normal != normal) + (info.eps != spacing)
        if dtype not in (torch.float8_e5m2, torch.float8_e4m3fn):
            one = torch.ones((), dtype=dtype)
            wrong += (one + spacing / 2).item() != 1.0        # a tie goes to the even neighbour
            wrong += (one + spacing * 0.51).item() == 1.0
            wrong += torch.tensor(smallest / 2, dtype=torch.float64).to(dtype).item() != 0.0
            wrong += torch.tensor(smallest * 0.51, dtype=torch.float64).to(dtype).item() == 0.0
        key = name.lower()
        result |= {f"{key}_largest": largest, f"{key}_smallest": smallest, f"{key}_spacing": spacing}
        print(f"{name:9}{largest:12.6g}{normal:17.4g}{smallest:11.4g}{smallest / 2:11.4g}"
              f"{spacing:14.4g}{spacing / 2:11.4g}")
    print(json.dumps(result | {"wrong": wrong}))


if __name__ == "__main__":
    main()
