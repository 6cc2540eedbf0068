"""What Triton's launcher puts into the key of a compiled kernel, for some arguments.

    python3 specialise.py    a table, then the number of different keys as JSON
"""

import json

import torch
from triton._C.libtriton import native_specialize_impl
from triton.backends.nvidia.compiler import CUDABackend

x = torch.zeros(1024)
ARGUMENTS = {
    "x": x,
    "x[1:]": x[1:],
    "x[4:]": x[4:],
    "1000000": 1000000,
    "1000003": 1000003,
    "1": 1,
    "2**40": 2**40,
}


def key(argument, specialise=True, align=True):
    """Type and what is known of the value, as the launcher's own function says."""
    return native_specialize_impl(CUDABackend, argument, False, specialise, align)


print(f"{'argument':10} {'key':20} do_not_specialize")
for text, value in ARGUMENTS.items():
    print(f"{text:10} {key(value)!s:20} {key(value, specialise=False)}")
lengths = range(1, 65)
print(
    json.dumps(
        {
            "lengths": len(lengths),
            "keys": len({key(n) for n in lengths}),
            "unspecialised": len({key(n, specialise=False) for n in lengths}),
        }
    )
)
