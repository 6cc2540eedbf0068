"""How many instructions ptxas executes to turn the PTX of two sources into machine code for sm_90.

ptxas is the assembler of the toolkit, not the compiler inside the driver: the counts say how the work
grows with the PTX, and not how long a driver takes. Prints, for tiny.cu and sort.cu, the kernels, the
bytes of PTX, of the cubin and of the machine code in it, and the instructions that Valgrind counts.
"""

import json
import re
import subprocess
from pathlib import Path


def ptxas() -> str:
    """The program itself: Valgrind would count the shell of a starter script instead."""
    plan = subprocess.run(
        ["nvcc", "--dryrun", "-cubin", "-o", "x.cubin", "tiny.cu"],
        check=True, capture_output=True, text=True,
    ).stderr
    return re.search(r"_HERE_=(.*)", plan)[1] + "/ptxas"


out = {}
for name in ("tiny", "sort"):
    subprocess.run(["nvcc", "-arch=compute_90", "-ptx", "-o", f"{name}.ptx", f"{name}.cu"], check=True)
    counted = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         ptxas(), "-arch=sm_90", "-o", f"{name}.cubin", f"{name}.ptx"],
        check=True, capture_output=True, text=True,
    ).stderr
    sections = subprocess.run(
        ["readelf", "-SW", f"{name}.cubin"], capture_output=True, text=True
    ).stdout
    code = [int(size, 16) for size in
            re.findall(r" \.text\.\S+\s+PROGBITS\s+\w+\s+\w+\s+(\w+)", sections)]
    text = Path(f"{name}.ptx").read_text()
    out[f"{name}_instructions"] = int(re.search(r"I\s+refs:\s+([\d,]+)", counted)[1].replace(",", ""))
    out[f"{name}_kernels"] = len(re.findall(r"\.entry", text))
    out[f"{name}_ptx"] = len(text)
    out[f"{name}_cubin"] = Path(f"{name}.cubin").stat().st_size
    out[f"{name}_code"], out[f"{name}_largest"] = sum(code), max(code)
print(json.dumps(out))
