"""The intensity of a linear layer, and the batch that reaches the ridge point.

    intensity.py          a table
    intensity.py json     the same numbers as JSON
"""

import json
import sys


def intensity(B, m, n, s):
    """FLOP per byte of Y = X W^T, X: B by n, W: m by n, s bytes per element."""
    return 2 * B * m * n / (s * (m * n + B * n + B * m))


def ridge_batch(R, m, n, s):
    """Smallest batch that reaches R FLOP/byte, or None if no batch does."""
    left = 2 / (s * R) - 1 / m - 1 / n
    return 1 / left if left > 0 else None


MACHINES = {  # FLOP/s, B/s, bytes per element
    "EPYC 9654, float32": (96 * 2.4e9 * 32, 460.8e9, 4),
    "H100, bfloat16": (989.4e12, 3.35e12, 2),
}


def table():
    nvidia = (round(intensity(B, 4096, 1024, 2), 1) for B in (512, 1))
    print("NVIDIA's table:", *nvidia)
    for name, (P, bandwidth, s) in MACHINES.items():
        R = P / bandwidth
        print(f"{name}: ridge {R:.1f} FLOP/byte")
        for n in (512, 1024, 8192):
            B = ridge_batch(R, n, n, s)
            print(f"  n = m = {n:4d}: limit {n / s:6.0f} FLOP/byte, ridge at batch",
                  f"{B:.1f}" if B else "none")


def numbers():
    P, bandwidth, s = MACHINES["H100, bfloat16"]
    R = P / bandwidth
    print(json.dumps({
        "nvidia_512": intensity(512, 4096, 1024, 2),
        "nvidia_1": intensity(1, 4096, 1024, 2),
        "h100_rule": s * R / 2,
        "h100_8192": ridge_batch(R, 8192, 8192, s),
        "h100_1024": ridge_batch(R, 1024, 1024, s),
        "h100_512_at_a_billion": intensity(10**9, 512, 512, s),
        "h100_8192_at_a_billion": intensity(10**9, 8192, 8192, s),
        "h100_ridge": R,
    }))


if sys.argv[1:] == ["json"]:
    numbers()
elif len(sys.argv) == 1:
    table()
else:
    sys.exit("usage: intensity.py [json]")
