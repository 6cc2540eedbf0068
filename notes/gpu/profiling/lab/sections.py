"""Sizes of the sections of three cubins, and whether their machine code is the same.

    python3 sections.py    a table, then the numbers as JSON
"""

import json
import struct
from pathlib import Path

CODE = ".text._Z6smoothPfPKfi"
LINES = (".debug_line", ".nv_debug_line_sass")


def sections(name):
    """The sections of an ELF file of 64 bits, by name."""
    data = Path(name).read_bytes()
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, start + size * i) for i in range(count)]
    table = headers[names][4]
    found = {}
    for word, _, _, _, offset, length in headers:
        end = data.index(b"\0", table + word)
        found[data[table + word : end].decode()] = data[offset : offset + length]
    return found


plain, lines, debug = (sections(f"{name}.cubin") for name in ("plain", "lineinfo", "debug"))
print(f"{'section':25}{'plain':>8}{'-lineinfo':>11}{'-G':>8}")
for name in sorted(plain.keys() | lines.keys() | debug.keys()):
    if name == CODE or name.startswith((".debug_", ".nv_debug_")):
        each = [len(one.get(name, b"")) for one in (plain, lines, debug)]
        print(f"{name:25}{each[0]:8}{each[1]:11}{each[2]:8}")


def differing(one, other):
    """How many bytes of the kernel's code differ."""
    a, b = one[CODE], other[CODE]
    return sum(x != y for x, y in zip(a, b, strict=False)) + abs(len(a) - len(b))


print(
    json.dumps(
        {
            "code": len(plain[CODE]),
            "differ_lineinfo": differing(plain, lines),
            "differ_debug": differing(plain, debug),
            "tables_plain": sum(len(plain.get(name, b"")) for name in LINES),
            "tables_lineinfo": sum(len(lines.get(name, b"")) for name in LINES),
        }
    )
)
