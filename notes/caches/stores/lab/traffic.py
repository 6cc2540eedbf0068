"""Lines that cross the bus below a simulated cache, as JSON: traffic.py PROGRAM WHAT BYTES.

Callgrind's write-back model counts, for each miss of the last level, whether the line that it
pushes out had been written. So the lines in are the misses, and the lines out the misses that push
out a written line. Lines that are still in the cache at the end are not counted, but they are as
many after a pass of any size: the difference of two sizes is the cost of a pass.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

FUNCTIONS = {"read": "sum", "fill": "fill_plain", "copy": "copy_plain"}


def pass_over(program: str, what: str, size: int) -> dict[str, int]:
    """Events of the kernel for one pass."""
    out = Path(f"cg.{what}.{size}")
    subprocess.run(
        ["valgrind", "-q", "--tool=callgrind", "--cache-sim=yes", "--simulate-wb=yes"]
        + ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64"]
        + [f"--callgrind-out-file={out}", program, what, str(size)],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    shown = subprocess.run(
        ["callgrind_annotate", "--threshold=100", "--show=Ir,DLmr,DLmw,DLdmr,DLdmw", str(out)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    line = next(x for x in shown.splitlines() if re.search(rf":{FUNCTIONS[what]} \[", x))
    numbers = re.findall(r"([\d,]+|\.) +(?:\([^)]*\))?", line.split(":")[0])
    values = [0 if x == "." else int(x.replace(",", "")) for x in numbers[:5]]
    return dict(zip(["Ir", "DLmr", "DLmw", "DLdmr", "DLdmw"], values, strict=True))


def main() -> None:
    """Two passes, one twice as long: what the second half adds."""
    program, what, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
    short, long = pass_over(program, what, size), pass_over(program, what, 2 * size)
    more = {name: long[name] - short[name] for name in long}
    lines_in, lines_out = more["DLmr"] + more["DLmw"], more["DLdmr"] + more["DLdmw"]
    print(json.dumps({"lines": size // 64, "lines_in": lines_in, "lines_out": lines_out}))


if __name__ == "__main__":
    main()
