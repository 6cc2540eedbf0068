"""Holds the model of banks.py against the files of a public benchmark, which are not copied here.

    git clone https://github.com/te42kyfo/gpu-benches
    python3 published.py gpu-benches/gpu-strides/a100.txt

A row has the type, the kernel and its parameter, the pitch, the cycles and bytes per load, and then
the counters per load: l1tex__data_pipe_lsu_wavefronts comes first.
"""

import re
import sys

from banks import LANES, passes

ROW = re.compile(r"(float|double) (stride|block) +(\d+) +(\d+) +[\d.]+ +[\d.]+ +([\d.]+)")
OFFSETS = (0, 4, 8, 12, 20, 16, 24, 28)  # of the eight loads in the kernels' loop


def predicted(size, kernel, parameter, pitch):
    """The passes per load, over the 32 warps of a block and the eight loads of the loop."""
    total = 0
    for warp in range(32):
        threads = range(warp * LANES, warp * LANES + LANES)
        if kernel == "stride":
            elements = [thread % 64 * parameter for thread in threads]
        else:
            elements = [t % parameter % 64 + t // parameter % 32 * pitch for t in threads]
        for offset in OFFSETS:
            total += passes([size * (each + offset) for each in elements], size)
    return total / 32 / len(OFFSETS)


for path in sys.argv[1:]:
    with open(path) as file:
        rows = ROW.findall(file.read())
    agree = 0
    for kind, kernel, parameter, pitch, counter in rows:
        model = predicted({"float": 4, "double": 8}[kind], kernel, int(parameter), int(pitch))
        agree += abs(model - float(counter)) < 0.02
    print(f"{path}: the model gives the published counter in {agree} of {len(rows)} rows")
