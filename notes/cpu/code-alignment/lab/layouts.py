"""One program in many layouts: the same objects, linked in other orders.

    layouts.py build     writes the unrelated code, compiles all variants, links every layout
    layouts.py places    where words lies and what its loop touches, over the link orders, as JSON
    layouts.py lines     how often words goes on in another line of 64 bytes, traced, as JSON
    layouts.py sizes     bytes of code of each variant, as JSON
    layouts.py edit      time after a function was added elsewhere, against before, as JSON
    layouts.py times     words and hash in every layout, interleaved, as JSON

A variant is a set of compiler flags. The unrelated code never runs; it only takes up room.
"""

import collections
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys

ORDERS = 30              # random link orders
PARTS = 8                # files of unrelated code
LENGTH = 4096            # bytes of text that words reads, as in main.c
PAIRS = 31               # of before and after
ROUNDS = 9               # times that each layout is run, all layouts in turn
VARIANTS = {
    "plain": ["-O2"],
    "unaligned": ["-O2", "-fno-align-functions", "-fno-align-loops", "-fno-align-jumps"],
    "size": ["-Os"],
    "functions32": ["-O2", "-falign-functions=32"],
    "functions64": ["-O2", "-falign-functions=64"],
    "loops64": ["-O2", "-falign-loops=64"],
    "jumps64": ["-O2", "-falign-loops=64", "-falign-jumps=64"],
    "branches32": ["-O2", "-Wa,-mbranches-within-32B-boundaries"],
    "more": ["-O2", "-DMORE"],
    "more64": ["-O2", "-DMORE", "-falign-functions=64"],
}
COUNTED = ["plain", "unaligned", "size", "functions32", "functions64", "loops64", "jumps64", "branches32"]
TIMED = ["plain", "functions64", "more", "more64"]


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def unrelated(part: int) -> str:
    """Functions of many lengths, with branches and loops, that have nothing to do with words."""
    draw = random.Random(part)
    lines = ["#include <stdint.h>"]
    for number in range(draw.randint(6, 14)):
        lines.append(f"uint64_t part{part}_{number}(uint64_t x, const uint64_t *p, uint64_t n)\n{{")
        for _ in range(draw.randint(1, 9)):
            lines.append(draw.choice([
                f"    x = x * {draw.randint(3, 1 << 20)} + {draw.randint(1, 99)};",
                f"    x ^= x >> {draw.randint(1, 40)};",
                f"    if (x & {1 << draw.randint(0, 20)})\n        x += p[{draw.randint(0, 40)}];",
                f"    for (uint64_t i = 0; i < n; i++)\n        x = (x ^ p[i]) + {draw.randint(1, 9)};"]))
        lines.append("    return x;\n}")
    return "\n".join(lines) + "\n"


def order(seed: int) -> list[str]:
    """The names of the objects as the linker gets them."""
    names = ["words", "hash", "main"] + [f"part{part}" for part in range(PARTS)]
    random.Random(seed).shuffle(names)
    return names


def build() -> None:
    for part in range(PARTS):
        pathlib.Path(f"part{part}.c").write_text(unrelated(part))
    for name, flags in VARIANTS.items():
        folder = pathlib.Path(name)
        folder.mkdir(exist_ok=True)
        compile_ = ["gcc", "-std=gnu11", "-Wall", "-Wextra", *flags, "-c"]
        run(*compile_, "-DWORDS", "hot.c", "-o", f"{name}/words.o")
        run(*compile_, "hot.c", "-o", f"{name}/hash.o")
        for source in ["main"] + [f"part{part}" for part in range(PARTS)]:
            run(*compile_, f"{source}.c", "-o", f"{name}/{source}.o")
        for seed in range(ORDERS):
            run("gcc", "-o", f"{name}/{seed}", *[f"{name}/{each}.o" for each in order(seed)])


Instruction = collections.namedtuple("Instruction", "address length text code")


def disassembled(program: str) -> dict[str, list[Instruction]]:
    """The instructions of each function of ours; the start-up code of the C library is left out."""
    ends = {}        # the padding behind a function is no part of it
    for fields in map(str.split, run("nm", "-S", program).splitlines()):
        if len(fields) == 4 and fields[2] == "T":
            ends[fields[3]] = int(fields[0], 16) + int(fields[1], 16)
    found: dict[str, list[Instruction]] = collections.defaultdict(list)
    function = ""
    for line in run("objdump", "-dw", "-j", ".text", program).splitlines():
        if head := re.fullmatch(r"[0-9a-f]+ <(\w+)>:", line):
            function = head[1]
        fields = line.split("\t")
        if len(fields) == 3 and re.match(r"(words|hash|part\d+_\d+)$", function):
            address, digits = int(fields[0].strip()[:-1], 16), fields[1].replace(" ", "")
            if address < ends[function]:
                found[function].append(Instruction(address, len(digits) // 2, fields[2], digits))
    return found


def loop_of(code: list[Instruction]) -> tuple[int, int]:
    """First byte of the loop, and the byte behind it: what the backward jumps span."""
    spans = []
    for each in code:
        jump = re.match(r"j\w+\s+([0-9a-f]+)", each.text)
        if jump and code[0].address <= int(jump[1], 16) < each.address:
            spans.append((int(jump[1], 16), each.address + each.length))
    return min(start for start, _ in spans), max(end for _, end in spans)


def blocks(start: int, end: int, size: int) -> int:
    return (end - 1) // size - start // size + 1


def fuses(before: Instruction, jump: Instruction) -> bool:
    """Whether Intel's cores may fuse the two; comparing memory with a constant is never fused."""
    return (re.match(r"(cmp|test|add|sub|and|inc|dec)[bwlq]? ", before.text) is not None
            and not ("$" in before.text and "(" in before.text) and not jump.text.startswith("jmp"))


def at_boundary(functions: dict[str, list[Instruction]]) -> int:
    """Jumps, with what may fuse with them, that cross a boundary of 32 bytes or end at one."""
    count = 0
    for code in functions.values():
        for before, each in zip(code[:1] + code, code):
            if each.text[0] == "j":
                start = before.address if fuses(before, each) else each.address
                count += start // 32 != (each.address + each.length) // 32
    return count


def bytes_of(code: list[Instruction]) -> str:
    return "".join(each.code for each in code)


def line_changes(program: str) -> float:
    """How often, per byte of text, the next instruction of words lies in another line of 64 bytes."""
    done = subprocess.run(["valgrind", "--tool=lackey", "--trace-mem=yes", program, "count"],
                          check=True, capture_output=True, text=True)
    start = int(done.stdout.split()[-1], 16)
    end = start + sum(each.length for each in disassembled(program)["words"])
    changes, before = 0, None
    for text in re.findall(r"^I\s+([0-9a-f]+),", done.stderr, re.MULTILINE):
        address = int(text, 16)
        line = address // 64 if start <= address < end else None
        changes += before is not None and line is not None and line != before
        before = line
    return changes / LENGTH


def places() -> dict[str, float]:
    """Over the link orders of each variant, where words begins and what its loop touches."""
    result, all_codes = {}, set()
    for name in COUNTED:
        codes, starts, lines, jumps, whole = set(), [], [], [], []
        for seed in range(ORDERS):
            functions = disassembled(f"{name}/{seed}")
            code = functions["words"]
            span = loop_of(code)
            codes.add(bytes_of(code))
            starts.append(code[0].address)
            lines.append(blocks(*span, 64))
            jumps.append(at_boundary(functions))
            whole.append(sum(each.text[0] == "j" for code in functions.values() for each in code))
        all_codes |= codes
        result |= {"all_codes": len(all_codes),
                   f"{name}_codes": len(codes),
                   f"{name}_loop": span[1] - span[0],
                   f"{name}_places16": len({start % 16 for start in starts}),
                   f"{name}_places32": len({start % 32 for start in starts}),
                   f"{name}_places64": len({start % 64 for start in starts}),
                   f"{name}_lines_least": min(lines), f"{name}_lines_most": max(lines),
                   f"{name}_crossing": sum(count > 1 for count in lines),
                   f"{name}_jumps": whole[0],
                   f"{name}_boundary_least": min(jumps), f"{name}_boundary_most": max(jumps)}
    return result


def lines() -> dict[str, float]:
    """One layout for each place of words within a line: lines of the loop, and changes of line."""
    result = {}
    for seed in range(ORDERS):
        code = disassembled(f"plain/{seed}")["words"]
        place = code[0].address % 64
        if f"changes_{place}" not in result:
            result[f"changes_{place}"] = line_changes(f"plain/{seed}")
            result[f"lines_{place}"] = blocks(*loop_of(code), 64)
    changes = [result[key] for key in result if key.startswith("changes")]
    return result | {"most": max(changes), "least": min(changes)}


def sizes() -> dict[str, int]:
    """Bytes of code in the objects, without constants and unwind tables, which plain `size` counts as text
    too. The linker's padding between objects is not counted."""
    return {name: sum(int(fields[1])
                      for path in sorted(pathlib.Path(name).glob("*.o"))
                      for fields in map(str.split, run("size", "-A", str(path)).splitlines())
                      if fields and fields[0].startswith(".text")) for name in VARIANTS}


def times() -> dict[str, list[float] | float]:
    """Each layout runs once per round; the copies are one layout, run as if it were thirty."""
    programs = {f"{name}_{seed}": f"{name}/{seed}" for name in TIMED for seed in range(ORDERS)}
    programs |= {f"copies_{number}": "plain/0" for number in range(ORDERS)}
    taken = collections.defaultdict(list)
    names = list(programs)
    draw = random.Random(1)
    for _ in range(ROUNDS):
        draw.shuffle(names)
        for name in names:
            taken[name].append([float(each) for each in run(f"./{programs[name]}", "time").split()])
    result: dict[str, list[float] | float] = {}
    for column, function in enumerate(["words", "hash"]):
        medians = {name: statistics.median(each[column] for each in taken[name]) for name in programs}
        for variant in ["copies", *TIMED]:
            each = [medians[f"{variant}_{seed}"] for seed in range(ORDERS)]
            result[f"{function}_{variant}"] = each
            result[f"{function}_{variant}_spread"] = max(each) / min(each)
    by_place = collections.defaultdict(list)
    for seed in range(ORDERS):
        by_place[disassembled(f"plain/{seed}")["words"][0].address % 64].append(result["words_plain"][seed])
    for place, each in by_place.items():
        result[f"at_{place}"] = each
    # What somebody sees who builds each version once: every old layout against every new one.
    for old, new, key in [("plain", "plain", "same"), ("plain", "more", "more"),
                          ("functions64", "functions64", "same64"), ("functions64", "more64", "more64")]:
        ratios = [after / before for i, before in enumerate(result[f"words_{old}"])
                  for j, after in enumerate(result[f"words_{new}"]) if old != new or i != j]
        result[f"{key}_over5"] = 100 * sum(abs(ratio - 1) > 0.05 for ratio in ratios) / len(ratios)
        result[f"{key}_faster"] = 100 * sum(ratio < 1 for ratio in ratios) / len(ratios)
        result[f"{key}_median"] = statistics.median(ratios)
    return result


def edit() -> dict[str, list[float]]:
    """The programs before and after a function was added elsewhere, in interleaved pairs."""
    result: dict[str, list[float]] = {"words": [], "hash": [], "again": []}
    for pair in range(PAIRS):
        names = ["before", "after", "copy"]
        taken = {}
        for name in names[pair % 3:] + names[:pair % 3]:
            program = "before" if name == "copy" else name
            taken[name] = [float(each) for each in run(f"./{program}", "time").split()]
        result["words"].append(taken["after"][0] / taken["before"][0])
        result["hash"].append(taken["after"][1] / taken["before"][1])
        result["again"].append(taken["copy"][0] / taken["before"][0])
    return result


if __name__ == "__main__":
    action = sys.argv[1]
    if action == "build":
        build()
    else:
        print(json.dumps({"places": places, "sizes": sizes, "times": times, "lines": lines, "edit": edit}[action]()))
